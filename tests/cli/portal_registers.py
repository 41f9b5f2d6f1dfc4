"""Imitations of registers, counts and accounts as portals of towns and states publish them.

The form is that of portal_cases.py. They were written before they were read for the first time.
"""
from portal_cases import ABOVE, BLANKS, BY_LINES, Case, HEADER_2, NO_HEADER, SEMICOLON

CARETS = "separated by '^'"

REGISTERS = [
    Case("incidents with places of two lines",
         'ID,Case Number,Date,Primary Type,Arrest,Location\n'
         '10224738,HY411648,09/05/2015 01:30:00 PM,BATTERY,false,"(41.815117282, -87.669999562)"\n'
         '10224739,HY411615,09/04/2015 11:30:00 AM,THEFT,false,"(41.895080471, -87.765400451)"\n'
         '11646166,JC213529,09/01/2018 12:01:00 AM,THEFT,false,\n'
         '10224740,HY411595,09/05/2015 12:45:00 PM,NARCOTICS,true,"4500 S LAKE\nCHICAGO"\n',
         "ID|Case Number|Date|Primary Type|Arrest|Location",
         ["10224738|HY411648|09/05/2015 01:30:00 PM|BATTERY|false|(41.815117282, -87.669999562)",
          "10224739|HY411615|09/04/2015 11:30:00 AM|THEFT|false|(41.895080471, -87.765400451)",
          "11646166|JC213529|09/01/2018 12:01:00 AM|THEFT|false|",
          "10224740|HY411595|09/05/2015 12:45:00 PM|NARCOTICS|true|4500 S LAKE\nCHICAGO"],
         label="Arrest"),
    Case("schools with postcodes that begin with a zero",
         "\ufeffcode_etab;nom;secteur;code_postal;commune;position\r\n"
         "0010001W;Lycée Alexandre Bérard;Public;01500;Ambérieu-en-Bugey;45.95, 5.35\r\n"
         "0010002X;Lycée Lalande;Public;01011;Bourg-en-Bresse;46.20, 5.22\r\n"
         "0010064P;École Sainte-Marie;Privé;01300;Belley;45.76, 5.69\r\n",
         "code_etab|nom|secteur|code_postal|commune|position",
         ["0010001W|Lycée Alexandre Bérard|Public|01500|Ambérieu-en-Bugey|45.95, 5.35",
          "0010002X|Lycée Lalande|Public|01011|Bourg-en-Bresse|46.20, 5.22",
          "0010064P|École Sainte-Marie|Privé|01300|Belley|45.76, 5.69"],
         label="secteur", said=[SEMICOLON]),
    Case("votes by polling station, names again for each list",
         "Code département;Libellé;Bureau;Inscrits;Votants;N°Panneau;Nom;Voix;N°Panneau;Nom;Voix\n"
         "01;Ain;0001;645;512;1;ARTHAUD;3;2;ROUSSEL;11\n"
         "01;Ain;0002;802;611;1;ARTHAUD;5;2;ROUSSEL;9\n"
         "2A;Corse-du-Sud;0001;310;201;1;ARTHAUD;1;2;ROUSSEL;4\n",
         "Code département|Libellé|Bureau|Inscrits|Votants|N°Panneau|Nom|Voix|N°Panneau.2|Nom.2|"
         "Voix.2",
         ["01|Ain|0001|645|512|1|ARTHAUD|3|2|ROUSSEL|11",
          "01|Ain|0002|802|611|1|ARTHAUD|5|2|ROUSSEL|9",
          "2A|Corse-du-Sud|0001|310|201|1|ARTHAUD|1|2|ROUSSEL|4"],
         label="", encoding="latin-1", said=["windows-1252", SEMICOLON, "a second column"]),
    Case("votes, names of the first list alone",
         "Code;Commune;Inscrits;Votants;Nom;Voix\n"
         "01001;L'Abergement;645;512;ARTHAUD;3;ROUSSEL;11;MACRON;150\n"
         "01002;Ambérieu;802;611;ARTHAUD;5;ROUSSEL;9;MACRON;170\n"
         "01004;Ambronay;310;201;ARTHAUD;1;ROUSSEL;4;MACRON;48\n"
         "01005;Andert;290;188;ARTHAUD;0;ROUSSEL;3;MACRON;51\n",
         "Code|Commune|Inscrits|Votants|Nom|Voix|7|8|9|10",
         ["01001|L'Abergement|645|512|ARTHAUD|3|ROUSSEL|11|MACRON|150",
          "01002|Ambérieu|802|611|ARTHAUD|5|ROUSSEL|9|MACRON|170",
          "01004|Ambronay|310|201|ARTHAUD|1|ROUSSEL|4|MACRON|48",
          "01005|Andert|290|188|ARTHAUD|0|ROUSSEL|3|MACRON|51"],
         label="", said=[SEMICOLON]),
    Case("spending, empty columns behind",
         "Department family,Entity,Date,Expense type,Supplier,Amount,,\r\n"
         'Home Office,Home Office,02/09/2014,Consultancy,PA Consulting,"£31,250.00",,\r\n'
         'Home Office,Home Office,05/09/2014,IT – Hosting,Atos IT Services,"£128,400.10",,\r\n'
         'Home Office,Border Force,09/09/2014,Rent,Mapeley Estates,"£99,100.00",,\r\n',
         "Department family|Entity|Date|Expense type|Supplier|Amount",
         ["Home Office|Home Office|02/09/2014|Consultancy|PA Consulting|£31,250.00",
          "Home Office|Home Office|05/09/2014|IT – Hosting|Atos IT Services|£128,400.10",
          "Home Office|Border Force|09/09/2014|Rent|Mapeley Estates|£99,100.00"],
         label="Entity", encoding="cp1252", said=["windows-1252"]),
    Case("spending, rows without values at the end",
         "Body,Date,Supplier,Net Amount\r\nDorset Council,01/04/2019,Wessex Water,562.10\r\n"
         "Dorset Council,01/04/2019,Kier Ltd,10500.00\r\nDorset Council,02/04/2019,BT plc,87.99\r\n"
         ",,,\r\n,,,\r\n,,,\r\n",
         "Body|Date|Supplier|Net Amount",
         ["Dorset Council|01/04/2019|Wessex Water|562.10",
          "Dorset Council|01/04/2019|Kier Ltd|10500.00",
          "Dorset Council|02/04/2019|BT plc|87.99", "|||", "|||", "|||"],
         label=""),
    Case("posts of a department",
         'Post Unique Reference,Name,Grade,Job Title,Actual Pay Floor (£),Actual Pay Ceiling (£),'
         'Notes\n1,A. Smith,SCS2,Director,"95,000","99,999",\n'
         '2,Vacant,SCS1,Deputy Director,0,0,Post vacant since 1/3\n'
         '3,N/D,SCS1,"Head, Policy",N/D,N/D,\n',
         "Post Unique Reference|Name|Grade|Job Title|Actual Pay Floor (£)|Actual Pay Ceiling (£)|"
         "Notes",
         ["1|A. Smith|SCS2|Director|95,000|99,999|", "2|Vacant|SCS1|Deputy Director|0|0|"
          "Post vacant since 1/3", "3|N/D|SCS1|Head, Policy|N/D|N/D|"], label="Grade"),
    Case("bicycles counted by the quarter of an hour",
         '"FK_STANDORT","DATUM","VELO_IN","VELO_OUT","OST","NORD"\r\n'
         '2978,"2020-01-01T00:00",0,1,2682278,1247945\r\n'
         '2978,"2020-01-01T00:15",2,,2682278,1247945\r\n'
         '3018,"2020-01-01T00:00",1,0,2683300,1249000\r\n',
         "FK_STANDORT|DATUM|VELO_IN|VELO_OUT|OST|NORD",
         ["2978|2020-01-01T00:00|0|1|2682278|1247945", "2978|2020-01-01T00:15|2||2682278|1247945",
          "3018|2020-01-01T00:00|1|0|2683300|1249000"]),
    Case("cantons in quotes between semicolons",
         '"Jahr";"Kanton (-) / Bezirk (>>)";"Geschlecht";"Bestand am 1. Januar"\r\n'
         '"2019";"- Zürich";"Mann";756102\r\n"2019";"- Bern / Berne";"Mann";508361\r\n'
         '"2019";">> Bezirk Affoltern";"Frau";27413\r\n"2019";"- Graubünden";"Frau";99054\r\n',
         "Jahr|Kanton (-) / Bezirk (>>)|Geschlecht|Bestand am 1. Januar",
         ["2019|- Zürich|Mann|756102", "2019|- Bern / Berne|Mann|508361",
          "2019|>> Bezirk Affoltern|Frau|27413", "2019|- Graubünden|Frau|99054"],
         label="Geschlecht", encoding="latin-1", said=["windows-1252", SEMICOLON]),
    Case("museums with telephone numbers",
         "ID;Denominazione;Comune;Provincia;Telefono;Biglietto;Lat;Lon\n"
         "1;Museo Civico;Cuneo;CN;0171634175;3,00;44,3914;7,5507\n"
         "2;Casa Cavassa;Saluzzo;CN;+39 0175 41455;5,50;44,6425;7,4856\n"
         "3;Museo dell'Età Romana;Torino;TO;011/5212251;0,00;45,0735;7,6858\n",
         "ID|Denominazione|Comune|Provincia|Telefono|Biglietto|Lat|Lon",
         ["1|Museo Civico|Cuneo|CN|0171634175|3,00|44,3914|7,5507",
          "2|Casa Cavassa|Saluzzo|CN|+39 0175 41455|5,50|44,6425|7,4856",
          "3|Museo dell'Età Romana|Torino|TO|011/5212251|0,00|45,0735|7,6858"],
         label="Provincia", said=[SEMICOLON]),
    Case("accidents in a town",
         "num_expediente;fecha;hora;localizacion;cod_distrito;distrito;tipo_accidente;sexo\r\n"
         "2020S000001;01/01/2020;8:15:00;CALL. ALBERTO AGUILERA / CALL. SAN BERNARDO;1;CENTRO;"
         "Colisión múltiple;Hombre\r\n"
         "2020S000002;01/01/2020;5:30:00;PASEO. SANTA MARIA DE LA CABEZA, 26;2;ARGANZUELA;Alcance;"
         "Mujer\r\n"
         "2020S000003;01/01/2020;23:05:00;CTRA. M-30, +00800E;16;HORTALEZA;Caída;NULL\r\n",
         "num_expediente|fecha|hora|localizacion|cod_distrito|distrito|tipo_accidente|sexo",
         ["2020S000001|01/01/2020|8:15:00|CALL. ALBERTO AGUILERA / CALL. SAN BERNARDO|1|CENTRO|"
          "Colisión múltiple|Hombre",
          "2020S000002|01/01/2020|5:30:00|PASEO. SANTA MARIA DE LA CABEZA, 26|2|ARGANZUELA|"
          "Alcance|Mujer",
          "2020S000003|01/01/2020|23:05:00|CTRA. M-30, +00800E|16|HORTALEZA|Caída|NULL"],
         label="tipo_accidente", encoding="latin-1", said=["windows-1252", SEMICOLON]),
    Case("air by the hour, a flag behind each value",
         "PROVINCIA;ESTACION;MAGNITUD;DIA;H01;V01;H02;V02;H03;V03\n28;4;1;01;00004;V;00004;V;00003;"
         "V\n28;4;6;01;000.2;V;000.2;V;000.3;N\n28;8;8;01;00031;V;00030;V;00028;V\n",
         "PROVINCIA|ESTACION|MAGNITUD|DIA|H01|V01|H02|V02|H03|V03",
         ["28|4|1|01|00004|V|00004|V|00003|V", "28|4|6|01|000.2|V|000.2|V|000.3|N",
          "28|8|8|01|00031|V|00030|V|00028|V"], label="", said=[SEMICOLON]),
    Case("a few Czech rows in windows-1250",
         "Název;Adresa;Částka\nTJ Sokol Žižkov;Na Balkáně 812;15000\n"
         "Divadlo Příbram;Legionářů 400;250000\nObec Lužná;Masarykovo nám. 1;48000\n",
         "Název|Adresa|Částka",
         ["TJ Sokol Žižkov|Na Balkáně 812|15000", "Divadlo Příbram|Legionářů 400|250000",
          "Obec Lužná|Masarykovo nám. 1|48000"],
         label="", encoding="cp1250", said=["windows-1250", SEMICOLON]),
    Case("a few Polish rows in windows-1250",
         "Lp.;Gmina;Powiat;Kwota dotacji\n1;Łęczyca;łęczycki;120 000,00\n"
         "2;Środa Śląska;średzki;85 500,50\n3;Ząbki;wołomiński;40 000,00\n",
         "Lp.|Gmina|Powiat|Kwota dotacji",
         ["1|Łęczyca|łęczycki|120 000,00", "2|Środa Śląska|średzki|85 500,50",
          "3|Ząbki|wołomiński|40 000,00"],
         label="", encoding="cp1250", said=["windows-1250", SEMICOLON]),
    Case("a few Hungarian rows in windows-1250",
         "Település;Megye;Népesség;Terület (ha)\nÉrd;Pest;63631;6055\nGyőr;Győr-Moson-Sopron;"
         "129301;17462\nHódmezővásárhely;Csongrád;43700;48798\nSzékesfehérvár;Fejér;97617;17089\n",
         "Település|Megye|Népesség|Terület (ha)",
         ["Érd|Pest|63631|6055", "Győr|Győr-Moson-Sopron|129301|17462",
          "Hódmezővásárhely|Csongrád|43700|48798", "Székesfehérvár|Fejér|97617|17089"],
         label="", encoding="cp1250", said=["windows-1250", SEMICOLON]),
    Case("figures of regions with padded codes",
         '"ID";"Geslacht";"RegioS";"Perioden";"Bevolking_1"\r\n'
         '0;"T001038";"NL01  ";"2019JJ00";"17282163"\r\n'
         '1;"3000   ";"NL01  ";"2019JJ00";"8581086"\r\n'
         '2;"4000   ";"PV20  ";"2019JJ00";"       ."\r\n',
         "ID|Geslacht|RegioS|Perioden|Bevolking_1",
         ["0|T001038|NL01  |2019JJ00|17282163", "1|3000   |NL01  |2019JJ00|8581086",
          "2|4000   |PV20  |2019JJ00|       ."], label="", said=[SEMICOLON]),
    Case("weather below remarks, padded",
         "# BRON: KONINKLIJK NEDERLANDS METEOROLOGISCH INSTITUUT (KNMI)\n# Opmerking: door "
         "stationsverplaatsingen zijn deze reeksen mogelijk inhomogeen.\n#\n# STN         LON(east)"
         "   LAT(north)  ALT(m)      NAME\n# 260         5.180       52.100      1.90        De "
         "Bilt"
         "\n#\n# YYYYMMDD  = Datum (YYYY=jaar MM=maand DD=dag)\n"
         "# TG        = Etmaalgemiddelde temperatuur (in 0.1 graden Celsius)\n#\n"
         "# STN,YYYYMMDD,   TG,   TN,   TX\n  260,20210101,   28,  -17,   61\n"
         "  260,20210102,   31,   12,   50\n  260,20210103,   23,     ,   42\n"
         "  260,20210104,   15,  -12,   33\n",
         "STN|YYYYMMDD|TG|TN|TX",
         ["260|20210101|28|-17|61", "260|20210102|31|12|50", "260|20210103|23||42",
          "260|20210104|15|-12|33"], label="", said=["left out"]),
    Case("codes between commas, then years between tabs",
         "freq,unit,geo\\TIME_PERIOD\t2018 \t2019 \t2020 \nA,PC,AT\t4.9 \t4.5 \t5.4 b\n"
         "A,PC,BE\t6.0 \t5.4 \t5.6 \nA,PC,BG\t5.2 \t: \t5.1 e\nA,PC,CZ\t2.2 \t2.0 \t: u\n",
         "freq,unit,geo\\TIME_PERIOD|2018 |2019 |2020 ",
         ["A,PC,AT|4.9 |4.5 |5.4 b", "A,PC,BE|6.0 |5.4 |5.6 ", "A,PC,BG|5.2 |: |5.1 e",
          "A,PC,CZ|2.2 |2.0 |: u"], label="", file="t.tsv"),
    Case("codes of a census above their words",
         '"GEO_ID","NAME","B01001_001E","B01001_001M"\n'
         '"Geography","Geographic Area Name","Estimate!!Total:","Margin of Error!!Total:"\n'
         '"0500000US01001","Autauga County, Alabama","58239","*****"\n'
         '"0500000US01003","Baldwin County, Alabama","227131","*****"\n'
         '"0500000US01005","Barbour County, Alabama","25259","*****"\n',
         "GEO_ID|NAME|B01001_001E|B01001_001M",
         ["0500000US01001|Autauga County, Alabama|58239|*****",
          "0500000US01003|Baldwin County, Alabama|227131|*****",
          "0500000US01005|Barbour County, Alabama|25259|*****"],
         label="", said=[HEADER_2]),
    Case("indicators, years and a comma behind",
         '\ufeff"Data Source","World Development Indicators",\r\n\r\n'
         '"Last Updated Date","2021-03-19",\r\n\r\n"Country Name","Country Code","Indicator Name",'
         '"Indicator Code","1960","1961","2019",\r\n"Aruba","ABW","Population, total","SP.POP.TOTL"'
         ',"54211","55438","106314",\r\n"Afghanistan","AFG","Population, total","SP.POP.TOTL",'
         '"8996973","9169410","38041754",\r\n"Kosovo","XKX","Population, total","SP.POP.TOTL","",'
         '"","1788878",\r\n"Eritrea","ERI","Population, total","SP.POP.TOTL","1007590","1033328",'
         '"",\r\n',
         "Country Name|Country Code|Indicator Name|Indicator Code|1960|1961|2019",
         ["Aruba|ABW|Population, total|SP.POP.TOTL|54211|55438|106314",
          "Afghanistan|AFG|Population, total|SP.POP.TOTL|8996973|9169410|38041754",
          "Kosovo|XKX|Population, total|SP.POP.TOTL|||1788878",
          "Eritrea|ERI|Population, total|SP.POP.TOTL|1007590|1033328|"],
         label="", said=[ABOVE]),
    Case("indicators of a data bank, notes below",
         'Country Name,Country Code,Series Name,2018 [YR2018],2019 [YR2019]\n'
         'Albania,ALB,"Unemployment, total (% of labor force)",12.3,11.47\n'
         'Algeria,DZA,"Unemployment, total (% of labor force)",11.89,11.81\n'
         'American Samoa,ASM,"Unemployment, total (% of labor force)",..,..\n,,,,\n,,,,\n,,,,\n'
         'Data from database: World Development Indicators,,,,\nLast Updated: 03/19/2021,,,,\n',
         "Country Name|Country Code|Series Name|2018 [YR2018]|2019 [YR2019]",
         ["Albania|ALB|Unemployment, total (% of labor force)|12.3|11.47",
          "Algeria|DZA|Unemployment, total (% of labor force)|11.89|11.81",
          "American Samoa|ASM|Unemployment, total (% of labor force)|..|..", "||||", "||||",
          "||||"], label="", said=["left out"]),
    Case("communes with codes",
         "CODGEO;LIBGEO;REG;DEP;P18_POP;P13_POP;SUPERF\n01001;L'Abergement-Clémenciat;84;01;771;"
         "767;"
         "15.95\n01002;L'Abergement-de-Varey;84;01;253;236;9.15\n2A004;Ajaccio;94;2A;70817;67507;"
         "82.03\n97101;Les Abymes;01;971;53082;58100;81.25\n",
         "CODGEO|LIBGEO|REG|DEP|P18_POP|P13_POP|SUPERF",
         ["01001|L'Abergement-Clémenciat|84|01|771|767|15.95",
          "01002|L'Abergement-de-Varey|84|01|253|236|9.15", "2A004|Ajaccio|94|2A|70817|67507|82.03",
          "97101|Les Abymes|01|971|53082|58100|81.25"], label="", said=[SEMICOLON]),
    Case("votes below three lines of names",
         "\ufeff# Endgültiges Ergebnis\n\nNr;Gebiet;gehört zu;Wahlberechtigte;;Wählende;;\n"
         ";;;Erststimmen;Zweitstimmen;Erststimmen;Zweitstimmen;\n"
         "1;Flensburg – Schleswig;1;233210;233210;183042;183042;\n"
         "2;Nordfriesland;1;187024;187024;145312;145312;\n\n"
         "3;Steinburg;1;175210;175210;135510;135510;\n",
         "Nr|Gebiet|gehört zu|Wahlberechtigte Erststimmen|Wahlberechtigte Zweitstimmen|"
         "Wählende Erststimmen|Wählende Zweitstimmen",
         ["1|Flensburg – Schleswig|1|233210|233210|183042|183042",
          "2|Nordfriesland|1|187024|187024|145312|145312",
          "3|Steinburg|1|175210|175210|135510|135510"],
         label="", said=[SEMICOLON, ABOVE, HEADER_2]),
    Case("counts with mixed line ends",
         "Wave,SiteID,Date,Weather,Time,Count\r\n2015 Q1,CENCY001,14/01/2015,Dry,0600 - 0615,12\n"
         "2015 Q1,CENCY001,14/01/2015,Dry,0615 - 0630,19\r\n2015 Q1,CENCY002,15/01/2015,Wet,0600 - "
         "0615,3\n2015 Q1,CENCY002,15/01/2015,Wet/Dry,0615 - 0630,7\r\n",
         "Wave|SiteID|Date|Weather|Time|Count",
         ["2015 Q1|CENCY001|14/01/2015|Dry|0600 - 0615|12",
          "2015 Q1|CENCY001|14/01/2015|Dry|0615 - 0630|19",
          "2015 Q1|CENCY002|15/01/2015|Wet|0600 - 0615|3",
          "2015 Q1|CENCY002|15/01/2015|Wet/Dry|0615 - 0630|7"], label="Weather"),
    Case("salaries with dollars",
         "Name,Job Titles,Department,Full or Part-Time,Annual Salary,Hourly Rate\n"
         '"AARON,  JEFFERY M",SERGEANT,POLICE,F,$111444.00,\n'
         '"AARON,  KARINA ",POLICE OFFICER (ASSIGNED AS DETECTIVE),POLICE,F,$94122.00,\n'
         '"ABARCA, FRANCES J",POLICE OFFICER,POLICE,P,,$19.86\n',
         "Name|Job Titles|Department|Full or Part-Time|Annual Salary|Hourly Rate",
         ["AARON,  JEFFERY M|SERGEANT|POLICE|F|$111444.00|",
          "AARON,  KARINA |POLICE OFFICER (ASSIGNED AS DETECTIVE)|POLICE|F|$94122.00|",
          "ABARCA, FRANCES J|POLICE OFFICER|POLICE|P||$19.86"], label="Full or Part-Time"),
    Case("trees with points",
         "tree_id,the_geom,tree_dbh,status,health,spc_common,problems\n"
         "180683,POINT (-73.84421521958048 40.723091773924274),3,Alive,Fair,red maple,None\n"
         "200540,POINT (-73.81867945834878 40.79411066708779),21,Alive,Fair,pin oak,Stones\n"
         '204026,POINT (-73.93660770459083 40.717580740099116),3,Dead,,,"BranchLights,Stones"\n',
         "tree_id|the_geom|tree_dbh|status|health|spc_common|problems",
         ["180683|POINT (-73.84421521958048 40.723091773924274)|3|Alive|Fair|red maple|None",
          "200540|POINT (-73.81867945834878 40.79411066708779)|21|Alive|Fair|pin oak|Stones",
          "204026|POINT (-73.93660770459083 40.717580740099116)|3|Dead|||BranchLights,Stones"],
         label="status"),
    Case("districts with outlines",
         'WKT,gid,name\n"MULTIPOLYGON (((8.5 47.3,8.6 47.3,8.6 47.4,8.5 47.3)))",1,Altstadt\n'
         '"POLYGON ((8.1 47.1,8.2 47.1,8.2 47.2,8.1 47.1),(8.15 47.15,8.16 47.15,8.15 47.15))",2,'
         'Wollishofen\n"POLYGON ((8.3 47.1,8.4 47.1,8.4 47.2,8.3 47.1))",3,Leimbach\n',
         "WKT|gid|name",
         ["MULTIPOLYGON (((8.5 47.3,8.6 47.3,8.6 47.4,8.5 47.3)))|1|Altstadt",
          "POLYGON ((8.1 47.1,8.2 47.1,8.2 47.2,8.1 47.1),(8.15 47.15,8.16 47.15,8.15 47.15))|2|"
          "Wollishofen", "POLYGON ((8.3 47.1,8.4 47.1,8.4 47.2,8.3 47.1))|3|Leimbach"], label=""),
    Case("texts with entities of HTML",
         'id;titulo;descripcion;precio\n1;"Feria &amp; mercado";"<p>Desde el 3 de mayo; entrada '
         'libre</p>";Gratis\n2;"Exposici&oacute;n";"<p class=""rojo"">Hasta las '
         '20:00&nbsp;h</p>";5 €'
         '\n3;Concierto;;12,50 €\n',
         "id|titulo|descripcion|precio",
         ["1|Feria &amp; mercado|<p>Desde el 3 de mayo; entrada libre</p>|Gratis",
          '2|Exposici&oacute;n|<p class="rojo">Hasta las 20:00&nbsp;h</p>|5 €',
          "3|Concierto||12,50 €"], label="", said=[SEMICOLON]),
    Case("thousands behind blanks that do not break",
         "Chapitre;Libellé;Budget voté;Réalisé\n011;Charges à caractère "
         "général;1\u00a0234\u00a0567,"
         "89;1\u00a0100\u00a0000,00\n012;Charges de personnel;3\u202f456\u202f789,00;"
         "3\u202f400\u202f000,00\n65;Autres charges;12\u00a0000,00;9\u00a0850,20\n",
         "Chapitre|Libellé|Budget voté|Réalisé",
         ["011|Charges à caractère général|1\u00a0234\u00a0567,89|1\u00a0100\u00a0000,00",
          "012|Charges de personnel|3\u202f456\u202f789,00|3\u202f400\u202f000,00",
          "65|Autres charges|12\u00a0000,00|9\u00a0850,20"], label="", said=[SEMICOLON]),
    Case("one column of postcodes",
         "Postcode\nDT1 1XJ\nDT10 2DG\nBH21 1AA\nSP7 8AF\n", "Postcode",
         ["DT1 1XJ", "DT10 2DG", "BH21 1AA", "SP7 8AF"], label=""),
    Case("a table of one row",
         "Year,Total waste (tonnes),Recycled (tonnes),Recycling rate\n2018/19,41250,18975,46.0%\n",
         "Year|Total waste (tonnes)|Recycled (tonnes)|Recycling rate",
         ["2018/19|41250|18975|46.0%"], label=""),
    Case("two hundred columns",
         "region," + ",".join(f"v{i:03}" for i in range(1, 200)) + "\n" + "".join(
             f"R{r}," + ",".join(str(r * i % 17) for i in range(1, 200)) + "\n" for r in (3, 5, 7)),
         "region|" + "|".join(f"v{i:03}" for i in range(1, 200)),
         [f"R{r}|" + "|".join(str(r * i % 17) for i in range(1, 200)) for r in (3, 5, 7)],
         label=""),
    Case("columns that are hardly filled",
         "ref,opened,closed,ward,easting,northing,comment1,comment2,comment3\n"
         "1001,2019-01-03,,Abbey,,,,,\n1002,2019-01-04,,Park,,,,,\n1003,2019-01-04,2019-01-09,Abbey"
         ",,,,,\n1004,2019-01-07,,,451200,204510,dup of 1002,,\n1005,2019-01-08,,Park,,,,,\n",
         "ref|opened|closed|ward|easting|northing|comment1|comment2|comment3",
         ["1001|2019-01-03||Abbey|||||", "1002|2019-01-04||Park|||||",
          "1003|2019-01-04|2019-01-09|Abbey|||||",
          "1004|2019-01-07|||451200|204510|dup of 1002||", "1005|2019-01-08||Park|||||"],
         label=""),
    Case("very long cells",
         "objet;montant;texte\nMarché A;1000;" + "Lot n°1 : travaux, " * 900 + "\nMarché B;2500;" +
         "Lot n°2 : études, " * 700 + "\nMarché C;300;néant\n", "objet|montant|texte",
         ["Marché A|1000|" + "Lot n°1 : travaux, " * 900, "Marché B|2500|" + "Lot n°2 : études, " *
          700, "Marché C|300|néant"], label="", said=[SEMICOLON]),
    Case("zeros behind the end",
         b"siteid,date,pm10,pm25\nA1,2019-03-01,18.2,9.1\nA1,2019-03-02,21.0,11.4\n"
         b"A2,2019-03-01,15.5,7.7\n" + b"\0" * 300, "siteid|date|pm10|pm25",
         ["A1|2019-03-01|18.2|9.1", "A1|2019-03-02|21.0|11.4", "A2|2019-03-01|15.5|7.7"],
         label="", said=["zero"], strict=""),
    Case("a line of another encoding",
         "id;nom;ville\n1;Crèche Les Étoiles;Orléans\n2;Maison de la Forêt;Béziers\n".encode() +
         "3;Foyer Saint-André;Nîmes\n".encode("latin-1") +
         "4;École maternelle Jean Zay;Tours\n5;Médiathèque;Évreux\n".encode(), "id|nom|ville",
         ["1|Crèche Les Étoiles|Orléans", "2|Maison de la Forêt|Béziers",
          "3|Foyer Saint-André|Nîmes", "4|École maternelle Jean Zay|Tours",
          "5|Médiathèque|Évreux"], label="", said=[SEMICOLON, "windows-1252"]),
    Case("labels beside their codes",
         '\ufeff"STATISTIC","Statistic Label","TLIST(A1)","Year","C02779V03348","Electoral '
         'Division"'
         ',"UNIT","VALUE"\n"E2001","Population","2016","2016","-","State","Number","4761865"\n'
         '"E2001","Population","2016","2016","01001","001 Carlow Urban, Carlow","Number","4568"\n'
         '"E2001","Population","2016","2016","01002","002 Graigue Urban, Carlow","Number",""\n',
         "STATISTIC|Statistic Label|TLIST(A1)|Year|C02779V03348|Electoral Division|UNIT|VALUE",
         ["E2001|Population|2016|2016|-|State|Number|4761865",
          "E2001|Population|2016|2016|01001|001 Carlow Urban, Carlow|Number|4568",
          "E2001|Population|2016|2016|01002|002 Graigue Urban, Carlow|Number|"], label=""),
    Case("provinces with symbols",
         '\ufeff"REF_DATE","GEO","DGUID","Sex","UOM","SCALAR_FACTOR","VECTOR","VALUE","STATUS",'
         '"SYMBOL","TERMINATED"\n"1971","Canada","2016A000011124","Both sexes","Persons","units",'
         '"v466668","21962032","","",""\n"1971","Nunavut","2016A000262","Both sexes","Persons",'
         '"units","v469503","","..","",""\n"1972","Québec","2016A000224","Males","Persons","units",'
         '"v469504","3010213","","",""\n',
         "REF_DATE|GEO|DGUID|Sex|UOM|SCALAR_FACTOR|VECTOR|VALUE|STATUS|SYMBOL|TERMINATED",
         ["1971|Canada|2016A000011124|Both sexes|Persons|units|v466668|21962032|||",
          "1971|Nunavut|2016A000262|Both sexes|Persons|units|v469503||..||",
          "1972|Québec|2016A000224|Males|Persons|units|v469504|3010213|||"], label=""),
    Case("rain by the day",
         "Product code,Bureau of Meteorology station number,Year,Month,Day,Rainfall amount "
         "(millimet"
         "res),Period over which rainfall was measured (days),Quality\n"
         "IDCJAC0009,066062,2020,01,01,,,\nIDCJAC0009,066062,2020,01,02,0.0,1,Y\n"
         "IDCJAC0009,066062,2020,01,03,12.4,1,Y\nIDCJAC0009,066062,2020,01,04,3.2,2,N\n",
         "Product code|Bureau of Meteorology station number|Year|Month|Day|Rainfall amount "
         "(millimet"
         "res)|Period over which rainfall was measured (days)|Quality",
         ["IDCJAC0009|066062|2020|01|01|||", "IDCJAC0009|066062|2020|01|02|0.0|1|Y",
          "IDCJAC0009|066062|2020|01|03|12.4|1|Y", "IDCJAC0009|066062|2020|01|04|3.2|2|N"],
         label=""),
    Case("a station in columns, units below the names",
         "Heathrow (London Airport)\nLocation 507800E 176700N, Lat 51.479 Lon -0.449, 25m amsl\n"
         "Estimated data is marked with a * after the value.\n"
         "Missing data (more than 2 days missing in month) is marked by  ---.\n"
         "   yyyy  mm   tmax    tmin      af    rain     sun\n"
         "              degC    degC    days      mm   hours\n"
         "   1948   1    8.9     3.3    ---     85.0    ---\n"
         "   1948   2    7.9     2.2    ---     26.0    ---\n"
         "   1948   3   14.2     3.8    ---     14.0    ---\n"
         "   1948   4   15.4     5.1    ---     35.0    ---\n"
         "   1948   5   18.1     6.9    ---     57.0   221.3\n",
         "yyyy|mm|tmax|tmin|af|rain|sun",
         ["1948|1|8.9|3.3|---|85.0|---", "1948|2|7.9|2.2|---|26.0|---",
          "1948|3|14.2|3.8|---|14.0|---", "1948|4|15.4|5.1|---|35.0|---",
          "1948|5|18.1|6.9|---|57.0|221.3"], label="", file="t.txt", said=[BLANKS]),
    Case("samples of water",
         "@id,sample.samplingPoint.notation,sample.sampleDateTime,determinand.label,"
         "resultQualifier.notation,result,determinand.unit.label\n"
         "http://environment.data.gov.uk/water/1,AN-BE0245,2019-01-09T09:20:00,pH,,7.94,phunits\n"
         "http://environment.data.gov.uk/water/2,AN-BE0245,2019-01-09T09:20:00,Ammonia(N),<,0.03,"
         "mg/l\n"
         "http://environment.data.gov.uk/water/3,AN-BE0246,2019-01-10T11:05:00,Temp "
         "Water,,6.2,cel\n",
         "@id|sample.samplingPoint.notation|sample.sampleDateTime|determinand.label|"
         "resultQualifier.notation|result|determinand.unit.label",
         ["http://environment.data.gov.uk/water/1|AN-BE0245|2019-01-09T09:20:00|pH||7.94|phunits",
          "http://environment.data.gov.uk/water/2|AN-BE0245|2019-01-09T09:20:00|Ammonia(N)|<|0.03|"
          "mg/l", "http://environment.data.gov.uk/water/3|AN-BE0246|2019-01-10T11:05:00|Temp "
                  "Water||"
          "6.2|cel"], label=""),
    Case("stops of a timetable",
         "stop_id,stop_code,stop_name,stop_desc,stop_lat,stop_lon,location_type\n"
         '0001,1001,"Gare, quai A",,47.2173,-1.5417,0\n0002,1002,Place du '
         'Commerce,,47.2135,-1.5573,'
         '0\n0003,,Commerce,,47.2136,-1.5570,1\n',
         "stop_id|stop_code|stop_name|stop_desc|stop_lat|stop_lon|location_type",
         ["0001|1001|Gare, quai A||47.2173|-1.5417|0", "0002|1002|Place du "
                                                       "Commerce||47.2135|-1.5573"
          "|0", "0003||Commerce||47.2136|-1.5570|1"], label="", file="t.txt", said=[BY_LINES]),
    Case("tenders with quotes and lines in texts",
         'ocid,title,buyer,value,status\r\n'
         'ocds-b5fd17-1,"Supply of ""smart"" meters, phase 2",Leeds City Council,250000,awarded\r\n'
         'ocds-b5fd17-2,"Grounds maintenance:\r\n- mowing\r\n- hedges",Hull,,open\r\n'
         'ocds-b5fd17-3,Cleaning,"Bath & NE Somerset, Council of",98000.5,open\r\n',
         "ocid|title|buyer|value|status",
         ['ocds-b5fd17-1|Supply of "smart" meters, phase 2|Leeds City Council|250000|awarded',
          "ocds-b5fd17-2|Grounds maintenance:\r\n- mowing\r\n- hedges|Hull||open",
          "ocds-b5fd17-3|Cleaning|Bath & NE Somerset, Council of|98000.5|open"], label="status"),
    Case("adverse events between dollars",
         "primaryid$caseid$caseversion$event_dt$mfr_sndr$age$sex\n100150782$10015078$2$$PFIZER$61$"
         "F\n"
         "100150783$10015079$1$20190312$NOVARTIS$$M\n100150784$10015080$1$20190401$PFIZER$44$F\n",
         "primaryid|caseid|caseversion|event_dt|mfr_sndr|age|sex",
         ["100150782|10015078|2||PFIZER|61|F", "100150783|10015079|1|20190312|NOVARTIS||M",
          "100150784|10015080|1|20190401|PFIZER|44|F"], label="", file="t.txt",
         said=["separated by '$'"]),
    Case("nutrients between carets",
         "NDB_No^FdGrp_Cd^Long_Desc^N_Factor\n01001^0100^Butter, salted^6.38\n01002^0100^Butter, "
         "whipped, with salt^6.38\n01003^0100^Butter oil, anhydrous^6.38\n",
         "NDB_No|FdGrp_Cd|Long_Desc|N_Factor",
         ["01001|0100|Butter, salted|6.38", "01002|0100|Butter, whipped, with salt|6.38",
          "01003|0100|Butter oil, anhydrous|6.38"], label="", said=[CARETS], strict=""),
    Case("air with units in brackets, status beside",
         "Data supplied by UK-AIR on 19/3/2021\nAll Data GMT hour ending\nStatus: R = Ratified / "
         "P = Provisional / P* = As supplied\n\n,London Marylebone Road,,London Bloomsbury,\n"
         "Date,time,Nitrogen dioxide,status,Nitrogen dioxide,status\n"
         "01/01/2020,01:00,38.1,R ugm-3,21.0,P ugm-3\n01/01/2020,02:00,40.2,R ugm-3,22.4,P ugm-3\n"
         "01/01/2020,03:00,,,22.9,P ugm-3\n01/01/2020,04:00,35.0,R ugm-3,20.1,P ugm-3\n",
         "Date|time|Nitrogen dioxide|status|Nitrogen dioxide.2|status.2",
         ["01/01/2020|01:00|38.1|R ugm-3|21.0|P ugm-3",
          "01/01/2020|02:00|40.2|R ugm-3|22.4|P ugm-3", "01/01/2020|03:00|||22.9|P ugm-3",
          "01/01/2020|04:00|35.0|R ugm-3|20.1|P ugm-3"], label="", said=[ABOVE]),
    Case("Russian rows in windows-1251",
         "№;Наименование;Адрес;Телефон\n1;Школа № 12;ул. Ленина, 5;8(3522)45-12-10\n"
         "2;Детский сад «Ромашка»;пр. Мира, 14;8(3522)41-00-22\n3;Библиотека;ул. Гоголя, 30;\n",
         "№|Наименование|Адрес|Телефон",
         ["1|Школа № 12|ул. Ленина, 5|8(3522)45-12-10",
          "2|Детский сад «Ромашка»|пр. Мира, 14|8(3522)41-00-22",
          "3|Библиотека|ул. Гоголя, 30|"], label="", encoding="cp1251",
         said=["windows-1251", SEMICOLON]),
    Case("candidates with signs for nothing",
         '"DT_GERACAO";"ANO_ELEICAO";"SG_UF";"NM_CANDIDATO";"SG_PARTIDO";"DS_GENERO";"NM_EMAIL"\n'
         '"15/03/2021";"2018";"SP";"JOSÉ DA CONCEIÇÃO";"PT";"MASCULINO";"#NULO#"\n'
         '"15/03/2021";"2018";"RJ";"ANA LÚCIA ""ANINHA"" GÓES";"PSOL";"FEMININO";"a@b.com.br"\n'
         '"15/03/2021";"2018";"PA";"ANTÔNIO BRANDÃO";"MDB";"MASCULINO";"#NE#"\n',
         "DT_GERACAO|ANO_ELEICAO|SG_UF|NM_CANDIDATO|SG_PARTIDO|DS_GENERO|NM_EMAIL",
         ["15/03/2021|2018|SP|JOSÉ DA CONCEIÇÃO|PT|MASCULINO|#NULO#",
          '15/03/2021|2018|RJ|ANA LÚCIA "ANINHA" GÓES|PSOL|FEMININO|a@b.com.br',
          "15/03/2021|2018|PA|ANTÔNIO BRANDÃO|MDB|MASCULINO|#NE#"],
         label="DS_GENERO", encoding="latin-1", said=["windows-1252", SEMICOLON]),
    Case("a footnote whose quote is not closed",
         'Trust,Code,Attendances,Within 4 hours\nAiredale NHS Foundation Trust,RCF,4890,4401\n'
         '"Barnsley Hospital NHS, Foundation Trust",RFF,7512,7001\nBolton NHS Foundation Trust,RMC,'
         '9410,8010\n\n"Note: figures marked as ""provisional"" may change, see the\nguidance notes'
         ' for details\n',
         "Trust|Code|Attendances|Within 4 hours",
         ["Airedale NHS Foundation Trust|RCF|4890|4401",
          "Barnsley Hospital NHS, Foundation Trust|RFF|7512|7001",
          "Bolton NHS Foundation Trust|RMC|9410|8010"], label="", said=["left out"]),
    Case("three rows without a header",
         "51.5072,-0.1276,London\n53.4808,-2.2426,Manchester\n52.4862,-1.8904,Birmingham\n",
         "1|2|3", ["51.5072|-0.1276|London", "53.4808|-2.2426|Manchester",
                   "52.4862|-1.8904|Birmingham"], label="", said=[NO_HEADER], file="t.txt"),
]
