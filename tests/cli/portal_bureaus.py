"""Imitations of what bureaus of statistics, of weather and of the environment publish.

The form is that of portal_cases.py. They were written before they were read for the first time.
"""
from portal_cases import ABOVE, Case, HEADER_2, ONE_FIELD, SEMICOLON

BETWEEN = "between the names and the rows"

BUREAUS = [
    Case("names and values below the names of series",
         '"Libellé";"Indice des prix à la consommation - Base 2015 - Ensemble";"Codes"\n'
         '"idBank";"001759970";""\n"Dernière mise à jour";"12/03/2021 08:45";""\n'
         '"Période";"";""\n"2020-09";"104.22";"A"\n"2020-10";"104.22";"A"\n'
         '"2020-11";"104.41";"A"\n"2020-12";"104.63";"A"\n"2021-01";"104.83";"P"\n'
         '"2021-02";"104.80";"P"\n',
         "Libellé|Indice des prix à la consommation - Base 2015 - Ensemble|Codes",
         ["2020-09|104.22|A",
          "2020-10|104.22|A",
          "2020-11|104.41|A",
          "2020-12|104.63|A",
          "2021-01|104.83|P",
          "2021-02|104.80|P"],
         label="", said=[SEMICOLON, "3 lines " + BETWEEN]),
    Case("months below a list of series",
         ",Employed total ;  Persons ;,Unemployed total ;  Persons ;,Unemployment rate ;  Perso"
         "ns ;\nUnit,000,000,Percent\nSeries Type,Trend,Trend,Trend\n"
         "Data Type,STOCK,STOCK,PERCENT\nFrequency,Month,Month,Month\nCollection Month,1,1,1\n"
         "Series Start,Feb-1978,Feb-1978,Feb-1978\nSeries End,Jan-2021,Jan-2021,Jan-2021\n"
         "No. Obs,516,516,516\nSeries ID,A84423127L,A84423130A,A84423134K\n"
         "Feb-1978,5985.7,425.8,6.6\nMar-1978,5991.3,424.6,6.6\nApr-1978,5998.1,423.5,6.6\n"
         "May-1978,6004.9,422.6,6.6\nJun-1978,6010.0,422.9,6.6\n",
         "Series ID|A84423127L|A84423130A|A84423134K",
         ["Feb-1978|5985.7|425.8|6.6",
          "Mar-1978|5991.3|424.6|6.6",
          "Apr-1978|5998.1|423.5|6.6",
          "May-1978|6004.9|422.6|6.6",
          "Jun-1978|6010.0|422.9|6.6"],
         label="", said=["9 lines " + ABOVE]),
    Case("months in a second column, units below the names",
         "Verbraucherpreisindex: Deutschland, Monate\nVerbraucherpreisindex für Deutschland\n"
         "Deutschland\n;;Verbraucherpreisindex;Veränderung zum Vorjahresmonat\n"
         ";;2015=100;in (%)\n2020;Januar;105,2;+1,7\n2020;Februar;105,6;+1,7\n"
         "2020;März;105,7;+1,4\n2020;April;106,1;+0,9\n__________\nVeränderungsraten:\n"
         "vorläufig.\n__________\n"
         "© Statistisches Bundesamt (Destatis), 2021 | Stand: 08.03.2021 / 14:02:11\n",
         "1|2|Verbraucherpreisindex 2015=100|Veränderung zum Vorjahresmonat in (%)",
         ["2020|Januar|105,2|+1,7",
          "2020|Februar|105,6|+1,7",
          "2020|März|105,7|+1,4",
          "2020|April|106,1|+0,9"],
         label="", encoding="latin-1", said=["windows-1252", SEMICOLON, "3 lines " + ABOVE,
         HEADER_2, ONE_FIELD]),
    Case("quarters below years",
         "Region,2019,,,,2020,,,\n,Q1,Q2,Q3,Q4,Q1,Q2,Q3,Q4\n"
         "North East,120,130,125,128,119,90,110,117\nNorth West,220,230,225,228,219,190,210,217\n"
         "London,520,530,525,528,519,490,510,517\n",
         "Region|2019 Q1|2019 Q2|2019 Q3|2019 Q4|2020 Q1|2020 Q2|2020 Q3|2020 Q4",
         ["North East|120|130|125|128|119|90|110|117",
          "North West|220|230|225|228|219|190|210|217",
          "London|520|530|525|528|519|490|510|517"],
         label="", said=[HEADER_2]),
    Case("a name in a line of its own, delimiters at the end",
         "SNIRH - SISTEMA NACIONAL DE INFORMAÇÃO DE RECURSOS HÍDRICOS\n\nDATA,\n"
         ",Nível (m),FLAG,Caudal (m3/s),FLAG,\n20/09/2020 00:00,-0.28,,2.13,,\n"
         "20/09/2020 01:00,-0.23,,2.14,,\n20/09/2020 02:00,-0.18,,2.15,,\n"
         "20/09/2020 03:00,-0.13,,2.16,,\n20/09/2020 04:00,-0.08,,2.17,,\n"
         "20/09/2020 05:00,-0.03,,2.18,,\n20/09/2020 06:00,0.02,,2.19,,\n"
         "20/09/2020 07:00,0.07,,2.20,,\n20/09/2020 08:00,0.12,,2.21,,\n"
         "20/09/2020 09:00,0.17,,2.22,,\n20/09/2020 10:00,0.22,,2.23,,\n"
         "20/09/2020 11:00,0.27,,2.24,,\n\n\n"
         "Dados obtidos através do site http://snirh.pt em 22/09/2020 09:40\n",
         "1|Nível (m)|FLAG|Caudal (m3/s)|FLAG.2",
         ["20/09/2020 00:00|-0.28||2.13|",
          "20/09/2020 01:00|-0.23||2.14|",
          "20/09/2020 02:00|-0.18||2.15|",
          "20/09/2020 03:00|-0.13||2.16|",
          "20/09/2020 04:00|-0.08||2.17|",
          "20/09/2020 05:00|-0.03||2.18|",
          "20/09/2020 06:00|0.02||2.19|",
          "20/09/2020 07:00|0.07||2.20|",
          "20/09/2020 08:00|0.12||2.21|",
          "20/09/2020 09:00|0.17||2.22|",
          "20/09/2020 10:00|0.22||2.23|",
          "20/09/2020 11:00|0.27||2.24|"],
         label="", said=["3 lines " + ABOVE, "a second column 'FLAG'", ONE_FIELD]),
    Case("an empty first column, headings in the second",
         ";Produção de Resíduos;;;;;;\n;;;;;;;\n;;;Jan;Fev;Mar;Total (t);\n"
         ";Plástico / Metal (LER 150102);;;;;;\n;2024;Recolha A;15,51 ;15,12 ;14,92 ;45,55 ;\n"
         ";;Recolha B;2,04 ;3,60 ;2,18 ;7,82 ;\n;;Total (t);17,55 ;18,72 ;17,10 ;53,37 ;\n"
         ";Vidro (LER 150107);;;;;;\n;2024;Recolha A;27,54 ;16,04 ;12,15 ;55,73 ;\n"
         ";;Recolha B;0,00 ;0,00 ;0,00 ;0,00 ;\n;;Total (t);27,54 ;16,04 ;12,15 ;55,73 ;\n",
         "1|2|3|Jan|Fev|Mar|Total (t)",
         ["|Plástico / Metal (LER 150102)|||||",
          "|2024|Recolha A|15,51 |15,12 |14,92 |45,55 ",
          "||Recolha B|2,04 |3,60 |2,18 |7,82 ",
          "||Total (t)|17,55 |18,72 |17,10 |53,37 ",
          "|Vidro (LER 150107)|||||",
          "|2024|Recolha A|27,54 |16,04 |12,15 |55,73 ",
          "||Recolha B|0,00 |0,00 |0,00 |0,00 ",
          "||Total (t)|27,54 |16,04 |12,15 |55,73 "],
         label="", encoding="latin-1", said=["windows-1252", SEMICOLON, "2 lines " + ABOVE]),
    Case("signs below names of periods",
         '"annual population survey"\n'
         '"ONS Crown Copyright Reserved [from Nomis on 17 March 2021]"\n\n'
         '"variable:","Unemployment rate - aged 16-64"\n\n'
         '"Area","Jan 2018-Dec 2018",,"Jan 2019-Dec 2019",\n,"%","Conf","%","Conf"\n'
         '"Darlington",5.1,2.2,5.0,2.4\n"Durham",4.5,1.6,5.1,1.8\n"Gateshead",5.8,2.1,"-","-"\n'
         '"Hartlepool",8.1,2.6,7.9,2.7\n\n"- These figures are missing."\n',
         "Area|Jan 2018-Dec 2018 %|Jan 2018-Dec 2018 Conf|Jan 2019-Dec 2019 %|Jan 2019-Dec 2019"
         " Conf",
         ["Darlington|5.1|2.2|5.0|2.4",
          "Durham|4.5|1.6|5.1|1.8",
          "Gateshead|5.8|2.1|-|-",
          "Hartlepool|8.1|2.6|7.9|2.7"],
         label="", said=["5 lines " + ABOVE, HEADER_2, ONE_FIELD]),
    Case("units below padded names",
         "Year, Month, Day,     Extent,    Missing, Source Data\n"
         "YYYY,    MM,  DD, 10^6 sq km, 10^6 sq km, Source data product web site: http://nsidc."
         "org/data/nsidc-0051.html\n"
         "1978,    10,  26,     10.231,      0.000, ['nt_19781026_n07_v1.1_n.bin']\n"
         "1978,    10,  28,     10.420,      0.000, ['nt_19781028_n07_v1.1_n.bin']\n"
         "1978,    10,  30,     10.557,      0.000, ['nt_19781030_n07_v1.1_n.bin']\n"
         "1978,    11,  01,     10.670,      0.000, ['nt_19781101_n07_v1.1_n.bin']\n",
         "Year|Month|Day|Extent|Missing|Source Data",
         ["1978|10|26|10.231|0.000|['nt_19781026_n07_v1.1_n.bin']",
          "1978|10|28|10.420|0.000|['nt_19781028_n07_v1.1_n.bin']",
          "1978|10|30|10.557|0.000|['nt_19781030_n07_v1.1_n.bin']",
          "1978|11|01|10.670|0.000|['nt_19781101_n07_v1.1_n.bin']"],
         label="", said=["blanks after the delimiter", HEADER_2]),
    Case("names that go on in two lines",
         '"------------------------------------------------------------------------------------'
         '-------"\n'
         '" Atmospheric CO2 concentrations (ppm) derived from in situ air measurements         '
         '       "\n'
         '" at Mauna Loa, Observatory, Hawaii: Latitude 19.5°N Longitude 155.6°W Elevation 3397'
         'm      "\n'
         '"------------------------------------------------------------------------------------'
         '-------"\n  Yr, Mn,    Date,      Date,     CO2,seasonally\n'
         "    ,   ,        ,          ,        ,  adjusted\n"
         "    ,   ,   Excel,          ,   [ppm],   [ppm]\n"
         "1958, 03,   21259, 1958.2027,  315.71,  314.44\n"
         "1958, 04,   21290, 1958.2877,  317.45,  315.16\n"
         "1958, 05,   21320, 1958.3699,  317.51,  314.70\n"
         "1958, 06,   21351, 1958.4548,  -99.99,  -99.99\n",
         "Yr|Mn|Date Excel|Date|CO2 [ppm]|seasonally adjusted [ppm]",
         ["1958|03|21259|1958.2027|315.71|314.44",
          "1958|04|21290|1958.2877|317.45|315.16",
          "1958|05|21320|1958.3699|317.51|314.70",
          "1958|06|21351|1958.4548|-99.99|-99.99"],
         label="", said=["4 lines " + ABOVE, "blanks after the delimiter",
         "3 lines are read as the header"]),
    Case("more remarks than rows",
         '"SAGDP1 Gross domestic product (GDP) summary, annual by state"\n'
         '"Bureau of Economic Analysis"\n"State or DC"\n'
         '"GeoFips","GeoName","LineCode","Description","2017","2018","2019"\n'
         '"01000","Alabama",1,"Real GDP (millions) 1/",198053.0,202081.0,205800.0\n'
         '"02000","Alaska",1,"Real GDP (millions) 1/",52844.0,51920.0,(NA)\n'
         '"04000","Arizona",1,"Real GDP (millions) 1/",299000.0,311000.0,321000.0\n'
         '"Legend / Footnotes:"\n"1/ Real GDP is in millions of chained 2012 dollars."\n'
         '"(NA) Not available."\n"Last updated: October 1, 2020-- new statistics for 2019."\n',
         "GeoFips|GeoName|LineCode|Description|2017|2018|2019",
         ["01000|Alabama|1|Real GDP (millions) 1/|198053.0|202081.0|205800.0",
          "02000|Alaska|1|Real GDP (millions) 1/|52844.0|51920.0|(NA)",
          "04000|Arizona|1|Real GDP (millions) 1/|299000.0|311000.0|321000.0"],
         label="", said=["3 lines " + ABOVE, ONE_FIELD]),
    Case("blanks that do not break behind names",
         "Bank Name\xa0,City\xa0,State\xa0,Cert\xa0,Acquiring Institution\xa0,Closing Date\xa0,Fu"
         "nd\nAlmena State Bank,Almena,KS,15426,Equity Bank,23-Oct-20,10538\n"
         '"First City Bank of Florida",Fort Walton Beach,FL,16748,"United Fidelity Bank, fsb",1'
         "6-Oct-20,10537\n"
         'The First State Bank,Barboursville,WV,14361,"MVB Bank, Inc.",3-Apr-20,10536\n',
         "Bank Name\xa0|City\xa0|State\xa0|Cert\xa0|Acquiring Institution\xa0|Closing Date\xa0|Fu"
         "nd",
         ["Almena State Bank|Almena|KS|15426|Equity Bank|23-Oct-20|10538",
          "First City Bank of Florida|Fort Walton Beach|FL|16748|United Fidelity Bank, fsb|16-O"
          "ct-20|10537",
          "The First State Bank|Barboursville|WV|14361|MVB Bank, Inc.|3-Apr-20|10536"],
         label="", encoding="cp1252", said=["windows-1252"]),
    Case("questions and ids below the names",
         '"StartDate","Status","Progress","Q1","Q2"\n'
         '"Start Date","Response Type","Progress","How old are you?","Do you agree, overall?"\n'
         '"{""ImportId"":""startDate""}","{""ImportId"":""status""}","{""ImportId"":""progress"'
         '"}","{""ImportId"":""QID1_TEXT""}","{""ImportId"":""QID2""}"\n'
         '"2020-03-01 10:00:00","0","100","34","Yes"\n"2020-03-01 10:05:00","0","100","41","No"\n'
         '"2020-03-01 11:05:00","0","66","29",""\n"2020-03-02 11:05:00","0","100","55","Yes"\n',
         "StartDate|Status|Progress|Q1|Q2",
         ["2020-03-01 10:00:00|0|100|34|Yes",
          "2020-03-01 10:05:00|0|100|41|No",
          "2020-03-01 11:05:00|0|66|29|",
          "2020-03-02 11:05:00|0|100|55|Yes"],
         label="", said=["3 lines are read as the header"]),
    Case("units of micrograms and cubes",
         "Datum;Uhrzeit;NO2 [µg/m³];PM10 [µg/m³];O3 [µg/m³]\n01.01.2020;01:00;34,1;812,0;-\n"
         "01.01.2020;02:00;30,0;410,5;12,1\n01.01.2020;24:00;28,8;33,0;20,4\n",
         "Datum|Uhrzeit|NO2 [µg/m³]|PM10 [µg/m³]|O3 [µg/m³]",
         ["01.01.2020|01:00|34,1|812,0|-",
          "01.01.2020|02:00|30,0|410,5|12,1",
          "01.01.2020|24:00|28,8|33,0|20,4"],
         label="", encoding="cp1252", said=["windows-1252", SEMICOLON]),
    Case("numbers and dates of weeks, a column without a name",
         "Week number,,1,2,3\nWeek ended,,03-Jan-20,10-Jan-20,17-Jan-20\n"
         '"Total deaths, all ages",,"12,254","14,058","12,990"\n'
         'Total deaths: average,,"12,175","13,822","13,216"\nE12000001,North East,673,707,647\n'
         'E12000002,North West,"1,806","1,932","1,696"\n'
         'E12000003,Yorkshire,"1,240","1,339","1,278"\n',
         "Week number Week ended|2|1 03-Jan-20|2 10-Jan-20|3 17-Jan-20",
         ["Total deaths, all ages||12,254|14,058|12,990",
          "Total deaths: average||12,175|13,822|13,216",
          "E12000001|North East|673|707|647",
          "E12000002|North West|1,806|1,932|1,696",
          "E12000003|Yorkshire|1,240|1,339|1,278"],
         label="", said=[HEADER_2]),
    Case("a source below empty rows",
         "Country Name,Country Code,Series Name,Series Code,2017 [YR2017],2018 [YR2018],2019 [Y"
         'R2019]\nAfghanistan,AFG,"Population, total",SP.POP.TOTL,36296113,37171921,38041754\n'
         'Albania,ALB,"Population, total",SP.POP.TOTL,2873457,2866376,..\n'
         'Algeria,DZA,"Population, total",SP.POP.TOTL,41389189,42228408,43053054\n,,,,,,\n'
         ",,,,,,\n,,,,,,\nData from database: World Development Indicators,,,,,,\n"
         "Last Updated: 02/17/2021,,,,,,\n",
         "Country Name|Country Code|Series Name|Series Code|2017 [YR2017]|2018 [YR2018]|2019 [Y"
         "R2019]",
         ["Afghanistan|AFG|Population, total|SP.POP.TOTL|36296113|37171921|38041754",
          "Albania|ALB|Population, total|SP.POP.TOTL|2873457|2866376|..",
          "Algeria|DZA|Population, total|SP.POP.TOTL|41389189|42228408|43053054",
          "||||||",
          "||||||",
          "||||||"],
         label="", said=["2 remarks in the first field"]),
    Case("codes of columns, some of them numbers, below long names",
         ";ESTATÍSTICA_2024;;;;\nPOPULAÇÃO;;;DADOS;Bibliotecas anexas;Abertura anual (dias)\n"
         "NUT I;NUT II;TOTAL;ANO;1.1;2.1\nCentro;Médio Tejo;33 770;2024;1;283\n"
         "Centro;Aveiro;47 727;2024;0;298\nCentro;Viseu;5 326;2024;0;252\n"
         "Alentejo;Central;4 973;2024;0;281\n",
         "POPULAÇÃO NUT I|POPULAÇÃO NUT II|POPULAÇÃO TOTAL|DADOS ANO|Bibliotecas anexas 1.1|Abe"
         "rtura anual (dias) 2.1",
         ["Centro|Médio Tejo|33 770|2024|1|283",
          "Centro|Aveiro|47 727|2024|0|298",
          "Centro|Viseu|5 326|2024|0|252",
          "Alentejo|Central|4 973|2024|0|281"],
         label="", encoding="latin-1", said=["windows-1252", SEMICOLON, "1 line " + ABOVE,
         HEADER_2]),
    Case("columns that hold nothing, an empty line below the names",
         "Table 4,,,,,,\n,,,,,,\nArea,,2018,2019,,Change,\n,,,,,,\nNorth,,120,130,,10,\n"
         "South,,210,205,,-5,\nEast,,90,99,,9,\nTotal,,420,434,,14,\n",
         "Area|2|2018|2019|5|Change",
         ["|||||",
          "North||120|130||10",
          "South||210|205||-5",
          "East||90|99||9",
          "Total||420|434||14"],
         label="", said=["2 lines " + ABOVE]),
    Case("notes below an empty row, under a word alone",
         "LA code,LA,Households,Rate\nE06000001,Hartlepool,41000,2.1\n"
         "E06000002,Middlesbrough,58000,3.4\nE06000003,Redcar,60000,1.9\nEngland,,159000,2.5\n"
         ",,,\nNotes,,,\n1. Figures are rounded to the nearest 1000,,,\n"
         "2. Rates are per 1000 households,,,\n",
         "LA code|LA|Households|Rate",
         ["E06000001|Hartlepool|41000|2.1",
          "E06000002|Middlesbrough|58000|3.4",
          "E06000003|Redcar|60000|1.9",
          "England||159000|2.5",
          "|||"],
         label="", said=["3 remarks in the first field"]),
    Case("a list of series with names again, dates below",
         '"Series Description","Federal funds effective rate","Prime rate"\n'
         '"Unit:","Percent:_Per_Year","Percent:_Per_Year"\n"Multiplier:","1","1"\n'
         '"Currency:","NA","NA"\n'
         '"Unique Identifier: ","H15/H15/RIFSPFF_N.D","H15/H15/RIFSPBLP_N.B"\n'
         '"Time Period","RIFSPFF_N.D","RIFSPBLP_N.B"\n2021-03-01,0.07,3.25\n'
         "2021-03-02,0.07,3.25\n2021-03-03,0.07,3.25\n2021-03-04,ND,3.25\n",
         "Time Period|RIFSPFF_N.D|RIFSPBLP_N.B",
         ["2021-03-01|0.07|3.25",
          "2021-03-02|0.07|3.25",
          "2021-03-03|0.07|3.25",
          "2021-03-04|ND|3.25"],
         label="", said=["5 lines " + ABOVE]),
    Case("groups below remarks",
         "# © Der Bundeswahlleiter, Wiesbaden 2017\n#\n# Endgültiges Ergebnis\n\n"
         "Nr;Gebiet;gehört zu;Wahlberechtigte;;CDU;\n"
         ";;;Erststimmen;Zweitstimmen;Erststimmen;Zweitstimmen\n"
         "1;Flensburg – Schleswig;1;225659;225659;68102;58307\n"
         "2;Nordfriesland;1;186384;186384;62260;52903\n"
         "99;Schleswig-Holstein;99;2266012;2266012;692004;583135\n",
         "Nr|Gebiet|gehört zu|Wahlberechtigte Erststimmen|Wahlberechtigte Zweitstimmen|CDU Erst"
         "stimmen|CDU Zweitstimmen",
         ["1|Flensburg – Schleswig|1|225659|225659|68102|58307",
          "2|Nordfriesland|1|186384|186384|62260|52903",
          "99|Schleswig-Holstein|99|2266012|2266012|692004|583135"],
         label="", said=[SEMICOLON, "3 lines " + ABOVE, HEADER_2]),
    Case("twenty names and values above",
         "Parameter 0,value 0\nParameter 1,value 1\nParameter 2,value 2\nParameter 3,value 3\n"
         "Parameter 4,value 4\nParameter 5,value 5\nParameter 6,value 6\nParameter 7,value 7\n"
         "Parameter 8,value 8\nParameter 9,value 9\nParameter 10,value 10\n"
         "Parameter 11,value 11\nParameter 12,value 12\nParameter 13,value 13\n"
         "Parameter 14,value 14\nParameter 15,value 15\nParameter 16,value 16\n"
         "Parameter 17,value 17\nParameter 18,value 18\nParameter 19,value 19\n\n"
         "Time,Channel 1,Channel 2,Channel 3\n0.0,1.1,2.2,3.3\n0.1,1.2,2.3,3.4\n0.2,1.3,2.4,3.5\n"
         "0.3,1.4,2.5,3.6\n",
         "Time|Channel 1|Channel 2|Channel 3",
         ["0.0|1.1|2.2|3.3",
          "0.1|1.2|2.3|3.4",
          "0.2|1.3|2.4|3.5",
          "0.3|1.4|2.5|3.6"],
         label="", said=["21 lines " + ABOVE]),
    Case("a note as wide as the table, a blank in its last field",
         ",,,,,\r\nBeneficiaries by State,,,,,\r\nState,Abbreviation,Active,Reserve,Other,TOTAL\r\n"
         "ALABAMA,AL,7738,5779,2075,\"15,592\"\r\nALASKA,AK,1781,561,170,\"2,512\"\r\n"
         "ARIZONA,AZ,26044,6667,1133,\"33,844\"\r\nPHILIPPINES,PH,171,291,0,462\r\n"
         "\"Note: a person may be counted in more than one state, therefore \",,,,, \r\n"
         " the totals should not be added up.,,,,,\r\n",
         "State|Abbreviation|Active|Reserve|Other|TOTAL",
         ["ALABAMA|AL|7738|5779|2075|15,592", "ALASKA|AK|1781|561|170|2,512",
          "ARIZONA|AZ|26044|6667|1133|33,844", "PHILIPPINES|PH|171|291|0|462"],
         label="", said=["2 lines " + ABOVE, "2 remarks in the first field"]),
    Case("words above a few numbers, three in each column",
         "kind,note,size,more\na,x y,of old,u\nb,,,\nc,,2,7.0\nd,,3,1\ne,,,\nf,,,\ng,,5,2\n",
         "kind|note|size|more",
         ["a|x y|of old|u", "b|||", "c||2|7.0", "d||3|1", "e|||", "f|||", "g||5|2"], label=""),
]
