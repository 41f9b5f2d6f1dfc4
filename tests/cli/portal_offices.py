"""Imitations of what statistical offices, weather services, banks and databases publish.

The form is that of portal_cases.py. They were written before the rules that read them: lines of
every kind above and below a table, names in several lines, drawn tables, footnotes.
"""
from portal_cases import ABOVE, BLANKS, Case, HEADER_2, ONE_FIELD, QUOTES, SEMICOLON, TABS

BETWEEN = "between the names and the rows"
OTHER = "perhaps another table begins"

OFFICES = [
    Case("years as names, remarks below rows without values",
         "\ufeffCountry Name,Country Code,Series Name,Series Code,2019 [YR2019],2020 [YR2020]"
         '\nAruba,ABW,"Population, total",SP.POP.TOTL,106310,106766\n'
         'Angola,AGO,"Population, total",SP.POP.TOTL,31825299,32866268\n'
         'Chad,TCD,"Population, total",SP.POP.TOTL,15946882,..\n,,,,,\n,,,,,\n'
         "Data from database: World Development Indicators,,,,,\n"
         "Last Updated: 12/16/2021,,,,,\n",
         "Country Name|Country Code|Series Name|Series Code|2019 [YR2019]|2020 [YR2020]",
         ["Aruba|ABW|Population, total|SP.POP.TOTL|106310|106766",
          "Angola|AGO|Population, total|SP.POP.TOTL|31825299|32866268",
          "Chad|TCD|Population, total|SP.POP.TOTL|15946882|.."],
         label="Country Code", said=["4 rows without a label"]),
    Case("blanks behind numbers and flags",
         "freq,unit,geo\\TIME_PERIOD\t2018 \t2019 \t2020 \nA,PC_GDP,AT\t1.5 \t2.5 b\t3.1 \n"
         "A,PC_GDP,BE\t: \t2.7 \t3.0 p\nA,PC_GDP,BG\t0.9 \t1.1 \t: c\n"
         "A,PC_GDP,CY\t1.9 \t2.1 \t2.2 \n",
         "freq,unit,geo\\TIME_PERIOD|2018 |2019 |2020 ",
         ["A,PC_GDP,AT|1.5 |2.5 b|3.1 ", "A,PC_GDP,BE|: |2.7 |3.0 p",
          "A,PC_GDP,BG|0.9 |1.1 |: c", "A,PC_GDP,CY|1.9 |2.1 |2.2 "],
         label="", file="t.tsv"),
    Case("months as names above two rows",
         '"Libellé";"idBank";"Dernière mise à jour";"Période";"2020-01";"2020-02";"2020-03"\n'
         '"Indice des prix - Base 2015 - Ensemble";"001759970";"15/02/2021 08:45";"";"104.39";'
         '"104.36";"104.59"\n'
         '"Indice des prix - Base 2015 - Alimentation";"001759971";"15/02/2021 08:45";"";"107.'
         '59";"107.44";"108.1"\n',
         "Libellé|idBank|Dernière mise à jour|Période|2020-01|2020-02|2020-03",
         [
          "Indice des prix - Base 2015 - Ensemble|001759970|15/02/2021 08:45||104.39|104.36|104"
          ".59",
          "Indice des prix - Base 2015 - Alimentation|001759971|15/02/2021 08:45||107.59|107.44"
          "|108.1"],
         label="", said=[SEMICOLON]),
    Case("titles, units below the names, footnotes",
         '\ufeff"Table: 14-10-0287-01 (formerly CANSIM 282-0087)"\n'
         '"Labour force characteristics, monthly, seasonally adjusted"\n'
         '"Release date: 2021-02-05"\n"Geography: Canada, Province or territory"\n\n'
         '"Geography","Labour force characteristics","January 2020","February 2020"\n'
         '"","","Persons in thousands","Persons in thousands"\n'
         '"Canada","Population","31,000.1","31,020.0"\n'
         '"Canada","Employment","19,100.5","19,130.9"\n'
         '"Ontario","Population","12,100.2","12,122.4"\n'
         '"Ontario","Employment","7,500.8","7,511.0"\n\n"Footnotes:"\n'
         '"1","Fluctuations in economic time series are caused by seasonal, cyclical and irreg'
         'ular movements."\n"2","Number of persons of working age."\n',
         "Geography|Labour force characteristics|January 2020|February 2020",
         ["Canada|Population|31,000.1|31,020.0", "Canada|Employment|19,100.5|19,130.9",
          "Ontario|Population|12,100.2|12,122.4", "Ontario|Employment|7,500.8|7,511.0"],
         label="", said=[ABOVE, HEADER_2, ONE_FIELD]),
    Case("groups above names with blanks",
         '"","","Life expectancy at birth (years)","Life expectancy at birth (years)","Life ex'
         'pectancy at birth (years)"\n"Country","Year"," Both sexes"," Female"," Male"\n'
         '"Afghanistan","2019","63.2","63.2","63.3"\n'
         '"Afghanistan","2015","61.7","62.3","61.0"\n"Albania","2019","78.0","79.9","76.3"\n'
         '"Albania","2015","77.8","79.7","76.1"\n',
         "Country|Year|Life expectancy at birth (years) Both sexes|Life expectancy at birth (y"
         "ears) Female|Life expectancy at birth (years) Male",
         ["Afghanistan|2019|63.2|63.2|63.3", "Afghanistan|2015|61.7|62.3|61.0",
          "Albania|2019|78.0|79.9|76.3", "Albania|2015|77.8|79.7|76.1"],
         label="", said=[HEADER_2]),
    Case("a title as wide as the table",
         "Contiguous U.S., Average Temperature, January-December\nUnits: Degrees Fahrenheit\n"
         "Base Period: 1901-2000\nMissing: -99\nDate,Value,Anomaly\n189512,50.34,-1.68\n"
         "189612,51.99,-0.03\n189712,51.56,-0.46\n189812,51.43,-0.59\n",
         "Date|Value|Anomaly",
         ["189512|50.34|-1.68", "189612|51.99|-0.03", "189712|51.56|-0.46", "189812|51.43|-0.59"],
         label="", said=["4 lines " + ABOVE]),
    Case("names and units behind a sign",
         "#YY  MM DD hh mm WDIR WSPD GST\n#yr  mo dy hr mn degT m/s  m/s\n"
         "2020 01 01 00 00 230  5.0  6.1\n2020 01 01 01 00 240 10.0 12.1\n"
         "2020 01 01 02 00 999 99.0 99.0\n",
         "YY|MM|DD|hh|mm|WDIR|WSPD|GST",
         ["2020|01|01|00|00|230|5.0|6.1", "2020|01|01|01|00|240|10.0|12.1",
          "2020|01|01|02|00|999|99.0|99.0"],
         label="", said=[BLANKS, BETWEEN]),
    Case("remarks with commas above names",
         "# --------\n# USE OF NOAA GML DATA\n# \n"
         "# These data are made freely available to the public, to the scientific community, a"
         "nd to all.\n"
         "# NOTE: In general, the data presented for the last year are subject to change, depe"
         "nding on\n"
         "# recalibration of the reference gas mixtures used, and other quality control proced"
         "ures.\nyear,month,decimal date,average,deseasonalized,ndays,sdev,unc\n"
         "1958,3,1958.2027,315.70,314.43,-1,-9.99,-0.99\n"
         "1958,4,1958.2877,317.45,315.16,-1,-9.99,-0.99\n"
         "1958,5,1958.3699,317.51,314.71,-1,-9.99,-0.99\n",
         "year|month|decimal date|average|deseasonalized|ndays|sdev|unc",
         ["1958|3|1958.2027|315.70|314.43|-1|-9.99|-0.99",
          "1958|4|1958.2877|317.45|315.16|-1|-9.99|-0.99",
          "1958|5|1958.3699|317.51|314.71|-1|-9.99|-0.99"],
         label="", said=["6 lines " + ABOVE]),
    Case("a title, and decimals without a zero",
         "Land-Ocean: Global Means\nYear,Jan,Feb,Mar,J-D,D-N\n1880,-.18,-.24,-.09,-.16,***\n"
         "1881,-.19,-.14,.03,-.08,-.09\n1882,.16,.13,.04,-.11,-.08\n",
         "Year|Jan|Feb|Mar|J-D|D-N",
         ["1880|-.18|-.24|-.09|-.16|***", "1881|-.19|-.14|.03|-.08|-.09",
          "1882|.16|.13|.04|-.11|-.08"],
         label="", said=["1 line " + ABOVE]),
    Case("widths and types below the names",
         "# ---------------------------------- WARNING ---------------------------------------"
         "-\n"
         "# Some of the data that you have obtained from this U.S. Geological Survey database"
         "\n# may not have received Director's approval.\n#\n"
         "# Data provided for site 01646500\n#            TS   parameter     Description\n"
         "#        69928       00060     Discharge, cubic feet per second\n#\n"
         "agency_cd\tsite_no\tdatetime\ttz_cd\t69928_00060\t69928_00060_cd\n"
         "5s\t15s\t20d\t6s\t14n\t10s\nUSGS\t01646500\t2021-01-01 00:00\tEST\t12500\tP\n"
         "USGS\t01646500\t2021-01-01 00:15\tEST\t12600\tP\n"
         "USGS\t01646500\t2021-01-01 00:30\tEST\t12600\tP\n",
         "agency_cd|site_no|datetime|tz_cd|69928_00060|69928_00060_cd",
         ["USGS|01646500|2021-01-01 00:00|EST|12500|P",
          "USGS|01646500|2021-01-01 00:15|EST|12600|P",
          "USGS|01646500|2021-01-01 00:30|EST|12600|P"],
         label="", file="t.tsv", said=["8 lines " + ABOVE, HEADER_2]),
    Case("a list of the series above the table",
         "SERIES,DESCRIPTION\nXUDLUSS,Spot exchange rate US$ into Sterling\n"
         "XUDLERS,Spot exchange rate Euro into Sterling\n\nDATE,XUDLUSS,XUDLERS\n"
         "04 Jan 2021,1.3678,1.1124\n05 Jan 2021,1.3605,1.1078\n06 Jan 2021,1.3622,1.1044\n"
         "07 Jan 2021,1.3569,1.1066\n",
         "DATE|XUDLUSS|XUDLERS",
         ["04 Jan 2021|1.3678|1.1124", "05 Jan 2021|1.3605|1.1078", "06 Jan 2021|1.3622|1.1044",
          "07 Jan 2021|1.3569|1.1066"],
         label="", said=["4 lines " + ABOVE]),
    Case("notes above two columns between blanks",
         "Title:               Gross Domestic Product\nSeries ID:           GDP\n"
         "Source:              U.S. Bureau of Economic Analysis\n"
         "Units:               Billions of Dollars\n"
         "Notes:               BEA Account Code: A191RC\n\n"
         "                     Gross domestic product (GDP) is the value of all goods.\n\n"
         "DATE          VALUE\n1947-01-01  243.164\n1947-04-01  245.968\n1947-07-01  249.585\n"
         "1947-10-01  259.745\n",
         "DATE|VALUE",
         ["1947-01-01|243.164", "1947-04-01|245.968", "1947-07-01|249.585", "1947-10-01|259.745"],
         label="", said=[BLANKS, "8 lines " + ABOVE]),
    Case("notes between the title and the rows",
         '"Title","CPIH INDEX 00: ALL ITEMS 2015=100"\n"CDID","L522"\n'
         '"Source dataset ID","MM23"\n"PreUnit",""\n"Unit","Index, base year = 100"\n'
         '"Release Date","17-02-2021"\n"Next release","24 March 2021"\n"Important Notes",\n'
         '"1989","48.4"\n"1990","51.0"\n"1991","54.7"\n"1992","57.1"\n"1993","58.5"\n'
         '"1994","59.7"\n"1995","61.3"\n"1996","62.9"\n"1997","64.2"\n',
         "Title|CPIH INDEX 00: ALL ITEMS 2015=100",
         ["1989|48.4", "1990|51.0", "1991|54.7", "1992|57.1", "1993|58.5", "1994|59.7",
          "1995|61.3", "1996|62.9", "1997|64.2"],
         label="", said=["7 lines " + BETWEEN]),
    Case("pounds, empty columns and rows at the end",
         "Department Family,Entity,Date,Expense Type,Supplier,Transaction Number,Amount,,\n"
         'DfT,Highways,04/01/2021,Consultancy,"Capita, plc",10234,"£25,000.00",,\n'
         'DfT,Highways,05/01/2021,Rent,Smith & Sons,10235,"£125,310.50",,\n'
         'DfT,DVLA,05/01/2021,Rent,Jones,10236,"-£26,000.00",,\n,,,,,,,,\n,,,,,,,,\n',
         "Department Family|Entity|Date|Expense Type|Supplier|Transaction Number|Amount",
         ["DfT|Highways|04/01/2021|Consultancy|Capita, plc|10234|£25,000.00",
          "DfT|Highways|05/01/2021|Rent|Smith & Sons|10235|£125,310.50",
          "DfT|DVLA|05/01/2021|Rent|Jones|10236|-£26,000.00"],
         label="Expense Type", encoding="cp1252", said=["windows-1252", "2 rows without a label"]),
    Case("shapes in JSON",
         "Nom;Adresse;Capacité;geo_shape;geo_point_2d\n"
         'Louvre;"1, rue de Rivoli";25;"{""type"": ""Point"", ""coordinates"": [2.33, 48.86]}"'
         ";48.86,2.33\n"
         'Bastille;"2; place";30;"{""type"": ""Point"", ""coordinates"": [2.36, 48.85]}";48.85'
         ",2.36\nNation;3 av;12;;48.84,2.39\n",
         "Nom|Adresse|Capacité|geo_shape|geo_point_2d",
         [
          'Louvre|1, rue de Rivoli|25|{"type": "Point", "coordinates": [2.33, 48.86]}|48.86,2.3'
          "3",
          'Bastille|2; place|30|{"type": "Point", "coordinates": [2.36, 48.85]}|48.85,2.36',
          "Nation|3 av|12||48.84,2.39"],
         label="", said=[SEMICOLON]),
    Case("line ends in names, thousands between points",
         '"Codice Regione";"Denominazione\n(Italiana e straniera)";"Flag\n'
         'capoluogo";Popolazione\r\n01;Agliè;0;2.601\r\n01;Forlì;1;117.913\r\n'
         "02;\"Valle d'Aosta/Vallée d'Aoste\";1;1.234\r\n",
         "Codice Regione|Denominazione\n(Italiana e straniera)|Flag\ncapoluogo|Popolazione",
         ["01|Agliè|0|2.601", "01|Forlì|1|117.913", "02|Valle d'Aosta/Vallée d'Aoste|1|1.234"],
         label="", encoding="cp1252", said=["windows-1252", SEMICOLON]),
    Case("a group above years that fall, semicolons at the end",
         "Población por provincias y sexo\nUnidades: Personas\n\n ;Total; ; ;\n"
         " ;2021;2020;2019;\nTotal Nacional;47.385.107;47.450.795;47.026.208;\n"
         "02 Albacete;386.464;388.270;388.167;\n"
         "03 Alicante/Alacant;1.881.762;1.879.888;1.858.683;\n"
         "04 Almería;731.792;727.945;716.820;\n\nNotas: \n1.- Datos definitivos\n"
         "Fuente: Instituto Nacional de Estadística\n",
         "1|Total 2021|Total 2020|Total 2019",
         ["Total Nacional|47.385.107|47.450.795|47.026.208",
          "02 Albacete|386.464|388.270|388.167",
          "03 Alicante/Alacant|1.881.762|1.879.888|1.858.683",
          "04 Almería|731.792|727.945|716.820"],
         label="", encoding="latin-1", said=[SEMICOLON, ABOVE, HEADER_2, ONE_FIELD]),
    Case("units below the names, a source below the rows",
         '"Bevolking; geslacht, leeftijd"\n\n'
         '"Perioden";"Totale bevolking";"Mannen";"Vrouwen"\n"";"aantal";"aantal";"aantal"\n'
         '"2018";"17181084";"8527041";"8654043"\n"2019";"17282163";"8581086";"8701077"\n'
         '"2020";"17407585";"8648031";"8759554"\n"Bron: CBS"\n',
         "Perioden|Totale bevolking|Mannen|Vrouwen",
         ["2018|17181084|8527041|8654043", "2019|17282163|8581086|8701077",
          "2020|17407585|8648031|8759554"],
         label="", said=[SEMICOLON, ABOVE, HEADER_2, ONE_FIELD]),
    Case("a title with commas",
         '"05803: Endringer i befolkningen, etter år og statistikkvariabel"\n\n'
         '"år";"Befolkning 1. januar";"Fødte i alt"\n"2018";5295619;55120\n'
         '"2019";5328212;54495\n"2020";5367580;52979\n',
         "år|Befolkning 1. januar|Fødte i alt",
         ["2018|5295619|55120", "2019|5328212|54495", "2020|5367580|52979"],
         label="", encoding="latin-1", said=[SEMICOLON, "2 lines " + ABOVE]),
    Case("apostrophes in numbers",
         "Kanton;Jahr;Bevölkerung;Anteil\nZürich;2019;1'539'275;17,9\n"
         "Bern;2019;1'039'474;12,1\nUri;2019;36'703;0,4\n",
         "Kanton|Jahr|Bevölkerung|Anteil",
         ["Zürich|2019|1'539'275|17,9", "Bern|2019|1'039'474|12,1", "Uri|2019|36'703|0,4"],
         label="", encoding="cp1252", said=[SEMICOLON]),
    Case("money with commas",
         '"CÓDIGO ÓRGÃO";"NOME ÓRGÃO";"ANO E MÊS";"VALOR"\n'
         '"26000";"Ministério da Educação";"01/2021";"R$ 1.234,56"\n'
         '"25000";"Ministério da Economia";"01/2021";"R$ 99.234,00"\n'
         '"36000";"Ministério da Saúde";"02/2021";"R$ 4,56"\n',
         "CÓDIGO ÓRGÃO|NOME ÓRGÃO|ANO E MÊS|VALOR",
         ["26000|Ministério da Educação|01/2021|R$ 1.234,56",
          "25000|Ministério da Economia|01/2021|R$ 99.234,00",
          "36000|Ministério da Saúde|02/2021|R$ 4,56"],
         label="", encoding="latin-1", said=[SEMICOLON]),
    Case("a row of totals",
         "Sl. No.,State/UT,Cases - 2018,Cases - 2019,Rate - 2019\n"
         '1,Andhra Pradesh,"16,438","17,746",67.9\n2,Arunachal Pradesh,368,317,43.3\n'
         '3,Assam,"27,687","30,025",177.8\n'
         'Total State(s),Total State(s),"44,493","48,088",62.4\n',
         "Sl. No.|State/UT|Cases - 2018|Cases - 2019|Rate - 2019",
         ["1|Andhra Pradesh|16,438|17,746|67.9", "2|Arunachal Pradesh|368|317|43.3",
          "3|Assam|27,687|30,025|177.8", "Total State(s)|Total State(s)|44,493|48,088|62.4"],
         label=""),
    Case("names and values above in Japanese",
         '\ufeff"統計名：","国勢調査 令和2年国勢調査"\n"表番号：","1-1-1"\n"単位：","人"\n\n'
         '"地域コード","地域","男女","2015年","2020年"\n"00000","全国","総数","127,094,745","126,146,099"\n'
         '"01000","北海道","総数","5,381,733","5,224,614"\n'
         '"02000","青森県","総数","1,308,265","1,237,984"\n',
         "地域コード|地域|男女|2015年|2020年",
         ["00000|全国|総数|127,094,745|126,146,099", "01000|北海道|総数|5,381,733|5,224,614",
          "02000|青森県|総数|1,308,265|1,237,984"],
         label="", said=["4 lines " + ABOVE]),
    Case("remarks with commas in quotes",
         "Entidad federativa,Total,Hombres,Mujeres\nAguascalientes,1425607,696683,728924\n"
         "Baja California,3769020,1900589,1868431\nMéxico,16992418,8251295,8741123\n\n"
         '"Nota: Población a mitad de año, en miles"\n'
         '"Fuente: INEGI. Censo de Población, 2020"\n',
         "Entidad federativa|Total|Hombres|Mujeres",
         ["Aguascalientes|1425607|696683|728924", "Baja California|3769020|1900589|1868431",
          "México|16992418|8251295|8741123"],
         label="", encoding="latin-1", said=["windows-1252", ONE_FIELD]),
    Case("names in words below codes, one column of numbers",
         "GEO_ID,NAME,DP05_0001E\n"
         "id,Geographic Area Name,Estimate!!SEX AND AGE!!Total population\n"
         '0500000US01001,"Autauga County, Alabama",55200\n'
         '0500000US01003,"Baldwin County, Alabama",208107\n'
         '0500000US01005,"Barbour County, Alabama",25782\n'
         '0500000US01007,"Bibb County, Alabama",22527\n',
         "GEO_ID|NAME|DP05_0001E",
         ["0500000US01001|Autauga County, Alabama|55200",
          "0500000US01003|Baldwin County, Alabama|208107",
          "0500000US01005|Barbour County, Alabama|25782",
          "0500000US01007|Bibb County, Alabama|22527"],
         label="", said=[HEADER_2]),
    Case("names and values above, more than rows",
         "Consumer Price Index for All Urban Consumers (CPI-U)\nOriginal Data Value\n\n"
         "Series Id:,CUUR0000SA0\nNot Seasonally Adjusted\n"
         'Series Title:,"All items in U.S. city average, all urban consumers"\n'
         "Area:,U.S. city average\nItem:,All items\nBase Period:,1982-84=100\n"
         "Years:,2019 to 2021\n\nYear,Jan,Feb,Mar,Annual\n"
         "2019,251.712,252.776,254.202,255.657\n2020,257.971,258.678,258.115,258.811\n"
         "2021,261.582,263.014,264.877,\n",
         "Year|Jan|Feb|Mar|Annual",
         ["2019|251.712|252.776|254.202|255.657", "2020|257.971|258.678|258.115|258.811",
          "2021|261.582|263.014|264.877|"],
         label="", said=["11 lines " + ABOVE]),
    Case("names padded with blanks",
         "series_id                     \tyear\tperiod\t       value\tfootnote_codes\n"
         "CES0000000001                 \t1939\tM01\t       29923\t\n"
         "CES0000000001                 \t1939\tM02\t       30100\t\n"
         "CES0000000001                 \t1939\tM03\t       30280\tP\n",
         "series_id                     |year|period|value|footnote_codes",
         ["CES0000000001                 |1939|M01|29923|",
          "CES0000000001                 |1939|M02|30100|",
          "CES0000000001                 |1939|M03|30280|P"],
         label="", file="t.tsv", said=["blanks after the delimiter"]),
    Case("units in a shorter line, between blanks",
         "Heathrow (London Airport)\n"
         "Location 507800E 176700N, Lat 51.479 Lon -0.449, 25m amsl\n"
         "Estimated data is marked with a * after the value.\n"
         "Missing data (more than 2 days missing in month) is marked by  ---.\n"
         "Sunshine data taken from an automatic Kipp & Zonen sensor marked with a #, otherwise"
         " sunshine data taken from a Campbell Stokes recorder.\n"
         "   yyyy  mm   tmax    tmin      af    rain     sun\n"
         "              degC    degC    days      mm   hours\n"
         "   1948   1    8.9     3.3    ---    85.0     ---\n"
         "   1948   2    7.9     2.2    ---    26.0     ---\n"
         "   1948   3   14.2     3.8    ---    14.0     ---\n"
         "   1948   4   15.4     5.1    ---    35.0     ---\n"
         "   1948   5   18.1     6.9    ---    57.0     ---\n"
         "   1948   6   19.1    10.3    ---    67.0     ---\n"
         "   1948   7   21.7    12.0    ---    21.0     ---\n"
         "   1948   8   20.8    11.7    ---    67.0     ---\n",
         "yyyy|mm|tmax|tmin|af|rain|sun",
         ["1948|1|8.9|3.3|---|85.0|---", "1948|2|7.9|2.2|---|26.0|---",
          "1948|3|14.2|3.8|---|14.0|---", "1948|4|15.4|5.1|---|35.0|---",
          "1948|5|18.1|6.9|---|57.0|---", "1948|6|19.1|10.3|---|67.0|---",
          "1948|7|21.7|12.0|---|21.0|---", "1948|8|20.8|11.7|---|67.0|---"],
         label="", said=[BLANKS, "5 lines " + ABOVE, "1 line " + BETWEEN]),
    Case("an explanation above, a name twice",
         "Station Name: DUBLIN AIRPORT\nStation Height: 71 M \n"
         "Latitude:53.428  ,Longitude: -6.241\n\n\ndate:  -  00 to 00 utc\n"
         "rain:  -  Precipitation Amount (mm)\t  \nmaxtp: -  Maximum Air Temperature (C)\n"
         "ind:   -  Indicator\n\ndate,ind,maxtp,ind,mintp,rain\n01-jan-1942,0,9.7,0,6.8,0.0\n"
         "02-jan-1942,0,9.9,0,7.9,0.1\n03-jan-1942,0,11.2,0,8.9,1.5\n"
         "04-jan-1942,0,9.2,0,2.7,3.5\n",
         "date|ind|maxtp|ind.2|mintp|rain",
         ["01-jan-1942|0|9.7|0|6.8|0.0", "02-jan-1942|0|9.9|0|7.9|0.1",
          "03-jan-1942|0|11.2|0|8.9|1.5", "04-jan-1942|0|9.2|0|2.7|3.5"],
         label="", said=[ABOVE, "a second column 'ind'"]),
    Case("a legend above the table",
         '"Station Name","OTTAWA CDA"\n"Province","ONTARIO"\n"Latitude","45.38"\n'
         '"Longitude","-75.72"\n"Elevation","79.20"\n"Climate Identifier","6105976"\n\n'
         '"Legend"\n"A","Accumulated"\n"E","Estimated"\n"M","Missing"\n"T","Trace"\n\n'
         '"Date/Time","Year","Month","Day","Max Temp (°C)","Max Temp Flag"\n'
         '"2012-01-01","2012","01","01","4.0",""\n"2012-01-02","2012","01","02","2.5","E"\n'
         '"2012-01-03","2012","01","03","-9.5",""\n"2012-01-04","2012","01","04","-6.0",""\n',
         "Date/Time|Year|Month|Day|Max Temp (°C)|Max Temp Flag",
         ["2012-01-01|2012|01|01|4.0|", "2012-01-02|2012|01|02|2.5|E",
          "2012-01-03|2012|01|03|-9.5|", "2012-01-04|2012|01|04|-6.0|"],
         label="", encoding="latin-1", said=["13 lines " + ABOVE]),
    Case("rows that begin with an empty field, below titles",
         '"Daily Weather Observations for Sydney, New South Wales for January 2021"\n'
         '"Prepared at 13:00 UTC on Sunday 31 January 2021 IDCJDW2124.202101"\n'
         '"Copyright 2003 Commonwealth Bureau of Meteorology"\n'
         '"Observations were drawn from Sydney (Observatory Hill) {station 066214}"\n\n'
         ',"Date","Minimum temperature (°C)","Maximum temperature (°C)","Direction of maximum '
         'wind gust ","9am MSL pressure (hPa)"\n,2021-01-1,19.6,25.3,S,1013.7\n'
         ",2021-01-2,19.3,24.8,SSE,1014.3\n,2021-01-3,18.5,22.5,NE,1015.1\n"
         ",2021-01-4,18.0,24.1,,1014.0\n",
         "1|Date|Minimum temperature (°C)|Maximum temperature (°C)|Direction of maximum wind g"
         "ust |9am MSL pressure (hPa)",
         ["|2021-01-1|19.6|25.3|S|1013.7", "|2021-01-2|19.3|24.8|SSE|1014.3",
          "|2021-01-3|18.5|22.5|NE|1015.1", "|2021-01-4|18.0|24.1||1014.0"],
         label="", encoding="cp1252", said=[ABOVE]),
    Case("titles above, footnotes below",
         "Theme: Population\nSubject: Population\nTopic: Indicators On Population\n"
         "Table Title: M810001 - Indicators On Population (End June)\n\n"
         "Data last updated: 28/09/2020\n\n Variables ,2018,2019,2020\n"
         ' Total Population (Number) ,"5,638,676","5,703,569","5,685,807"\n'
         ' Resident Population (Number) ,"3,994,283","4,026,209","4,044,210"\n'
         " Total Population Growth (Per Cent) ,0.5,1.2,-0.3\n"
         " Sex Ratio (Males Per Thousand Females) ,960,957,957\n\nFootnotes:\n"
         "Total population comprises Singapore residents and non-residents.\n"
         '"Source: SINGAPORE DEPARTMENT OF STATISTICS, 2020"\n'
         "Generated by: SingStat Table Builder\n",
         " Variables |2018|2019|2020",
         [" Total Population (Number) |5,638,676|5,703,569|5,685,807",
          " Resident Population (Number) |3,994,283|4,026,209|4,044,210",
          " Total Population Growth (Per Cent) |0.5|1.2|-0.3",
          " Sex Ratio (Males Per Thousand Females) |960|957|957"],
         label="", said=[ABOVE, ONE_FIELD]),
    Case("semicolons in quoted names",
         '"Kod";"Nazwa";"ogółem;2018;[osoba]";"ogółem;2019;[osoba]";\n'
         '"0000000";"POLSKA";"38411148";"38382576";\n'
         '"0200000";"DOLNOŚLĄSKIE";"2901225";"2900163";\n'
         '"0400000";"KUJAWSKO-POMORSKIE";"2077775";"2072373";\n',
         "Kod|Nazwa|ogółem;2018;[osoba]|ogółem;2019;[osoba]",
         ["0000000|POLSKA|38411148|38382576", "0200000|DOLNOŚLĄSKIE|2901225|2900163",
          "0400000|KUJAWSKO-POMORSKIE|2077775|2072373"],
         label="", said=[SEMICOLON]),
    Case("a title with a comma, blanks between thousands",
         "22.1.1.1. A népesség, népmozgalom főbb mutatói;;;\n"
         "Év;Népesség;Élveszületés;Termékenységi arány\n2018;9 778 371;93 467;1,55\n"
         "2019;9 772 756;93 100;1,55\n2020;9 769 526;92 338;1,59\n",
         "Év|Népesség|Élveszületés|Termékenységi arány",
         ["2018|9 778 371|93 467|1,55", "2019|9 772 756|93 100|1,55",
          "2020|9 769 526|92 338|1,59"],
         label="", encoding="cp1250", said=[SEMICOLON, ABOVE]),
    Case("a title in two fields, a column without a name",
         'T02,"Population, surface area and density",,,,,\n'
         "Region/Country/Area,,Year,Series,Value,Footnotes,Source\n"
         '1,"Total, all countries or areas",2010,Population mid-year estimates (millions),"6,9'
         '56.82",,"United Nations Population Division, New York."\n'
         '1,"Total, all countries or areas",2015,Population mid-year estimates (millions),"7,3'
         '79.80",,"United Nations Population Division, New York."\n'
         '2,Africa,2010,Population mid-year estimates (millions),"1,039.30","Including Agalega'
         ', Rodrigues.","United Nations Population Division, New York."\n'
         '2,Africa,2015,Surface area (thousand km2),"29,648",,"United Nations Statistics Divis'
         'ion, New York."\n',
         "Region/Country/Area|2|Year|Series|Value|Footnotes|Source",
         [
          "1|Total, all countries or areas|2010|Population mid-year estimates (millions)|6,956."
          "82||United Nations Population Division, New York.",
          "1|Total, all countries or areas|2015|Population mid-year estimates (millions)|7,379."
          "80||United Nations Population Division, New York.",
          "2|Africa|2010|Population mid-year estimates (millions)|1,039.30|Including Agalega, R"
          "odrigues.|United Nations Population Division, New York.",
          "2|Africa|2015|Surface area (thousand km2)|29,648||United Nations Statistics Division"
          ", New York."],
         label="", encoding="latin-1", said=["1 line " + ABOVE]),
    Case("footnotes right below the rows",
         '"Country or Area","Year","Variant","Value","Value Footnotes"\n'
         '"Albania","2019","Medium","2880.917","1"\n"Algeria","2019","Medium","43053.054",""\n'
         '"Angola","2019","Medium","31825.295","1,2"\n"Chad","2019","Medium","15946.876",""\n'
         '"footnoteSeqID","Footnote"\n"1","Provisional data."\n'
         '"2","Excluding nomads, and others."\n',
         "Country or Area|Year|Variant|Value|Value Footnotes",
         ["Albania|2019|Medium|2880.917|1", "Algeria|2019|Medium|43053.054|",
          "Angola|2019|Medium|31825.295|1,2", "Chad|2019|Medium|15946.876|"],
         label="", said=["3 short lines"]),
    Case("a remark with commas below tabs",
         "ISO\tCountry\tSubject Descriptor\tUnits\t2019\t2020\n"
         "AFG\tAfghanistan\tGross domestic product, constant prices\tPercent change\t3.914\t-5"
         ".042\n"
         "ALB\tAlbania\tGross domestic product, constant prices\tPercent change\t2.24\t-3.495"
         "\nDZA\tAlgeria\tGross domestic product, constant prices\tPercent change\t0.8\t--\n\n"
         "International Monetary Fund, World Economic Outlook Database, April 2021\n",
         "ISO|Country|Subject Descriptor|Units|2019|2020",
         ["AFG|Afghanistan|Gross domestic product, constant prices|Percent change|3.914|-5.042",
          "ALB|Albania|Gross domestic product, constant prices|Percent change|2.24|-3.495",
          "DZA|Algeria|Gross domestic product, constant prices|Percent change|0.8|--"],
         label="", encoding="utf-16", said=["UTF-16", TABS, ONE_FIELD]),
    Case("a category above",
         "Category: All categories\n\n"
         "Week,bitcoin: (United States),ethereum: (United States)\n2020-01-05,12,<1\n"
         "2020-01-12,15,1\n2020-01-19,13,<1\n",
         "Week|bitcoin: (United States)|ethereum: (United States)",
         ["2020-01-05|12|<1", "2020-01-12|15|1", "2020-01-19|13|<1"],
         label="", said=["2 lines " + ABOVE]),
    Case("a category above two columns",
         "Category: All categories\n\nWeek,bitcoin: (United States)\n2020-01-05,12\n"
         "2020-01-12,15\n2020-01-19,<1\n2020-01-26,9\n",
         "Week|bitcoin: (United States)",
         ["2020-01-05|12", "2020-01-12|15", "2020-01-19|<1", "2020-01-26|9"],
         label="", said=["2 lines " + ABOVE]),
    Case("Cyrillic letters, commas in names",
         "Регион;Год;Население, чел.;Прирост, %\nМосква;2019;12615279;0,5\n"
         "Тверь;2019;420065;-0,1\nОмск;2019;1164815;-0,4\n",
         "Регион|Год|Население, чел.|Прирост, %",
         ["Москва|2019|12615279|0,5", "Тверь|2019|420065|-0,1", "Омск|2019|1164815|-0,4"],
         label="", encoding="cp1251", said=["windows-1251", SEMICOLON]),
    Case("titles of one field and as wide, totals",
         "City of Springfield\nAdopted Budget FY2021,,,\nRun date: 07/01/2020,,,\n,,,\n"
         'Fund,Department,Account,Amount\n100,Police,Salaries,"$1,200,345"\n'
         '100,Police,Overtime,"$234,500"\n100,Fire,Salaries,"$980,100"\n'
         '200,Parks,Supplies,"($1,200)"\n,,Total,"$2,413,745"\n',
         "Fund|Department|Account|Amount",
         ["100|Police|Salaries|$1,200,345", "100|Police|Overtime|$234,500",
          "100|Fire|Salaries|$980,100", "200|Parks|Supplies|($1,200)", "||Total|$2,413,745"],
         label="", said=[ABOVE]),
    Case("names and values above groups",
         "Title:,Monthly A&E Attendances,,,,,\nSummary:,Provider level,,,,,\n"
         "Period:,March 2021,,,,,\n,,,,,,\n,,A&E attendances,,,Emergency admissions,\n"
         "Code,Name,Type 1,Type 2,Type 3,Via A&E,Other\n"
         'RQM,Chelsea,"18,023",0,"6,100","4,300",512\n'
         "RJ1,Guy's,\"12,100\",\"1,000\",0,\"2,100\",800\n"
         "RJ7,St George's,\"13,456\",0,321,\"3,000\",-\n",
         "Code|Name|A&E attendances Type 1|A&E attendances Type 2|A&E attendances Type 3|Emerg"
         "ency admissions Via A&E|Emergency admissions Other",
         ["RQM|Chelsea|18,023|0|6,100|4,300|512", "RJ1|Guy's|12,100|1,000|0|2,100|800",
          "RJ7|St George's|13,456|0|321|3,000|-"],
         label="", said=[ABOVE, HEADER_2]),
    Case("a list of one series, names above the rows",
         "Data Source in SDW: null\n,EXR.D.USD.EUR.SP00.A\n"
         ',"ECB reference exchange rate, US dollar/Euro, 2:15 pm (C.E.T.)"\n'
         "Collection:,Average of observations through period (A)\nPeriod\\Unit:,[US dollar ]\n"
         "2021-03-01,1.2053\n2021-02-26,1.2121\n2021-02-25,1.2225\n2021-02-24,-\n",
         "Period\\Unit:|[US dollar ]",
         ["2021-03-01|1.2053", "2021-02-26|1.2121", "2021-02-25|1.2225", "2021-02-24|-"],
         label="", said=["4 lines " + ABOVE]),
    Case("lists of series, names above the rows",
         "Data Source in SDW: null\n,EXR.D.USD.EUR.SP00.A,EXR.D.JPY.EUR.SP00.A\n"
         ',"ECB reference exchange rate, US dollar","ECB reference exchange rate, Yen"\n'
         "Collection:,Average (A),Average (A)\nPeriod\\Unit:,[US dollar ],[Japanese yen ]\n"
         "2021-03-01,1.2053,128.53\n2021-02-26,1.2121,128.83\n2021-02-25,1.2225,129.61\n",
         "Period\\Unit:|[US dollar ]|[Japanese yen ]",
         ["2021-03-01|1.2053|128.53", "2021-02-26|1.2121|128.83", "2021-02-25|1.2225|129.61"],
         label="", said=["4 lines " + ABOVE]),
    Case("a logger: names, units and processing below a longer line",
         '"TOA5","Tower","CR1000","12345","CR1000.Std.27","CPU:tower.CR1","54321","Met"\n'
         '"TIMESTAMP","RECORD","AirTC_Avg","RH","Rain_mm_Tot"\n"TS","RN","Deg C","%","mm"\n'
         '"","","Avg","Smp","Tot"\n"2021-01-01 00:00:00",0,12.51,80.1,0\n'
         '"2021-01-01 00:10:00",1,12.48,80.6,0.2\n"2021-01-01 00:20:00",2,"NAN",81.2,0\n'
         '"2021-01-01 00:30:00",3,12.3,81.9,0\n',
         "TIMESTAMP|RECORD|AirTC_Avg|RH|Rain_mm_Tot",
         ["2021-01-01 00:00:00|0|12.51|80.1|0", "2021-01-01 00:10:00|1|12.48|80.6|0.2",
          "2021-01-01 00:20:00|2|NAN|81.2|0", "2021-01-01 00:30:00|3|12.3|81.9|0"],
         label="", said=["1 line " + ABOVE, "3 lines are read as the header"]),
    Case("a logger: a shorter line above",
         '"TOA5","Tower","CR1000","12345","CR1000.Std.27","CPU:tower.CR1","54321","Met"\n'
         '"TIMESTAMP","RECORD","a","b","c","d","e","f","g","h"\n'
         '"TS","RN","V","V","C","C","%","%","mm","W/m^2"\n'
         '"","","Avg","Min","Avg","Min","Smp","Max","Tot","Avg"\n'
         '"2021-01-01 00:00:00",0,12.5,12.1,1,2,80.1,80.3,0,1\n'
         '"2021-01-01 00:10:00",1,12.5,12.1,1,2,80.1,80.3,0,1\n'
         '"2021-01-01 00:20:00",2,12.5,12.1,1,2,80.1,80.3,0,1\n',
         "TIMESTAMP|RECORD|a|b|c|d|e|f|g|h",
         ["2021-01-01 00:00:00|0|12.5|12.1|1|2|80.1|80.3|0|1",
          "2021-01-01 00:10:00|1|12.5|12.1|1|2|80.1|80.3|0|1",
          "2021-01-01 00:20:00|2|12.5|12.1|1|2|80.1|80.3|0|1"],
         label="", said=["1 line " + ABOVE, "3 lines are read as the header"]),
    Case("a drawn table",
         " id | name       | size \n----+------------+------\n  1 | Ulm        |  1.5\n"
         "  2 | Bad Honnef | 22.5\n 13 | Köln       |    3\n(3 rows)\n\n",
         "id|name|size",
         ["1|Ulm|1.5", "2|Bad Honnef|22.5", "13|Köln|3"],
         label="", said=["separated by '|'", "blanks around", ONE_FIELD]),
    Case("a drawn table of two columns",
         " name  | size \n-------+------\n Ulm   |  1.5\n Bonn  | 22.5\n Köln  |    3\n"
         "(3 rows)\n",
         "name|size",
         ["Ulm|1.5", "Bonn|22.5", "Köln|3"],
         label="", said=["separated by '|'", "blanks around", ONE_FIELD]),
    Case("a drawn table, texts last",
         " size | name  \n------+-------\n  1.5 | Ulm\n 22.5 | Bonn\n    3 | Köln am Rhein\n"
         "(3 rows)\n",
         "size|name",
         ["1.5|Ulm", "22.5|Bonn", "3|Köln am Rhein"],
         label="", said=["separated by '|'", "blanks around"]),
    Case("a table in bars",
         "| name | size | town |\n|------|-----:|:----:|\n| a | 1 | Ulm |\n| b | 22 | Bonn |\n"
         "| c | 3 | Köln |\n",
         "1|name|size|town",
         ["|a|1|Ulm", "|b|22|Bonn", "|c|3|Köln"],
         label="", said=["separated by '|'", "blanks around"]),
    Case("a table in bars, aligned",
         "| name  | size | town |\n| ----- | ---- | ---- |\n| a     |    1 | Ulm  |\n"
         "| bbbbb |   22 | Bonn |\n| c     |    3 | Köln |\n",
         "1|name|size|town",
         ["|a|1|Ulm", "|bbbbb|22|Bonn", "|c|3|Köln"],
         label="", said=["separated by '|'", "blanks around"]),
    Case("a table between bars",
         "name | size | town\n---|---|---\na | 1 | Ulm\nb | 22 | Bonn\nc | 3 | Köln\n",
         "name|size|town",
         ["a|1|Ulm", "b|22|Bonn", "c|3|Köln"],
         label="", said=["separated by '|'", "blanks around", HEADER_2]),
    Case("a table in a frame",
         "+----+-------+------+\n| id | name  | size |\n+----+-------+------+\n"
         "|  1 | Ulm   |  1.5 |\n|  2 | Bonn  | 22.5 |\n|  3 | Köln  |  3.0 |\n"
         "+----+-------+------+\n3 rows in set (0.00 sec)\n",
         "1|id|name|size",
         ["|1|Ulm|1.5", "|2|Bonn|22.5", "|3|Köln|3.0"],
         label="", said=["separated by '|'", "blanks around", ABOVE, ONE_FIELD]),
    Case("a word in quotes begins a text",
         'id\tname\tsize\n1\t"Old" Mill\t5\n2\tNew Mill\t6\n3\tTown Hall\t7\n',
         "id|name|size",
         ['1|"Old" Mill|5', "2|New Mill|6", "3|Town Hall|7"],
         label="", file="t.tsv", said=[QUOTES]),
    Case("words in quotes begin texts",
         'id\tname\tsize\n1\t"Old" Mill\t5\n2\t"New" Mill\t6\n3\tTown Hall\t7\n'
         '4\tThe "Inn"\t8\n',
         "id|name|size",
         ['1|"Old" Mill|5', '2|"New" Mill|6', "3|Town Hall|7", '4|The "Inn"|8'],
         label="", file="t.tsv", said=[QUOTES]),
    Case("a second header that repeats a name",
         "Region,Value\nName of region,Number of persons\nNorth,100\nSouth,200\nWest,300\n"
         "East,120\n",
         "Region|Value",
         ["North|100", "South|200", "West|300", "East|120"],
         label="", said=[HEADER_2]),
    Case("words below names in capitals, one column of numbers",
         "REF_AREA;OBS_VALUE\nReference area;Observation value\nDE;1,5\nFR;2,5\nIT;3,1\n"
         "ES;2,2\n",
         "REF_AREA|OBS_VALUE",
         ["DE|1,5", "FR|2,5", "IT|3,1", "ES|2,2"],
         label="", said=[SEMICOLON, HEADER_2]),
    Case("a unit below the name of one column",
         "Land;Wert\nName;EUR\nBayern;1\nHessen;2\nBerlin;3\n",
         "Land|Wert",
         ["Bayern|1", "Hessen|2", "Berlin|3"],
         label="", said=[SEMICOLON, HEADER_2]),
    Case("the names again in small letters",
         "region,value\nRegion,Value\nNorth,100\nSouth,200\nWest,300\nEast,120\n",
         "region|value",
         ["North|100", "South|200", "West|300", "East|120"],
         label="", said=[HEADER_2]),
    Case("footnotes of two fields",
         "Region;Wert;Flag\nBayern;1,5;\nHessen;2,5;a\nBerlin;3;b\nFußnoten:\na;vorläufig\n"
         "b;geschätzt, zum Teil\n",
         "Region|Wert|Flag",
         ["Bayern|1,5|", "Hessen|2,5|a", "Berlin|3|b"],
         label="", said=[SEMICOLON, ONE_FIELD, "2 short lines"]),
    # ---- two tables: read as one, and said
    Case("two tables of the same width",
         "town,size,year\nUlm,1,2001\nBonn,2,2002\nKiel,3,2003\n\nriver,length,basin\n"
         "Rhine,1230,185\nElbe,1094,148\n", "town|size|year",
         ["Ulm|1|2001", "Bonn|2|2002", "Kiel|3|2003", "river|length|basin", "Rhine|1230|185",
          "Elbe|1094|148"], said=["line 6, below an empty one", OTHER]),
    Case("a legend as wide as the table",
         "Region,Wert,Flag\nBayern,1.5,\nHessen,2.5,a\nBerlin,3,b\n,,\na,provisional,\n"
         "b,estimated,\n", "Region|Wert|Flag",
         ["Bayern|1.5|", "Hessen|2.5|a", "Berlin|3|b", "a|provisional|", "b|estimated|"],
         said=[OTHER, "1 row without a label"]),
    Case("an empty line between rows of numbers",
         "town,size,year\nUlm,1,2001\nBonn,2,2002\nKiel,3,2003\n\nJena,unknown,2001\n",
         "town|size|year", ["Ulm|1|2001", "Bonn|2|2002", "Kiel|3|2003", "Jena|unknown|2001"]),
]

# Tables of other widths below the first, or above it: the file and a word of the refusal.
STOPS = [
    ("town,size,year\nUlm,1,2001\nBonn,2,2002\nKiel,3,2003\n\nriver,length\nRhine,1230\n"
     "Elbe,1094\n", "found 2 fields, expected 3"),
    ("town,size,year\nUlm,1,2001\nBonn,2,2002\nKiel,3,2003\n\nriver,length,a,b\nRhine,1230,1,2\n"
     "Elbe,1094,2,3\n", "found more than 3 fields"),
]
