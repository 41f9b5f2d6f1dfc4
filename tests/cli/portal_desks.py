"""Imitations of what desks of statistics, transport, health and trade publish.

The form is that of portal_cases.py. They were written before they were read for the first time.
"""
from portal_cases import (ABOVE, BARS, BY_LINES, Case, HEADER_2, NO_HEADER, ONE_FIELD,
                          SEMICOLON, TABS)

DESKS = [
    Case("payments with blanks around amounts",
         'Body Name,Service Area,Date, Amount ,Supplier\r\n'
         'Kirklees,Adults,03/04/2018," 1,540.00 ",AGE UK\r\n'
         'Kirklees,Adults,03/04/2018, 612.50 ,"CARE, SOUTH"\r\n'
         'Kirklees,Place,04/04/2018," 10,000.00 ",VEOLIA\r\n'
         'Kirklees,Place,05/04/2018,-88.00 ,VEOLIA\r\n',
         "Body Name|Service Area|Date| Amount |Supplier",
         ["Kirklees|Adults|03/04/2018| 1,540.00 |AGE UK",
          "Kirklees|Adults|03/04/2018| 612.50 |CARE, SOUTH",
          "Kirklees|Place|04/04/2018| 10,000.00 |VEOLIA",
          "Kirklees|Place|05/04/2018|-88.00 |VEOLIA"], label=""),
    Case("pay in bands",
         "Job title,Salary band,Contract type,Team size\nChief Executive,\"£150,000 - "
         "£154,999\",FTE,"
         "2100\nDirector of Place,\"£105,000 - £109,999\",FTE,640\nHead of Legal,\"£65,000 - "
         "£69,999\""
         ",Fixed term,38\n", "Job title|Salary band|Contract type|Team size",
         ["Chief Executive|£150,000 - £154,999|FTE|2100",
          "Director of Place|£105,000 - £109,999|FTE|640",
          "Head of Legal|£65,000 - £69,999|Fixed term|38"], label=""),
    Case("practices in quotes without a header",
         '"A81001","THE DENSHAM SURGERY","Y54","HEALTH CENTRE","STOCKTON","TS18 1HU","19740401","",'
         '"A"\n"A81002","QUEENS PARK MEDICAL CENTRE","Y54","FARRER STREET","STOCKTON","TS18 2AW",'
         '"19740401","","A"\n"A81003","VICTORIA MEDICAL PRACTICE","Y54","VICTORIA '
         'ROAD","HARTLEPOOL",'
         '"TS26 8DB","19740401","20171031","C"\n"A81004","WOODLANDS ROAD SURGERY","Y54","6 '
         'WOODLANDS '
         'ROAD","MIDDLESBROUGH","TS1 3BE","19740401","","A"\n',
         "1|2|3|4|5|6|7|8|9",
         ["A81001|THE DENSHAM SURGERY|Y54|HEALTH CENTRE|STOCKTON|TS18 1HU|19740401||A",
          "A81002|QUEENS PARK MEDICAL CENTRE|Y54|FARRER STREET|STOCKTON|TS18 2AW|19740401||A",
          "A81003|VICTORIA MEDICAL PRACTICE|Y54|VICTORIA ROAD|HARTLEPOOL|TS26 "
          "8DB|19740401|20171031|"
          "C", "A81004|WOODLANDS ROAD SURGERY|Y54|6 WOODLANDS ROAD|MIDDLESBROUGH|TS1 3BE|19740401||"
          "A"], label="", said=[NO_HEADER]),
    Case("prices of houses without a header",
         '"{F887F88E-7D15-4415-804E-52EAC2F10958}","70000","1995-07-07 00:00","MK15 '
         '9HP","D","N","F",'
         '"31","","ALDRICH '
         'DRIVE","A"\n"{40FD4DF2-5362-407C-92BC-566E2CCE89E9}","44500","1995-02-03 '
         '00:00","SR6 0AQ","T","N","F","50","","HOWICK PARK","A"\n'
         '"{7A99F89E-7D81-4E45-ABD5-566E49A045EA}","56500","1995-01-13 00:00","CO6 '
         '1SQ","T","N","F",'
         '"19","","BRICK KILN CLOSE","A"\n', "1|2|3|4|5|6|7|8|9|10|11",
         ["{F887F88E-7D15-4415-804E-52EAC2F10958}|70000|1995-07-07 00:00|MK15 9HP|D|N|F|31||"
          "ALDRICH DRIVE|A", "{40FD4DF2-5362-407C-92BC-566E2CCE89E9}|44500|1995-02-03 00:00|SR6 "
                             "0AQ|"
          "T|N|F|50||HOWICK PARK|A", "{7A99F89E-7D81-4E45-ABD5-566E49A045EA}|56500|1995-01-13 "
                                     "00:00|"
          "CO6 1SQ|T|N|F|19||BRICK KILN CLOSE|A"], label="", said=[NO_HEADER]),
    Case("attendances below a list of what they are",
         "Title:,A&E Attendances and Emergency Admissions,,,\nSummary:,Monthly totals,,,\nPeriod:,"
         "January 2015,,,\nSource:,SDCS data collection - MSitAE,,,\n,,,,\nCode,Region,Name,Type 1,"
         "Type 2\nRJZ,London,King's College Hospital,12034,0\nRAX,London,Kingston "
         "Hospital,9120,210\n"
         "RTH,South,\"Oxford University Hospitals, NHS\",11002,1880\nRD1,South,Royal "
         "United,6210,0\n",
         "Code|Region|Name|Type 1|Type 2",
         ["RJZ|London|King's College Hospital|12034|0", "RAX|London|Kingston Hospital|9120|210",
          "RTH|South|Oxford University Hospitals, NHS|11002|1880", "RD1|South|Royal United|6210|0"],
         label="", said=[ABOVE]),
    Case("counties, one letter beyond ASCII",
         "SUMLEV,STATE,COUNTY,STNAME,CTYNAME,POPESTIMATE2019\n050,35,013,New Mexico,Doña Ana "
         "County,"
         "218195\n050,35,015,New Mexico,Eddy County,58460\n050,35,017,New Mexico,Grant "
         "County,26998\n",
         "SUMLEV|STATE|COUNTY|STNAME|CTYNAME|POPESTIMATE2019",
         ["050|35|013|New Mexico|Doña Ana County|218195", "050|35|015|New Mexico|Eddy County|58460",
          "050|35|017|New Mexico|Grant County|26998"], label="", encoding="latin-1",
         said=["windows-1252"]),
    Case("incomes, notes in quotes below",
         'GeoFIPS,GeoName,Region,LineCode,Description,2018,2019\n'
         '"00000","United States",,1,"Personal income (thousands of '
         'dollars)",17681159000,18402004000\n'
         '"01000","Alabama",5,1,"Personal income (thousands of dollars)",211241000,219000000\n'
         '"02000","Alaska *",8,1,"Personal income (thousands of dollars)",44065000,45000000\n'
         '"Note: See the included footnote file."\n"CAINC1: Personal income summary"\n'
         '"Last updated: November 17, 2020"\n"U.S. Bureau of Economic Analysis"\n',
         "GeoFIPS|GeoName|Region|LineCode|Description|2018|2019",
         ["00000|United States||1|Personal income (thousands of dollars)|17681159000|18402004000",
          "01000|Alabama|5|1|Personal income (thousands of dollars)|211241000|219000000",
          "02000|Alaska *|8|1|Personal income (thousands of dollars)|44065000|45000000"],
         label="", said=[ONE_FIELD]),
    Case("a rate by the day", "DATE,DEXUSEU\n2021-03-11,1.1972\n2021-03-12,1.1933\n2021-03-15,.\n"
         "2021-03-16,1.1910\n", "DATE|DEXUSEU",
         ["2021-03-11|1.1972", "2021-03-12|1.1933", "2021-03-15|.", "2021-03-16|1.1910"], label=""),
    Case("earthquakes",
         'time,latitude,longitude,depth,mag,magType,nst,place,type\n'
         '2021-03-19T10:05:12.330Z,38.8303,-122.8047,2.11,0.94,md,14,"6km NW of The Geysers, CA",'
         'earthquake\n2021-03-19T09:58:01.120Z,-29.74,-177.27,10,5.6,mww,,"Kermadec Islands, New '
         'Zealand",earthquake\n2021-03-19T09:40:00.000Z,46.2,-122.1,,1.1,ml,5,Mount St. Helens,'
         'explosion\n', "time|latitude|longitude|depth|mag|magType|nst|place|type",
         ["2021-03-19T10:05:12.330Z|38.8303|-122.8047|2.11|0.94|md|14|6km NW of The Geysers, CA|"
          "earthquake", "2021-03-19T09:58:01.120Z|-29.74|-177.27|10|5.6|mww||Kermadec Islands, New "
          "Zealand|earthquake", "2021-03-19T09:40:00.000Z|46.2|-122.1||1.1|ml|5|Mount St. Helens|"
          "explosion"], label="type"),
    Case("flights, a comma behind each line",
         '"YEAR","FL_DATE","OP_UNIQUE_CARRIER","ORIGIN","DEST","DEP_DELAY","CANCELLED",\n'
         '2020,2020-01-01,"EV","ORD","ICT",-5.00,0.00,\n2020,2020-01-01,"EV","MEM","ORD",,1.00,\n'
         '2020,2020-01-02,"DL","ATL","JFK",12.00,0.00,\n',
         "YEAR|FL_DATE|OP_UNIQUE_CARRIER|ORIGIN|DEST|DEP_DELAY|CANCELLED",
         ["2020|2020-01-01|EV|ORD|ICT|-5.00|0.00", "2020|2020-01-01|EV|MEM|ORD||1.00",
          "2020|2020-01-02|DL|ATL|JFK|12.00|0.00"], label=""),
    Case("first names without a header", "Emily,F,25953\nHannah,F,23080\nMadison,F,19967\nJacob,M,"
         "34471\nMichael,M,32035\n", "1|2|3",
         ["Emily|F|25953", "Hannah|F|23080", "Madison|F|19967", "Jacob|M|34471", "Michael|M|32035"],
         label="", file="t.txt", said=[BY_LINES, NO_HEADER]),
    Case("storms with stories",
         '"EVENT_ID","STATE","EVENT_TYPE","BEGIN_DATE_TIME","DAMAGE_PROPERTY","EPISODE_NARRATIVE"\n'
         '"842187","TEXAS","Hail","20-MAR-19 17:05:00","5.00K","Storms formed along a front.\n\n'
         'Some ""supercells"" had hail, up to 2 inches."\n"842188","TEXAS","Hail","20-MAR-19 '
         '17:30:00","0.00K",""\n"842190","OHIO","Flood","21-MAR-19 01:00:00",,"Rain; more rain."\n',
         "EVENT_ID|STATE|EVENT_TYPE|BEGIN_DATE_TIME|DAMAGE_PROPERTY|EPISODE_NARRATIVE",
         ["842187|TEXAS|Hail|20-MAR-19 17:05:00|5.00K|Storms formed along a front.\n\nSome "
          '"supercells" had hail, up to 2 inches.', "842188|TEXAS|Hail|20-MAR-19 17:30:00|0.00K|",
          "842190|OHIO|Flood|21-MAR-19 01:00:00||Rain; more rain."], label="EVENT_TYPE"),
    Case("prices of gas below where they come from",
         "Henry Hub Natural Gas Spot Price\nhttps://www.eia.gov/dnav/ng/hist/rngwhhdm.htm\n"
         "10:22:01 GMT-0400 (Eastern Daylight Time)\nSource: Thomson Reuters\n"
         "Month,Henry Hub Natural Gas Spot Price Dollars per Million Btu\nFeb 2021,5.35\nJan "
         "2021,2.71"
         "\nDec 2020,2.59\nNov 2020,2.61\n",
         "Month|Henry Hub Natural Gas Spot Price Dollars per Million Btu",
         ["Feb 2021|5.35", "Jan 2021|2.71", "Dec 2020|2.59", "Nov 2020|2.61"],
         label="", said=[ABOVE]),
    Case("stations now, an empty line above",
         "\nstn;time;tre200s0;rre150z0;sre000z0\nTAE;202103191000;3.1;0.0;10\nCOM;202103191000;"
         "4.6;-;7"
         "\nABO;202103191000;-2.2;0.1;-\nAIG;202103191000;6.0;0.0;9\n",
         "stn|time|tre200s0|rre150z0|sre000z0",
         ["TAE|202103191000|3.1|0.0|10", "COM|202103191000|4.6|-|7", "ABO|202103191000|-2.2|0.1|-",
          "AIG|202103191000|6.0|0.0|9"], label="", said=[SEMICOLON]),
    Case("districts below a title in two languages",
         "Bevölkerung nach Bezirken / Population by districts;;;;;\nNUTS1;DISTRICT_CODE;SEX;AGE;"
         "REF_DATE;POP\nAT1;90100;1;0;20200101;78\nAT1;90100;2;0;20200101;71\nAT1;90200;1;0;"
         "20200101;"
         "560\nAT1;90200;2;0;20200101;523\n", "NUTS1|DISTRICT_CODE|SEX|AGE|REF_DATE|POP",
         ["AT1|90100|1|0|20200101|78", "AT1|90100|2|0|20200101|71", "AT1|90200|1|0|20200101|560",
          "AT1|90200|2|0|20200101|523"], label="", said=[SEMICOLON, ABOVE]),
    Case("trees with shapes",
         "FID,OBJECTID,SHAPE,BAUM_ID,BEZIRK,GATTUNG_ART,PFLANZJAHR\n"
         "BAUMKATOGD.7341233,7341233,POINT (16.389 48.198),1001,3,Acer platanoides "
         "(Spitzahorn),1995\n"
         'BAUMKATOGD.7341234,7341234,POINT (16.390 48.199),1002,3,"Tilia cordata \'Rancho\'",0\n'
         "BAUMKATOGD.7341235,7341235,POINT (16.391 48.200),1003,,Aesculus hippocastanum,1910\n",
         "FID|OBJECTID|SHAPE|BAUM_ID|BEZIRK|GATTUNG_ART|PFLANZJAHR",
         ["BAUMKATOGD.7341233|7341233|POINT (16.389 48.198)|1001|3|Acer platanoides (Spitzahorn)|"
          "1995", "BAUMKATOGD.7341234|7341234|POINT (16.390 48.199)|1002|3|Tilia cordata "
                  "'Rancho'|0",
          "BAUMKATOGD.7341235|7341235|POINT (16.391 48.200)|1003||Aesculus hippocastanum|1910"],
         label=""),
    Case("points of charge",
         'nom_amenageur,siren_amenageur,id_station,coordonneesXY,nbre_pdc,gratuit,date_maj\n'
         'SIEA,250100017,FRS01PSTA1,"[5.2258, 46.2052]",2,false,2021-02-15\n'
         'Métropole de Lyon,200046977,FRS69P1,"[4.8357, 45.7640]",4,TRUE,2021-02-15\n'
         'SIEA,250100017,FRS01PSTA2,"[5.3, 46.1]",1,,2021-01-03\n',
         "nom_amenageur|siren_amenageur|id_station|coordonneesXY|nbre_pdc|gratuit|date_maj",
         ["SIEA|250100017|FRS01PSTA1|[5.2258, 46.2052]|2|false|2021-02-15",
          "Métropole de Lyon|200046977|FRS69P1|[4.8357, 45.7640]|4|TRUE|2021-02-15",
          "SIEA|250100017|FRS01PSTA2|[5.3, 46.1]|1||2021-01-03"], label=""),
    Case("observations, mq for missing, a semicolon behind",
         "numer_sta;date;pmer;tend;dd;ff;t;\n07005;20210319000000;102860;50;50;4.6;274.45;\n"
         "07015;20210319000000;102850;mq;60;5.1;274.15;\n07020;20210319000000;102690;20;70;mq;"
         "278.65;"
         "\n", "numer_sta|date|pmer|tend|dd|ff|t",
         ["07005|20210319000000|102860|50|50|4.6|274.45",
          "07015|20210319000000|102850|mq|60|5.1|274.15",
          "07020|20210319000000|102690|20|70|mq|278.65"], label="", said=[SEMICOLON]),
    Case("people with flags in quotes",
         '\ufeff"ITTER107","Territorio","SEXISTAT1","Sesso","TIME","Value","Flag Codes","Flags"\n'
         '"ITC1","Piemonte","1","maschi","2020",2098592,,\n"ITC2","Valle d\'Aosta","1","maschi",'
         '"2020",61219,"p","dato provvisorio"\n"ITC4","Lombardia","2","femmine","2020",5113000,,\n',
         "ITTER107|Territorio|SEXISTAT1|Sesso|TIME|Value|Flag Codes|Flags",
         ["ITC1|Piemonte|1|maschi|2020|2098592||",
          "ITC2|Valle d'Aosta|1|maschi|2020|61219|p|dato provvisorio",
          "ITC4|Lombardia|2|femmine|2020|5113000||"], label=""),
    Case("shops in UTF-16",
         '"ID_Bcn","Nom_Local","Nom_Barri","Latitud","Data_Revisio"\r\n"1001","Forn de Sant '
         'Jaume","la '
         'Marina del Prat Vermell","41.3569","20190613"\r\n"1002","Òptica Núria","el Poble-sec",'
         '"41.3751","20190614"\r\n"1003","SN","Sarrià","41.3990",""\r\n'.encode("utf-16"),
         "ID_Bcn|Nom_Local|Nom_Barri|Latitud|Data_Revisio",
         ["1001|Forn de Sant Jaume|la Marina del Prat Vermell|41.3569|20190613",
          "1002|Òptica Núria|el Poble-sec|41.3751|20190614", "1003|SN|Sarrià|41.3990|"],
         label="", said=["UTF-16"]),
    Case("municipalities between bars",
         "CD_YEAR|CD_REFNIS|TX_DESCR_NL|TX_DESCR_FR|MS_POPULATION|MS_AREA\n2020|11001|Aartselaar|"
         "Aartselaar|14298|10.93\n2020|62063|Luik|Liège|197217|68.84\n2020|92094|Namen|Namur|"
         "111432|"
         "176.19\n", "CD_YEAR|CD_REFNIS|TX_DESCR_NL|TX_DESCR_FR|MS_POPULATION|MS_AREA",
         ["2020|11001|Aartselaar|Aartselaar|14298|10.93", "2020|62063|Luik|Liège|197217|68.84",
          "2020|92094|Namen|Namur|111432|176.19"], label="", file="t.txt", said=[BARS, BY_LINES]),
    Case("two columns without names, a title",
         '"Folketal efter køn, område og tid"\n\n" "," ","2019K1","2019K2","2019K3"\n"Mænd",'
         '"København",306980,307450,309860\n"","Aarhus",170470,170240,173200\n"Kvinder",'
         '"København",'
         '316430,316760,319440\n"","Aarhus",175410,175130,178300\n',
         "1|2|2019K1|2019K2|2019K3",
         ["Mænd|København|306980|307450|309860", "|Aarhus|170470|170240|173200",
          "Kvinder|København|316430|316760|319440", "|Aarhus|175410|175130|178300"],
         label="", encoding="latin-1", said=["windows-1252", ABOVE]),
    Case("votes of towns in windows-1250",
         "OKRES;OBEC;NAZEVOBCE;OKRSEK;VOL_SEZNAM;VYD_OBALKY\n6202;582786;Brno-město;1;1020;"
         "655\n6202;"
         "582786;Brno-město;2;988;601\n6301;567892;Havlíčkův Brod;1;870;512\n",
         "OKRES|OBEC|NAZEVOBCE|OKRSEK|VOL_SEZNAM|VYD_OBALKY",
         ["6202|582786|Brno-město|1|1020|655", "6202|582786|Brno-město|2|988|601",
          "6301|567892|Havlíčkův Brod|1|870|512"], label="", encoding="cp1250",
         said=["windows-1250", SEMICOLON]),
    Case("a Hungarian table below its title",
         "22.1.1.1. A népesség száma;;;\nÉv;Férfi;Nő;Összesen\n2018;4 674 568;5 103 803;9 778 371\n"
         "2019;4 680 000;5 092 756;9 772 756\n2020;4 684 000;5 085 526;9 769 526\n",
         "Év|Férfi|Nő|Összesen",
         ["2018|4 674 568|5 103 803|9 778 371", "2019|4 680 000|5 092 756|9 772 756",
          "2020|4 684 000|5 085 526|9 769 526"], label="", encoding="cp1250",
         said=["windows-1250", SEMICOLON, ABOVE]),
    Case("crops of the world with flags",
         '"Domain Code","Domain","Area Code","Area","Item","Year","Unit","Value","Flag"\n'
         '"QC","Crops","4","Afghanistan","Almonds, with shell","2019","tonnes","38205",""\n'
         '"QC","Crops","107","Côte d\'Ivoire","Yams","2019","tonnes","7176000","F"\n'
         '"QC","Crops","351","China","Rice, paddy","2019","tonnes","211405211","A"\n',
         "Domain Code|Domain|Area Code|Area|Item|Year|Unit|Value|Flag",
         ["QC|Crops|4|Afghanistan|Almonds, with shell|2019|tonnes|38205|",
          "QC|Crops|107|Côte d'Ivoire|Yams|2019|tonnes|7176000|F",
          "QC|Crops|351|China|Rice, paddy|2019|tonnes|211405211|A"], label=""),
    Case("an outlook between tabs that ends in xls",
         "WEO Country Code\tISO\tSubject Descriptor\tUnits\t2019\t2020\tEstimates Start After\n"
         "512\tAFG\tUnemployment rate\tPercent\tn/a\tn/a\t2018\n914\tALB\tUnemployment "
         "rate\tPercent\t"
         "11.5\t12.5\t2020\n612\tDZA\tGross debt\t\"National currency\"\t9,344.10\t--\t2019\n",
         "WEO Country Code|ISO|Subject Descriptor|Units|2019|2020|Estimates Start After",
         ["512|AFG|Unemployment rate|Percent|n/a|n/a|2018",
          "914|ALB|Unemployment rate|Percent|11.5|12.5|2020",
          "612|DZA|Gross debt|National currency|9,344.10|--|2019"], label="", file="t.xls",
         said=["by its first line"]),
    Case("licences with phones and dates",
         "License ID,Business Name,Phone,Issued,Expires,Latitude\n0012345,\"JOE'S PIZZA, INC.\","
         "(312) 555-0100,2019-01-16,01/15/2021,41.88\n0012346,Blue Door,312.555.0101,2019-02-16,"
         "02/15/2021,\n0012347,#1 Nails,,2019-03-16,03/15/2021,41.9\n",
         "License ID|Business Name|Phone|Issued|Expires|Latitude",
         ["0012345|JOE'S PIZZA, INC.|(312) 555-0100|2019-01-16|01/15/2021|41.88",
          "0012346|Blue Door|312.555.0101|2019-02-16|02/15/2021|",
          "0012347|#1 Nails||2019-03-16|03/15/2021|41.9"], label=""),
    Case("schools with names of columns over two lines and units",
         "School,Pupils,,Meals,\n,Boys,Girls,Free,Paid\nSt. Mary's,120,130,45,205\nHill "
         "Top,210,198,"
         "101,307\nRiverside,99,105,12,192\n",
         "School|Pupils Boys|Pupils Girls|Meals Free|Meals Paid",
         ["St. Mary's|120|130|45|205", "Hill Top|210|198|101|307", "Riverside|99|105|12|192"],
         label="", said=[HEADER_2]),
    Case("waters with signs for less than",
         "Stelle;Datum;Nitrat mg/l;pH;Blei "
         "µg/l\nB1;12.03.2019;<0,5;7,1;<1\nB1;15.09.2019;0,8;7,3;1,2\n"
         "B2;12.03.2019;12,4;6,9;n.b.\nB2;15.09.2019;11,0;7,0;<1\n",
         "Stelle|Datum|Nitrat mg/l|pH|Blei µg/l",
         ["B1|12.03.2019|<0,5|7,1|<1", "B1|15.09.2019|0,8|7,3|1,2", "B2|12.03.2019|12,4|6,9|n.b.",
          "B2|15.09.2019|11,0|7,0|<1"], label="", encoding="latin-1",
         said=["windows-1252", SEMICOLON]),
    Case("a budget with rows of sums and empty lines",
         "Produktbereich;Ansatz 2019;Ansatz 2020\n11 Innere Verwaltung;1.200.000,00;1.250.000,00\n"
         "12 Sicherheit;300.500,50;310.000,00\nSumme;1.500.500,50;1.560.000,00\n\n21 Schulen;"
         "800.000,00;820.000,00\n25 Kultur;90.000,00;85.000,00\nSumme;890.000,00;905.000,00\n",
         "Produktbereich|Ansatz 2019|Ansatz 2020",
         ["11 Innere Verwaltung|1.200.000,00|1.250.000,00", "12 Sicherheit|300.500,50|310.000,00",
          "Summe|1.500.500,50|1.560.000,00", "21 Schulen|800.000,00|820.000,00",
          "25 Kultur|90.000,00|85.000,00", "Summe|890.000,00|905.000,00"],
         label="", said=[SEMICOLON]),
    Case("codes that a spreadsheet was to keep",
         'FIPS,County,Cases\n="01001",Autauga,12\n="01003",Baldwin,40\n="01005",Barbour,3\n',
         "FIPS|County|Cases", ["01001|Autauga|12", "01003|Baldwin|40", "01005|Barbour|3"],
         label="", said=['such as ="01"'], strict="quote inside"),
    Case("an export with the number of its rows above",
         "3 records found\nid,street,condition\n1,Mill Lane,good\n2,High Street,poor\n3,Station "
         "Road,"
         "fair\n", "id|street|condition",
         ["1|Mill Lane|good", "2|High Street|poor", "3|Station Road|fair"], label="", said=[ABOVE]),
    Case("tabs and quotes in csv",
         '"Año"\t"Municipio"\t"Inversión"\t"Observaciones"\n"2018"\t"Almería"\t"1.200,50"\t"Fase '
         '""A"""'
         '\n"2018"\t"Níjar"\t"800,00"\t""\n"2019"\t"Adra"\t"75,00"\t"sin, datos"\n',
         "Año|Municipio|Inversión|Observaciones",
         ['2018|Almería|1.200,50|Fase "A"', "2018|Níjar|800,00|", "2019|Adra|75,00|sin, datos"],
         label="", said=[TABS]),
    Case("one row for each year, years first",
         "Year,Births,Deaths\n2015,697852,529655\n2016,696271,525048\n2017,679106,533253\n2018,"
         "657076,"
         "541589\n", "Year|Births|Deaths",
         ["2015|697852|529655", "2016|696271|525048", "2017|679106|533253", "2018|657076|541589"],
         label=""),
    Case("words of a survey in quotes with line ends of one kind and another",
         'RespondentID,"How satisfied are you\r\nwith the service?",Comment\r\n1,Very '
         'satisfied,"Good\n'
         'staff"\r\n2,Neutral,\r\n3,Dissatisfied,"Too slow, too far"\r\n',
         "RespondentID|How satisfied are you\r\nwith the service?|Comment",
         ["1|Very satisfied|Good\nstaff", "2|Neutral|", "3|Dissatisfied|Too slow, too far"],
         label=""),
]
