"""More imitations of what offices, weather services, banks and cities publish.

The form is that of portal_cases.py. They were written before they were read for the first time.
"""
from portal_cases import (ABOVE, BLANKS, Case, HEADER_2, NO_HEADER, ONE_FIELD, QUOTES, SEMICOLON,
                          TABS)

BETWEEN = "between the names and the rows"

CITIES = [
    Case("blanks before the delimiters of the header alone",
         "kind ,size ,town\na,1,Ulm\nb ,2,Bonn\na,3,Kiel\n", "kind |size |town",
         ["a|1|Ulm", "b |2|Bonn", "a|3|Kiel"], label=""),
    Case("a title as wide as the table above rows of words",
         "Sales, by region, of 2020\nUnits: pieces\nregion,value,share\nNorth,10,2.5\n"
         "South,20,3.5\nWest,30,4.5\nEast,40,5.5\n", "region|value|share",
         ["North|10|2.5", "South|20|3.5", "West|30|4.5", "East|40|5.5"],
         said=["2 lines " + ABOVE]),
    Case("names of rows with blanks, units below",
         "Tabelle: 12411-01-01-4\nBevölkerung nach Geschlecht - Stichtag 31.12. -;;;;\n"
         "regionale Tiefe: Kreise und krfr. Städte;;;;\n;;Insgesamt;männlich;weiblich\n"
         ";;Anzahl;Anzahl;Anzahl\n01001;  Flensburg, Kreisfreie Stadt;91113;45414;45699\n"
         "01002;  Kiel, Landeshauptstadt;246243;119800;126443\n"
         "01003;  Lübeck, Hansestadt;216277;103914;112363\n"
         "01004;  Neumünster, Stadt;79496;39500;39996\n__________\n"
         "(C)opyright Statistische Ämter des Bundes und der Länder, 2023\n",
         "1|2|Insgesamt Anzahl|männlich Anzahl|weiblich Anzahl",
         ["01001|Flensburg, Kreisfreie Stadt|91113|45414|45699",
          "01002|Kiel, Landeshauptstadt|246243|119800|126443",
          "01003|Lübeck, Hansestadt|216277|103914|112363",
          "01004|Neumünster, Stadt|79496|39500|39996"],
         label="", encoding="latin-1",
         said=["windows-1252", SEMICOLON, ABOVE, HEADER_2, ONE_FIELD]),
    Case("quotes doubled, codes with zeros",
         "siren;nic;siret;denominationUniteLegale;codePostalEtablissement;trancheEffectifsEtab"
         'lissement\n005520135;00038;00552013500038;"EURO DISNEY ""SCA""";77700;NN\n'
         "005541552;00012;00554155200012;SARL L'ARBRE;29200;\n"
         "005580113;00015;00558011300015;CAFÉ DE LA POSTE;75011;01\n",
         "siren|nic|siret|denominationUniteLegale|codePostalEtablissement|trancheEffectifsEtab"
         "lissement",
         ['005520135|00038|00552013500038|EURO DISNEY "SCA"|77700|NN',
          "005541552|00012|00554155200012|SARL L'ARBRE|29200|",
          "005580113|00015|00558011300015|CAFÉ DE LA POSTE|75011|01"],
         label="", said=[SEMICOLON]),
    Case("a long remark below tabs and totals",
         '"Notes"\t"State"\t"State Code"\t"Deaths"\t"Population"\t"Crude Rate"\n'
         '\t"Alabama"\t"01"\t53238\t4887871\t"1089.2"\n'
         '\t"Alaska"\t"02"\t4453\t737438\t"603.8"\n'
         '\t"Arizona"\t"04"\t59282\t7171646\t"826.6"\n'
         '"Total"\t\t\t2839205\t327167434\t"867.8"\n"---"\n'
         '"Dataset: Underlying Cause of Death, 1999-2018"\n"Query Parameters:"\n'
         '"Group By: State"\n"Show Totals: True"\n"---"\n'
         '"Help: See http://wonder.cdc.gov/wonder/help/ucd.html for more information."\n'
         '"Suggested Citation: Centers for Disease Control and Prevention, National Center for'
         ' Health"\n',
         "Notes|State|State Code|Deaths|Population|Crude Rate",
         ["|Alabama|01|53238|4887871|1089.2", "|Alaska|02|4453|737438|603.8",
          "|Arizona|04|59282|7171646|826.6", "Total|||2839205|327167434|867.8"],
         label="", file="t.tsv", said=[ONE_FIELD]),
    Case("stations above the names",
         "Data Selector Report\nGenerated on 12/03/2021 at 10:15\n\n"
         "Status: R = Ratified / P = Provisional / P* = As supplied\n\n"
         ",,Bristol St Paul's,,Leeds Centre,\n"
         "Date,Time,Nitrogen dioxide,status,Nitrogen dioxide,status\n"
         "01/01/2020,01:00,31.5,R,44.2,R\n01/01/2020,02:00,28.1,R,43.0,R\n"
         "01/01/2020,03:00,No data,,41.7,R\n01/01/2020,04:00,25.5,R,40.1,P\n",
         "Date|Time|Bristol St Paul's Nitrogen dioxide|Bristol St Paul's status|Leeds Centre N"
         "itrogen dioxide|Leeds Centre status",
         ["01/01/2020|01:00|31.5|R|44.2|R", "01/01/2020|02:00|28.1|R|43.0|R",
          "01/01/2020|03:00|No data||41.7|R", "01/01/2020|04:00|25.5|R|40.1|P"],
         label="", said=[ABOVE, HEADER_2]),
    Case("a name and a value above, signs for missing",
         '"annual population survey - regional - labour market"\n'
         '"ONS Crown Copyright Reserved [from Nomis on 5 March 2021]"\n\n'
         '"date          :","Oct 2019-Sep 2020"\n\n'
         '"local authority","Numerator","Denominator","Percent","Conf"\n'
         '"Darlington",51500,65600,78.5,4.2\n"County Durham",231500,326900,70.8,3.4\n'
         '"Hartlepool",38700,56900,68.0,4.3\n"Isles of Scilly","!","!","!","!"\n\n\n'
         '"! Estimate and confidence interval not available since the group sample size is zer'
         'o"\n',
         "local authority|Numerator|Denominator|Percent|Conf",
         ["Darlington|51500|65600|78.5|4.2", "County Durham|231500|326900|70.8|3.4",
          "Hartlepool|38700|56900|68.0|4.3", "Isles of Scilly|!|!|!|!"],
         label="", said=[ABOVE, ONE_FIELD]),
    Case("a name of a blank, remarks below",
         'Births and deaths\n" ","Live births","Deaths","Natural increase"\n'
         '"2018",58020,33225,24795\n"2019",59637,34260,25377\n"2020",57573,32613,24960\n\n'
         '"Table information:"\n"Units:"\n"Number, Magnitude = Units"\n\n"Footnotes:"\n'
         '"Base: Estimated resident population."\n',
         "1|Live births|Deaths|Natural increase",
         ["2018|58020|33225|24795", "2019|59637|34260|25377", "2020|57573|32613|24960"],
         label="", said=[ABOVE, ONE_FIELD]),
    Case("a line of one value below the names",
         '"Australian Bureau of Statistics"\n\n'
         '"2016 Census - Selected Person Characteristics"\n"STATE (UR) by SEXP Sex"\n'
         '"Counting: Persons Place of Usual Residence"\n\n"Filters:"\n'
         '"Default Summation","Persons Place of Usual Residence"\n\n\n'
         '"SEXP Sex","Male","Female","Total",\n"STATE (UR)",\n'
         '"New South Wales",3686014,3794217,7480228,\n"Victoria",2908077,3018549,5926624,\n'
         '"Queensland",2321889,2381307,4703193,\n"Total",8915980,9194073,18110045,\n\n'
         '"Data Source: Census of Population and Housing, 2016, TableBuilder"\n',
         "SEXP Sex|Male|Female|Total",
         ["New South Wales|3686014|3794217|7480228", "Victoria|2908077|3018549|5926624",
          "Queensland|2321889|2381307|4703193", "Total|8915980|9194073|18110045"],
         label="", said=[ABOVE, "1 line " + BETWEEN, ONE_FIELD]),
    Case("times in brackets behind numbers",
         "Estación;Provincia;Temperatura máxima (ºC);Temperatura mínima (ºC);Racha (km/h);Prec"
         "ipitación 00-24h (mm)\n"
         '"Estaca de Bares";"A Coruña";"16.2 (13:50)";"10.5 (04:10)";"57 (02:30)";"4.2"\n'
         '"Ferrol";"A Coruña";"17.1 (14:20)";"9.7 (06:30)";"40 (11:20)";"0.0"\n'
         '"Zamora";"Zamora";"12.0 (15:00)";"1.3 (07:00)";"";"0.0"\n',
         "Estación|Provincia|Temperatura máxima (ºC)|Temperatura mínima (ºC)|Racha (km/h)|Prec"
         "ipitación 00-24h (mm)",
         ["Estaca de Bares|A Coruña|16.2 (13:50)|10.5 (04:10)|57 (02:30)|4.2",
          "Ferrol|A Coruña|17.1 (14:20)|9.7 (06:30)|40 (11:20)|0.0",
          "Zamora|Zamora|12.0 (15:00)|1.3 (07:00)||0.0"],
         label="", encoding="latin-1", said=[SEMICOLON]),
    Case("names in the last remark, blanks before numbers",
         "# BRON: KONINKLIJK NEDERLANDS METEOROLOGISCH INSTITUUT (KNMI)\n"
         "# Opmerking: door stationsverplaatsingen en veranderingen in waarneemmethodieken zij"
         "n deze tijdreeksen\n# \n# STN         LON(east)   LAT(north)  ALT(m)      NAME\n"
         "# 260         5.180       52.100      1.90        De Bilt     \n"
         "# YYYYMMDD = Datum (YYYY=jaar MM=maand DD=dag);\n"
         "# TG       = Etmaalgemiddelde temperatuur (in 0.1 graden Celsius);\n# \n"
         "# STN,YYYYMMDD,   TG,   TN,   TX\n  260,20200101,   -5,  -29,   14\n"
         "  260,20200102,    7,  -29,   43\n  260,20200103,   66,   39,   83\n",
         "STN|YYYYMMDD|TG|TN|TX",
         ["260|20200101|-5|-29|14", "260|20200102|7|-29|43", "260|20200103|66|39|83"],
         label="", said=[ABOVE, "stand in a remark"]),
    Case("empty lines around the names",
         "MeteoSchweiz / MeteoSuisse / MeteoSvizzera / MeteoSwiss\n\n"
         "stn;time;tre200s0;rre150z0;prestas0\n\nBER;202001010000;-2.1;0.0;965.4\n"
         "BER;202001010010;-2.2;0.0;965.3\nBER;202001010020;-2.2;-;965.3\n"
         "ZER;202001010000;-8.0;0.1;838.0\n",
         "stn|time|tre200s0|rre150z0|prestas0",
         ["BER|202001010000|-2.1|0.0|965.4", "BER|202001010010|-2.2|0.0|965.3",
          "BER|202001010020|-2.2|-|965.3", "ZER|202001010000|-8.0|0.1|838.0"],
         label="", said=[SEMICOLON, ABOVE]),
    Case("points between thousands, codes",
         "C-STAT-0;C-REG-0;F-ANZ;F-ANT\nA10;B00;1.234;12,5\nA11;B00;22.345;13,0\n"
         "A12;B01;987;9,75\n",
         "C-STAT-0|C-REG-0|F-ANZ|F-ANT",
         ["A10|B00|1.234|12,5", "A11|B00|22.345|13,0", "A12|B01|987|9,75"],
         label="", said=[SEMICOLON]),
    Case("names and values above between semicolons",
         '\ufeff"CubeId";"devkum"\n"PublishingDate";"2021-03-01 14:30"\n\n'
         '"Date";"D0";"D1";"Value"\n"2020-01";"M0";"EUR1";"1.0769"\n'
         '"2020-01";"M1";"EUR1";"1.0690"\n"2020-02";"M0";"EUR1";"1.0648"\n',
         "Date|D0|D1|Value",
         ["2020-01|M0|EUR1|1.0769", "2020-01|M1|EUR1|1.0690", "2020-02|M0|EUR1|1.0648"],
         label="", said=[SEMICOLON, ABOVE]),
    Case("a list of series with flags",
         '"";BBK01.WT1010;BBK01.WT1010_FLAGS\n"";Preis der Feinunze Gold;\nEinheit;USD;\n'
         "Dimension;Eins;\nStand vom;01.03.2021 08:00:00;\n2021-02-24;1788,00;\n"
         "2021-02-25;1792,45;\n2021-02-26;1743,00;\n2021-02-27;.;Kein Wert vorhanden\n",
         "1|BBK01.WT1010|BBK01.WT1010_FLAGS",
         ["2021-02-24|1788,00|", "2021-02-25|1792,45|", "2021-02-26|1743,00|",
          "2021-02-27|.|Kein Wert vorhanden"],
         label="", said=[SEMICOLON, "4 lines " + BETWEEN]),
    Case("a title with commas above years",
         '"Folkmängd efter region, civilstånd och år"\n\n"region","civilstånd","2019","2020"\n'
         '"00 Riket","ogifta",5204230,5242371\n"00 Riket","gifta",3482146,3489400\n'
         '"01 Stockholms län","ogifta",1287180,1302012\n',
         "region|civilstånd|2019|2020",
         ["00 Riket|ogifta|5204230|5242371", "00 Riket|gifta|3482146|3489400",
          "01 Stockholms län|ogifta|1287180|1302012"],
         label="", encoding="latin-1", said=[ABOVE]),
    Case("titles as wide above groups",
         "INEGI. Encuesta Nacional de Ocupación y Empleo,,,,\nIndicadores estratégicos,,,,\n"
         '"Cifras absolutas, miles de personas",,,,\n,,,,\nIndicador,Total,,Variación,\n'
         ",Hombres,Mujeres,Hombres,Mujeres\nPoblación total,61473,64538,1.1,0.9\n"
         "Población de 15 años y más,44786,49200,1.4,1.5\n"
         "Población ocupada,33541,21811,-0.5,2.2\n",
         "Indicador|Total Hombres|Total Mujeres|Variación Hombres|Variación Mujeres",
         ["Población total|61473|64538|1.1|0.9",
          "Población de 15 años y más|44786|49200|1.4|1.5",
          "Población ocupada|33541|21811|-0.5|2.2"],
         label="", encoding="cp1252", said=[ABOVE, HEADER_2]),
    Case("marks explained below the rows",
         "\ufeffYear,Month,Day,Value,data Completeness\n2021,1,1,14.2,C\n2021,1,2,15.6,C\n"
         "2021,1,3,***,#\n*** unavailable,,,,\n# data incomplete,,,,\nC data Complete,,,,\n",
         "Year|Month|Day|Value|data Completeness",
         ["2021|1|1|14.2|C", "2021|1|2|15.6|C", "2021|1|3|***|#"],
         label="", said=["3 remarks in the first field"]),
    Case("two titles as wide, in two scripts",
         "\ufeff日平均氣溫 (攝氏度) - 京士柏,,,,\nDaily Mean Temperature (°C) at King's Park,,,,\n"
         "年/Year,月/Month,日/Day,數值/Value,數據完整性/data Completeness\n1992,7,1,28.0,C\n"
         "1992,7,2,27.3,C\n1992,7,3,27.9,C\n1992,7,4,28.1,C\n",
         "年/Year|月/Month|日/Day|數值/Value|數據完整性/data Completeness",
         ["1992|7|1|28.0|C", "1992|7|2|27.3|C", "1992|7|3|27.9|C", "1992|7|4|28.1|C"],
         label="", said=[ABOVE]),
    Case("quotes inside of fields between tabs",
         "gbifID\tdatasetKey\tspecies\tlocality\tindividualCount\tdecimalLatitude\n"
         "1001\tab-12\tParus major\tO'Hare \"North\" gate\t3\t41.97\n"
         '1002\tab-12\tParus major\t6" pipe, east\t\t41.98\n1003\tab-13\tCorvus corax\t\t1\t\n',
         "gbifID|datasetKey|species|locality|individualCount|decimalLatitude",
         ["1001|ab-12|Parus major|O'Hare \"North\" gate|3|41.97",
          '1002|ab-12|Parus major|6" pipe, east||41.98', "1003|ab-13|Corvus corax||1|"],
         label="", file="t.tsv", said=[QUOTES]),
    Case("ages, groups and a note",
         "Table 1. Deaths by age,,,,,\n,,,,,\nAge,Male,,Female,,All\n"
         ",Number,Rate,Number,Rate,\n0-14,123,1.2,98,1.0,221\n"
         '15-64,"4,567",33.1,"3,210",22.0,"7,777"\n'
         '65+,"22,110",410.5,"24,019",380.2,"46,129"\n,,,,,\nNote: rates per 100 000.,,,,,\n',
         "Age|Male Number|Male Rate|Female Number|Female Rate|All",
         ["0-14|123|1.2|98|1.0|221", "15-64|4,567|33.1|3,210|22.0|7,777",
          "65+|22,110|410.5|24,019|380.2|46,129"],
         said=[ABOVE, HEADER_2, "remark in the first field"]),
    Case("a total below an empty row",
         "Jurisdiction Name,Contest,Candidate,Party,Votes\r\n"
         'ADAMS,"President, Vice President",BIDEN / HARRIS,DEM,134202\r\n'
         'ADAMS,"President, Vice President",TRUMP / PENCE,REP,95657\r\n'
         'ALAMOSA,"President, Vice President",TRUMP / PENCE,REP,3813\r\n,,,,\r\n'
         "Total,,,,233672\r\n",
         "Jurisdiction Name|Contest|Candidate|Party|Votes",
         ["ADAMS|President, Vice President|BIDEN / HARRIS|DEM|134202",
          "ADAMS|President, Vice President|TRUMP / PENCE|REP|95657",
          "ALAMOSA|President, Vice President|TRUMP / PENCE|REP|3813", "Total||||233672"],
         said=["1 row without a label"]),
    Case("words in quotes at the end of some texts",
         'Nr;Einrichtung;PLZ;Plätze;Träger\n1;Kita "Sonnenschein";10115;85;AWO\n'
         '2;Kita Regenbogen;10117;120;"Pfefferwerk gGmbH; Berlin"\n'
         '3;Kinderladen "Die Strolche" e.V.;10119;22;EKT\n',
         "Nr|Einrichtung|PLZ|Plätze|Träger",
         ['1|Kita "Sonnenschein"|10115|85|AWO',
          "2|Kita Regenbogen|10117|120|Pfefferwerk gGmbH; Berlin",
          '3|Kinderladen "Die Strolche" e.V.|10119|22|EKT'],
         label="", said=[SEMICOLON, "quotes that stand for themselves"]),
    Case("a long remark of one field",
         "Périmètre\tNature\tDate\tHeures\tConsommation\tPrévision J-1\tNucléaire\n"
         "France\tDonnées définitives\t2020-01-01\t00:00\t66360\t66300\t49500\n"
         "France\tDonnées définitives\t2020-01-01\t00:15\t\t66000\t\n"
         "France\tDonnées définitives\t2020-01-01\t00:30\t65600\t65400\t49400\n"
         "RTE ne pourra être tenu responsable de l'usage qui sera fait des données mises à dis"
         "position, ni en cas de mauvaise interprétation de celles-ci.\n",
         "Périmètre|Nature|Date|Heures|Consommation|Prévision J-1|Nucléaire",
         ["France|Données définitives|2020-01-01|00:00|66360|66300|49500",
          "France|Données définitives|2020-01-01|00:15||66000|",
          "France|Données définitives|2020-01-01|00:30|65600|65400|49400"],
         label="", encoding="latin-1", said=[TABS, ONE_FIELD]),
    Case("titles above and notes below, as wide",
         "Pyramide des âges,,,\nFrance métropolitaine au 1er janvier 2021,,,\n"
         "Âge révolu,Nombre de femmes,Nombre d'hommes,Ensemble\n0,327 000,342 000,669 000\n"
         "1,331 500,346 200,677 700\n2,338 100,352 000,690 100\n100 ou +,17 000,3 100,20 100\n"
         'Champ : France métropolitaine,,,\n"Source : Insee, estimations de population",,,\n',
         "Âge révolu|Nombre de femmes|Nombre d'hommes|Ensemble",
         ["0|327 000|342 000|669 000", "1|331 500|346 200|677 700", "2|338 100|352 000|690 100",
          "100 ou +|17 000|3 100|20 100"],
         label="", said=[ABOVE, "2 remarks in the first field"]),
    Case("bars and quotes",
         'ANNO_SCOLASTICO|MUNICIPIO|SCUOLA|ALUNNI\n2019/2020|1|"Istituto ""Manzoni"""|412\n'
         "2019/2020|2|Scuola Primaria|230\n2020/2021|2|Scuola Primaria|225\n",
         "ANNO_SCOLASTICO|MUNICIPIO|SCUOLA|ALUNNI",
         ['2019/2020|1|Istituto "Manzoni"|412', "2019/2020|2|Scuola Primaria|230",
          "2020/2021|2|Scuola Primaria|225"],
         label="", said=["separated by '|'"]),
    Case("two years below a group",
         '"Tabela 6579 - População residente estimada"\n'
         '"Variável - População residente estimada (Pessoas)"\n"Município","Ano",\n'
         "\"\",\"2020\",\"2021\"\n\"Alta Floresta D'Oeste (RO)\",\"22728\",\"22516\"\n"
         '"Ariquemes (RO)","109523","111148"\n"Cabixi (RO)","5188","5067"\n'
         '"Cacoal (RO)","85893","86416"\n"Fonte: IBGE - Estimativas de População"\n',
         "Município|Ano 2020|Ano 2021",
         ["Alta Floresta D'Oeste (RO)|22728|22516", "Ariquemes (RO)|109523|111148",
          "Cabixi (RO)|5188|5067", "Cacoal (RO)|85893|86416"],
         label="", said=[ABOVE, HEADER_2, ONE_FIELD]),
    Case("two years and words below groups",
         "table with row headers in column A and column headers in rows 3 through 4 (leading d"
         "ots indicate sub-parts),,,,\n"
         '"Annual Estimates of the Resident Population: April 1, 2010 to July 1, 2019",,,,\n'
         'Geographic Area,"April 1, 2010",,Population Estimate (as of July 1),\n'
         ",Census,Estimates Base,2018,2019\n"
         'United States,"308,745,538","308,758,105","326,687,501","328,239,523"\n'
         '.Alabama,"4,779,736","4,780,125","4,887,681","4,903,185"\n'
         '.Alaska,"710,231","710,249","735,139","731,545"\n'
         '"Note: The estimates are based on the 2010 Census.",,,,\n'
         '"Source: U.S. Census Bureau, Population Division",,,,\n',
         "Geographic Area|April 1, 2010 Census|April 1, 2010 Estimates Base|Population Estimat"
         "e (as of July 1) 2018|Population Estimate (as of July 1) 2019",
         ["United States|308,745,538|308,758,105|326,687,501|328,239,523",
          ".Alabama|4,779,736|4,780,125|4,887,681|4,903,185",
          ".Alaska|710,231|710,249|735,139|731,545"],
         label="", said=[ABOVE, HEADER_2, "2 remarks in the first field"]),
    Case("titles of one field, headings in rows",
         "Net generation for all sectors, monthly\n"
         "https://www.eia.gov/electricity/data/browser/\n"
         "Tue Mar 02 2021 10:00:00 GMT-0500 (Eastern Standard Time)\n"
         "Source: U.S. Energy Information Administration\n"
         "description,units,source key,Jan 2020,Feb 2020,Mar 2020\n"
         "Net generation for all sectors,,,,,\nUnited States,,,,,\n"
         "United States : all fuels,thousand megawatthours,ELEC.GEN.ALL-US-99.M,341693,320345,"
         "309823\n"
         "United States : coal,thousand megawatthours,ELEC.GEN.COW-US-99.M,65138,56177,50730\n"
         "United States : nuclear,thousand megawatthours,ELEC.GEN.NUC-US-99.M,74170,65950,6399"
         "7\n"
         "United States : hydro,thousand megawatthours,ELEC.GEN.HYC-US-99.M,24498,25868,23805"
         "\n",
         "description|units|source key|Jan 2020|Feb 2020|Mar 2020",
         ["Net generation for all sectors|||||", "United States|||||",
          "United States : all fuels|thousand megawatthours|ELEC.GEN.ALL-US-99.M|341693|320345|"
          "309823",
          "United States : coal|thousand megawatthours|ELEC.GEN.COW-US-99.M|65138|56177|50730",
          "United States : nuclear|thousand megawatthours|ELEC.GEN.NUC-US-99.M|74170|65950|6399"
          "7",
          "United States : hydro|thousand megawatthours|ELEC.GEN.HYC-US-99.M|24498|25868|23805"],
         label="", said=["4 lines " + ABOVE]),
    Case("a rule below bars",
         "CIK|Company Name|Form Type|Date Filed|Filename\n"
         "--------------------------------------------------------------------------------\n"
         "1000045|NICHOLAS FINANCIAL INC|10-Q|2020-02-14|edgar/data/1000045/0001193125-20-0379"
         "90.txt\n"
         "1000097|KINGDON CAPITAL MANAGEMENT, L.L.C.|13F-HR|2020-02-14|edgar/data/1000097/0000"
         "919574-20-001203.txt\n"
         "1000177|NORDIC AMERICAN TANKERS Ltd|6-K|2020-02-20|edgar/data/1000177/0000919574-20-"
         "001405.txt\n",
         "CIK|Company Name|Form Type|Date Filed|Filename",
         [
          "1000045|NICHOLAS FINANCIAL INC|10-Q|2020-02-14|edgar/data/1000045/0001193125-20-0379"
          "90.txt",
          "1000097|KINGDON CAPITAL MANAGEMENT, L.L.C.|13F-HR|2020-02-14|edgar/data/1000097/0000"
          "919574-20-001203.txt",
          "1000177|NORDIC AMERICAN TANKERS Ltd|6-K|2020-02-20|edgar/data/1000177/0000919574-20-"
          "001405.txt"],
         label="", said=["separated by '|'", ONE_FIELD]),
    Case("numbers between blanks below remarks",
         "* Sea-Bird SBE 19plus Data File:\n* Temperature SN = 6789\n# nquan = 4\n"
         "# name 0 = prdM: Pressure\n*END*\n     1.000    20.1234     5.43210     0.000\n"
         "     2.000    20.1100     5.43111     0.000\n"
         "     3.000    19.9876     5.42999     0.000\n"
         "     4.000    19.8001     5.42888     0.000\n"
         "     5.000    19.7001     5.42777     0.000\n",
         "1|2|3|4",
         ["1.000|20.1234|5.43210|0.000", "2.000|20.1100|5.43111|0.000",
          "3.000|19.9876|5.42999|0.000", "4.000|19.8001|5.42888|0.000",
          "5.000|19.7001|5.42777|0.000"],
         label="", said=[BLANKS, ABOVE, NO_HEADER]),
    Case("a description with tabs above",
         "/* DATA DESCRIPTION:\nCitation:\tSmith, J (2015): Sea ice thickness. PANGAEA\n"
         "Event(s):\tPS81/ * LATITUDE: -60.1 * LONGITUDE: 12.3\n"
         "Parameter(s):\tDEPTH, water [m] (Depth water) * GEOCODE\n*/\n"
         "Date/Time\tLatitude\tLongitude\tDepth water [m]\tTemp [°C]\n"
         "2013-01-01T00:00\t-60.10\t12.30\t5\t-1.2\n2013-01-01T01:00\t-60.12\t12.31\t5\t-1.3\n"
         "2013-01-01T02:00\t-60.15\t12.35\t10\t-1.3\n"
         "2013-01-01T03:00\t-60.15\t12.35\t15\t-1.4\n",
         "Date/Time|Latitude|Longitude|Depth water [m]|Temp [°C]",
         ["2013-01-01T00:00|-60.10|12.30|5|-1.2", "2013-01-01T01:00|-60.12|12.31|5|-1.3",
          "2013-01-01T02:00|-60.15|12.35|10|-1.3", "2013-01-01T03:00|-60.15|12.35|15|-1.4"],
         label="", file="t.tsv", said=[ABOVE]),
    Case("an empty line below the names",
         "FluNet Report,,,,,,\n,,,,,,\n"
         '"Country, area or territory",WHO region,Year,Week,Specimens received,A (H1N1)pdm09,B'
         "\n\nAlgeria,African Region of WHO,2020,1,22,3,1\n"
         "Algeria,African Region of WHO,2020,2,19,,2\n"
         "Benin,African Region of WHO,2020,1,30,0,0\n",
         "Country, area or territory|WHO region|Year|Week|Specimens received|A (H1N1)pdm09|B",
         ["Algeria|African Region of WHO|2020|1|22|3|1",
          "Algeria|African Region of WHO|2020|2|19||2",
          "Benin|African Region of WHO|2020|1|30|0|0"],
         label="", said=[ABOVE]),
    Case("three lines of names",
         '"Onderwerp";"Overledenen";"Overledenen";"Overledenen"\n'
         '"Geslacht";"Totaal";"Mannen";"Vrouwen"\n"Perioden";"aantal";"aantal";"aantal"\n'
         '"2018";"153363";"75083";"78280"\n"2019";"151885";"74449";"77436"\n'
         '"2020";"168678";"84304";"84374"\n',
         "Onderwerp Geslacht Perioden|Overledenen Totaal aantal|Overledenen Mannen aantal|Over"
         "ledenen Vrouwen aantal",
         ["2018|153363|75083|78280", "2019|151885|74449|77436", "2020|168678|84304|84374"],
         label="", said=[SEMICOLON, "3 lines are read as the header"]),
    Case("semicolons in UTF-16",
         "Gemeente;Inwoners;Oppervlakte (km²)\r\nAmsterdam;872.757;219,32\r\n"
         "Utrecht;357.597;99,21\r\nZwolle;129.840;119,28\r\n",
         "Gemeente|Inwoners|Oppervlakte (km²)",
         ["Amsterdam|872.757|219,32", "Utrecht|357.597|99,21", "Zwolle|129.840|119,28"],
         label="", encoding="utf-16", said=["UTF-16", SEMICOLON]),
    Case("letters of Central Europe",
         "Kód;Název ulice;Počet domů;Rozloha\nA1;Žižkovská;125;1 234,5\nA2;Příčná;17;98,25\n"
         "A3;U Měšťanských škol;42;300\n",
         "Kód|Název ulice|Počet domů|Rozloha",
         ["A1|Žižkovská|125|1 234,5", "A2|Příčná|17|98,25", "A3|U Měšťanských škol|42|300"],
         label="", encoding="cp1250", said=["windows-1250", SEMICOLON]),
    Case("footnotes and a telephone number below",
         "Table TRA0101,,,,,\nRoad traffic by vehicle type in Great Britain,,,,,\n,,,,,\n"
         "Year,Cars and taxis,Light commercial,HGV,Motorcycles,All\n"
         "1949,12.6,4.0,7.7,1.9,28.9\n1950,15.9,4.8,7.0,2.4,33.0\n1951,18.2,5.3,8.2,3.1,36.5\n"
         ",,,,,\n1. Includes three wheelers,,,,,\nTelephone: 020 7944 3095,,,,,\n"
         "Source: DfT National Road Traffic Survey,,,,,\n",
         "Year|Cars and taxis|Light commercial|HGV|Motorcycles|All",
         ["1949|12.6|4.0|7.7|1.9|28.9", "1950|15.9|4.8|7.0|2.4|33.0",
          "1951|18.2|5.3|8.2|3.1|36.5"],
         said=[ABOVE, "1 row without a label", "3 remarks"]),
    Case("titles as wide above percentages",
         "As at 31 March 2021,,,,\nSource: Ofsted,,,,\n"
         "Region,Outstanding,Good,Requires improvement,Inadequate\n"
         "East Midlands,15%,70%,12%,3%\nEast of England,17%,71%,9%,3%\nLondon,31%,62%,5%,1%\n",
         "Region|Outstanding|Good|Requires improvement|Inadequate",
         ["East Midlands|15%|70%|12%|3%", "East of England|17%|71%|9%|3%",
          "London|31%|62%|5%|1%"],
         label="", said=[ABOVE]),
    Case("a line about the file above rows",
         "finess;etalab;111;2021-03-05\n"
         "structureet;010000024;010780054;CH DE FLEYRIAT;01012;0474454647\n"
         "structureet;010000032;010780062;CH BUGEY SUD;01300;0479425959\n"
         "structureet;010000040;010780070;HÔPITAL LOCAL;01400;\n",
         "1|2|3|4|5|6",
         ["structureet|010000024|010780054|CH DE FLEYRIAT|01012|0474454647",
          "structureet|010000032|010780062|CH BUGEY SUD|01300|0479425959",
          "structureet|010000040|010780070|HÔPITAL LOCAL|01400|"],
         label="", encoding="latin-1",
         said=["windows-1252", SEMICOLON, NO_HEADER, "1 line " + ABOVE]),
    Case("notes of one field in quotes",
         '"N° département";"Département";"Nb allocataires RSA";"Part (%)"\n'
         '"01";"AIN";"8 512";"3,1"\n"02";"AISNE";"21 330";"8,9"\n'
         '"Total";"FRANCE";"1 880 000";"5,6"\n"Source : CNAF - fichier FILEAS"\n'
         "\"Note de lecture : 8 512 allocataires dans l'Ain\"\n",
         "N° département|Département|Nb allocataires RSA|Part (%)",
         ["01|AIN|8 512|3,1", "02|AISNE|21 330|8,9", "Total|FRANCE|1 880 000|5,6"],
         label="", encoding="cp1252", said=[SEMICOLON, ONE_FIELD]),
    Case("names and values above dates",
         "Pegel Köln;Rohdaten W;;\nMessstellennummer:;2730010;;\n"
         "Zeitraum:;01.01.2020 - 02.01.2020;;\n\nDatum;Uhrzeit;Wasserstand [cm];Status\n"
         "01.01.2020;00:00;345;g\n01.01.2020;00:15;344;g\n01.01.2020;00:30;344;u\n"
         "01.01.2020;00:45;343;g\n",
         "Datum|Uhrzeit|Wasserstand [cm]|Status",
         ["01.01.2020|00:00|345|g", "01.01.2020|00:15|344|g", "01.01.2020|00:30|344|u",
          "01.01.2020|00:45|343|g"],
         label="", encoding="latin-1", said=[SEMICOLON, ABOVE]),
]
