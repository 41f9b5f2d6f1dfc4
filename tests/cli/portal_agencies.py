"""Imitations of what agencies, ministries and town halls publish.

The form is that of portal_cases.py. They were written before they were read for the first time.
"""
from portal_cases import ABOVE, BARS, BY_LINES, Case, NO_HEADER, ONE_FIELD, QUOTES, SEMICOLON

AGENCIES = [
    Case("requests with agencies",
         'Unique Key,Created Date,Agency,Complaint Type,Incident Zip,Status,Location\n'
         '42106111,03/31/2019 11:59:58 PM,NYPD,Noise - Residential,10453,Closed,"(40.85, -73.91)"\n'
         '42106112,03/31/2019 11:59:12 PM,HPD,HEAT/HOT WATER,11226,Closed,"(40.65, -73.95)"\n'
         '42106113,03/31/2019 11:58:00 PM,DOT,"Street Light, Out",,Open,\n',
         "Unique Key|Created Date|Agency|Complaint Type|Incident Zip|Status|Location",
         ["42106111|03/31/2019 11:59:58 PM|NYPD|Noise - Residential|10453|Closed|(40.85, -73.91)",
          "42106112|03/31/2019 11:59:12 PM|HPD|HEAT/HOT WATER|11226|Closed|(40.65, -73.95)",
          "42106113|03/31/2019 11:58:00 PM|DOT|Street Light, Out||Open|"], label="Status"),
    Case("boroughs, names over several lines",
         'Code,Area_name,"GLA_Population_Estimate\n2017","Inland_Area_(Hectares)",'
         '"%_of_resident_population_born_abroad_(2015)"\n'
         'E09000001,City of London,"8,800",290,.\nE09000002,Barking and Dagenham,"209,000","3,611",'
         '37.8\nE09000003,Barnet,"389,600","8,675",35.2\n',
         "Code|Area_name|GLA_Population_Estimate\n2017|Inland_Area_(Hectares)|"
         "%_of_resident_population_born_abroad_(2015)",
         ["E09000001|City of London|8,800|290|.",
          "E09000002|Barking and Dagenham|209,000|3,611|37.8",
          "E09000003|Barnet|389,600|8,675|35.2"], label=""),
    Case("searches by the police",
         "Type,Date,Part of a policing operation,Latitude,Longitude,Gender,Age range,Outcome\r\n"
         "Person search,2019-03-01T00:05:00+00:00,,51.4543,-2.5879,Male,18-24,A no further action "
         "disposal\r\nPerson and Vehicle search,2019-03-01T01:10:00+00:00,False,,,Male,over 34,"
         "Arrest\r\nVehicle search,2019-03-01T02:00:00+00:00,,51.38,-2.36,,,Arrest\r\n",
         "Type|Date|Part of a policing operation|Latitude|Longitude|Gender|Age range|Outcome",
         ["Person search|2019-03-01T00:05:00+00:00||51.4543|-2.5879|Male|18-24|"
          "A no further action disposal",
          "Person and Vehicle search|2019-03-01T01:10:00+00:00|False|||Male|over 34|Arrest",
          "Vehicle search|2019-03-01T02:00:00+00:00||51.38|-2.36|||Arrest"], label="Outcome"),
    Case("accidents with decimal commas in quotes",
         '"Num_Acc";"jour";"mois";"an";"dep";"adr";"lat";"long"\n'
         '"201900000001";"30";"11";"2019";"93";"AUTOROUTE A3";"48,8962100";"2,4701200"\n'
         '"201900000002";"30";"11";"2019";"2A";"RUE DE L\'ÉGLISE";"41,9307000";"8,7400000"\n'
         '"201900000003";"28";"11";"2019";"92";"";"48,9050000";"2,2900000"\n',
         "Num_Acc|jour|mois|an|dep|adr|lat|long",
         ["201900000001|30|11|2019|93|AUTOROUTE A3|48,8962100|2,4701200",
          "201900000002|30|11|2019|2A|RUE DE L'ÉGLISE|41,9307000|8,7400000",
          "201900000003|28|11|2019|92||48,9050000|2,2900000"],
         label="", encoding="latin-1", said=["windows-1252", SEMICOLON]),
    Case("sales of land between bars",
         "Code service CH|No disposition|Date mutation|Nature mutation|Valeur fonciere|Code postal|"
         "Commune|Surface terrain\n|000001|05/01/2018|Vente|109000,00|01370|VAL-REVERMONT|520\n"
         "|000001|04/01/2018|Vente|239300,00|01000|BOURG-EN-BRESSE|\n"
         "|000002|04/01/2018|Echange||01240|SAINT-PAUL-DE-VARAX|1290\n",
         "Code service CH|No disposition|Date mutation|Nature mutation|Valeur fonciere|Code postal|"
         "Commune|Surface terrain",
         ["|000001|05/01/2018|Vente|109000,00|01370|VAL-REVERMONT|520",
          "|000001|04/01/2018|Vente|239300,00|01000|BOURG-EN-BRESSE|",
          "|000002|04/01/2018|Echange||01240|SAINT-PAUL-DE-VARAX|1290"],
         label="", file="t.txt", said=[BARS, BY_LINES]),
    Case("prescriptions, padded, a column of blanks at the end",
         " SHA,PCT,PRACTICE,BNF NAME            ,ITEMS  ,NIC        ,PERIOD,         \n"
         "Q44,RTV,Y04937,Zopiclone_Tab 7.5mg ,0000006,00000001.56,201801,         \n"
         "Q44,RTV,Y04937,Diazepam_Tab 2mg    ,0000004,00000000.87,201801,         \n"
         "Q44,RTV,Y05218,Aciclovir_Crm 5%    ,0000001,00000001.02,201801,         \n",
         " SHA|PCT|PRACTICE|BNF NAME            |ITEMS  |NIC        |PERIOD|8",
         ["Q44|RTV|Y04937|Zopiclone_Tab 7.5mg |0000006|00000001.56|201801|         ",
          "Q44|RTV|Y04937|Diazepam_Tab 2mg    |0000004|00000000.87|201801|         ",
          "Q44|RTV|Y05218|Aciclovir_Crm 5%    |0000001|00000001.02|201801|         "], label=""),
    Case("regions by the day",
         "data,stato,codice_regione,denominazione_regione,lat,long,ricoverati,note\n"
         "2020-02-24T18:00:00,ITA,13,Abruzzo,42.35122196,13.39843823,0,\n"
         "2020-02-24T18:00:00,ITA,04,P.A. Bolzano,46.49933453,11.35662422,1,\n"
         '2020-02-24T18:00:00,ITA,08,Emilia-Romagna,44.49436681,11.3417208,10,"dato, '
         'provvisorio"\n',
         "data|stato|codice_regione|denominazione_regione|lat|long|ricoverati|note",
         ["2020-02-24T18:00:00|ITA|13|Abruzzo|42.35122196|13.39843823|0|",
          "2020-02-24T18:00:00|ITA|04|P.A. Bolzano|46.49933453|11.35662422|1|",
          "2020-02-24T18:00:00|ITA|08|Emilia-Romagna|44.49436681|11.3417208|10|"
          "dato, provvisorio"], label=""),
    Case("text of a spreadsheet in UTF-16",
         "Bezirk\tStraße\tAnzahl\tPreis\r\nMitte\tLindenstraße\t12\t3,50 €\r\nPankow\tSchönhauser "
         "Allee\t7\t2,00 €\r\nSpandau\tAltstadt\t9\t\r\n".encode("utf-16"),
         "Bezirk|Straße|Anzahl|Preis",
         ["Mitte|Lindenstraße|12|3,50 €", "Pankow|Schönhauser Allee|7|2,00 €",
          "Spandau|Altstadt|9|"], label="", file="t.txt", said=["UTF-16", BY_LINES]),
    Case("climate of a station, padded, a mark at the end",
         "STATIONS_ID;MESS_DATUM;QN_3;  FX;  FM;QN_4; RSK;RSKF;eor\r\n"
         "         44;20190101;   10;  12.9;   4.9;    3;   0.0;   6;eor\r\n"
         "         44;20190102;   10;  10.8;   3.1;    3;-999;   6;eor\r\n"
         "         44;20190103;   10;   4.4;   1.2;    3;   0.4;   6;eor\r\n"
         "         44;20190104;   10;   6.0;   2.0;    3;   1.1;   6;eor\r\n",
         "STATIONS_ID|MESS_DATUM|QN_3|  FX|  FM|QN_4| RSK|RSKF|eor",
         ["         44|20190101|   10|  12.9|   4.9|    3|   0.0|   6|eor",
          "         44|20190102|   10|  10.8|   3.1|    3|-999|   6|eor",
          "         44|20190103|   10|   4.4|   1.2|    3|   0.4|   6|eor",
          "         44|20190104|   10|   6.0|   2.0|    3|   1.1|   6|eor"],
         label="", file="t.txt", said=[SEMICOLON, BY_LINES]),
    Case("quarters of a town with outlines",
         "OBJECTNUMMER;Buurtcode;Buurt;Opp_m2;WKT_LNG_LAT\n"
         "1;F81d;Calandlaan/Lelylaan;284807;POLYGON((4.79 52.35,4.80 52.35,4.80 52.36,4.79 "
         "52.35))\n"
         "2;F81e;Osdorp Zuidoost;535087;POLYGON((4.80 52.35,4.81 52.35,4.81 52.36,4.80 52.35))\n"
         "3;F82a;Osdorp Midden Noord;105993;POLYGON((4.78 52.36,4.79 52.36,4.79 52.37,4.78 "
         "52.36))\n",
         "OBJECTNUMMER|Buurtcode|Buurt|Opp_m2|WKT_LNG_LAT",
         ["1|F81d|Calandlaan/Lelylaan|284807|POLYGON((4.79 52.35,4.80 52.35,4.80 52.36,4.79 "
          "52.35))",
          "2|F81e|Osdorp Zuidoost|535087|POLYGON((4.80 52.35,4.81 52.35,4.81 52.36,4.80 52.35))",
          "3|F82a|Osdorp Midden Noord|105993|POLYGON((4.78 52.36,4.79 52.36,4.79 52.37,4.78 "
          "52.36))"],
         label="", said=[SEMICOLON]),
    Case("people with points between thousands",
         "\ufeffComunidades y Ciudades Autónomas;Sexo;Periodo;Total\r\n"
         "Total Nacional;Total;2020;47.450.795\r\n01 Andalucía;Hombres;2020;4.172.318\r\n"
         "01 Andalucía;Mujeres;2020;4.292.093\r\n18 Ceuta;Mujeres;2020;41.6\r\n",
         "Comunidades y Ciudades Autónomas|Sexo|Periodo|Total",
         ["Total Nacional|Total|2020|47.450.795", "01 Andalucía|Hombres|2020|4.172.318",
          "01 Andalucía|Mujeres|2020|4.292.093", "18 Ceuta|Mujeres|2020|41.6"],
         label="", said=[SEMICOLON]),
    Case("a series with titles and a source",
         "Índice de Precios de Consumo. Base 2016\nÍndices nacionales: general y de grupos "
         "ECOICOP\n"
         "\n ;2020M03;2020M02;2020M01\nÍndice general;104,2;104,6;104,7\n01 Alimentos;105,9;105,0;"
         "105,3\n02 Bebidas alcohólicas;104,8;104,7;104,6\n03 Vestido;97,1;90,0;91,2\n\n"
         "Fuente: Instituto Nacional de Estadística\n",
         "1|2020M03|2020M02|2020M01",
         ["Índice general|104,2|104,6|104,7", "01 Alimentos|105,9|105,0|105,3",
          "02 Bebidas alcohólicas|104,8|104,7|104,6", "03 Vestido|97,1|90,0|91,2"],
         label="", encoding="cp1252", said=["windows-1252", SEMICOLON, ABOVE, ONE_FIELD]),
    Case("names with semicolons in quotes, one behind each row",
         'Kod;Nazwa;"ludność;ogółem;2019;[osoba]";"ludność;miasta;2019;[osoba]";\n'
         '0000000;POLSKA;38382576;23033066;\n0200000;DOLNOŚLĄSKIE;2900163;1987404;\n'
         '0400000;KUJAWSKO-POMORSKIE;2072373;1219437;\n',
         "Kod|Nazwa|ludność;ogółem;2019;[osoba]|ludność;miasta;2019;[osoba]",
         ["0000000|POLSKA|38382576|23033066", "0200000|DOLNOŚLĄSKIE|2900163|1987404",
          "0400000|KUJAWSKO-POMORSKIE|2072373|1219437"], label="", said=[SEMICOLON]),
    Case("values with codes of lists",
         '"idhod","hodnota","stapro_kod","pohlavi_kod","vuzemi_kod","rok","pohlavi_txt",'
         '"vuzemi_txt"'
         '\r\n"712","10693939","2406","","19","2020","","Česká republika"\r\n'
         '"713","5271996","2406","1","19","2020","muž","Česká republika"\r\n'
         '"714","662156","2406","1","3018","2020","muž","Hlavní město Praha"\r\n',
         "idhod|hodnota|stapro_kod|pohlavi_kod|vuzemi_kod|rok|pohlavi_txt|vuzemi_txt",
         ["712|10693939|2406||19|2020||Česká republika",
          "713|5271996|2406|1|19|2020|muž|Česká republika",
          "714|662156|2406|1|3018|2020|muž|Hlavní město Praha"], label=""),
    Case("a few Slovak rows in windows-1250",
         "Číslo;Dodávateľ;Predmet;Suma\n1;Košická stavebná, s.r.o.;Oprava ciest;12500,00\n"
         "2;Žilinské vodárne;Údržba siete;830,40\n3;Ľubomír Ďuriš;Služby;99,00\n",
         "Číslo|Dodávateľ|Predmet|Suma",
         ["1|Košická stavebná, s.r.o.|Oprava ciest|12500,00",
          "2|Žilinské vodárne|Údržba siete|830,40", "3|Ľubomír Ďuriš|Služby|99,00"],
         label="", encoding="cp1250", said=["windows-1250", SEMICOLON]),
    Case("a few Croatian rows in windows-1250",
         "RB;Županija;Grad;Iznos\n1;Sisačko-moslavačka;Petrinja;15000\n2;Međimurska;Čakovec;8200\n"
         "3;Šibensko-kninska;Drniš;4100\n4;Zagrebačka;Velika Gorica;9900\n",
         "RB|Županija|Grad|Iznos",
         ["1|Sisačko-moslavačka|Petrinja|15000", "2|Međimurska|Čakovec|8200",
          "3|Šibensko-kninska|Drniš|4100", "4|Zagrebačka|Velika Gorica|9900"],
         label="", encoding="cp1250", said=["windows-1250", SEMICOLON]),
    Case("a table of towns, its title and its source in quotes",
         '"Tabela 6579 - População residente estimada"\n'
         '"Variável - População residente estimada (Pessoas)"\n'
         '"Município";"2018";"2019";"2020"\n"Porto Velho (RO)";519436;529544;539354\n'
         '"Rio Branco (AC)";401155;407319;413418\n"Manaus (AM)";2145444;2182763;2219580\n'
         '"Boa Vista (RR)";375374;399213;"..."\n'
         '"Fonte: IBGE - Estimativas de População"\n',
         "Município|2018|2019|2020",
         ["Porto Velho (RO)|519436|529544|539354", "Rio Branco (AC)|401155|407319|413418",
          "Manaus (AM)|2145444|2182763|2219580", "Boa Vista (RR)|375374|399213|..."],
         label="", said=[SEMICOLON, ABOVE, ONE_FIELD]),
    Case("a title in quotes and an empty line",
         '"Population by Area, Year and Information"\n\n"Area","2019 Population","2020 '
         'Population"\n'
         '"WHOLE COUNTRY",5525292,5533793\n"Helsinki",653835,656920\n"Espoo",289731,292796\n',
         "Area|2019 Population|2020 Population",
         ["WHOLE COUNTRY|5525292|5533793", "Helsinki|653835|656920", "Espoo|289731|292796"],
         label="", said=[ABOVE]),
    Case("weather in quotes, padded numbers",
         '"STATION","NAME","LATITUDE","DATE","PRCP","PRCP_ATTRIBUTES","TMAX"\n'
         '"USW00094728","NY CITY CENTRAL PARK, NY US","40.77898","2020-01-01","   0.0",",,W,2400",'
         '"  41"\n"USW00094728","NY CITY CENTRAL PARK, NY US","40.77898","2020-01-02","   0.0",",,W'
         ',2400","  49"\n"USW00094728","NY CITY CENTRAL PARK, NY US","40.77898","2020-01-03","   '
         '0.14",",,W,2400",\n',
         "STATION|NAME|LATITUDE|DATE|PRCP|PRCP_ATTRIBUTES|TMAX",
         ["USW00094728|NY CITY CENTRAL PARK, NY US|40.77898|2020-01-01|   0.0|,,W,2400|  41",
          "USW00094728|NY CITY CENTRAL PARK, NY US|40.77898|2020-01-02|   0.0|,,W,2400|  49",
          "USW00094728|NY CITY CENTRAL PARK, NY US|40.77898|2020-01-03|   0.14|,,W,2400|"],
         label=""),
    Case("gifts between bars without a header",
         "C00401224|A|M6|P|201706|15E|IND|SMITH, JOHN|AUSTIN|TX|78701|05312017|25|\n"
         "C00401224|A|M6|P|201706|15E|IND|DOE, JANE|RENO|NV|895012233|05302017|100|\n"
         "C00000935|N|MY|P|201707|15|IND|ROE, R.|SALEM|OR|97301|06012017|250|\n"
         "C00000935|N|MY|P|201707|15|IND|POE, EDGAR|BALTIMORE|MD|21201|06022017|500|\n",
         "1|2|3|4|5|6|7|8|9|10|11|12|13|14",
         ["C00401224|A|M6|P|201706|15E|IND|SMITH, JOHN|AUSTIN|TX|78701|05312017|25|",
          "C00401224|A|M6|P|201706|15E|IND|DOE, JANE|RENO|NV|895012233|05302017|100|",
          "C00000935|N|MY|P|201707|15|IND|ROE, R.|SALEM|OR|97301|06012017|250|",
          "C00000935|N|MY|P|201707|15|IND|POE, EDGAR|BALTIMORE|MD|21201|06022017|500|"],
         label="", file="t.txt", said=[BARS, BY_LINES, NO_HEADER]),
    Case("prices between tabs, padded",
         "series_id        \tyear\tperiod\t       value\tfootnote_codes\r\n"
         "CUSR0000SA0      \t2020\tM01\t     258.678\t\r\nCUSR0000SA0      \t2020\tM02\t     "
         "259.007"
         "\t\r\nCUSR0000SA0      \t2020\tM03\t     258.165\tC\r\n",
         "series_id        |year|period|value|footnote_codes",
         ["CUSR0000SA0      |2020|M01|258.678|", "CUSR0000SA0      |2020|M02|259.007|",
          "CUSR0000SA0      |2020|M03|258.165|C"],
         label="", file="t.txt", said=[BY_LINES, "blanks after"]),
    Case("hospitals with numbers that begin with a zero",
         '"Facility ID","Facility Name","State","ZIP Code","Phone Number","Rating","Footnote"\n'
         '"010001","SOUTHEAST HEALTH MEDICAL CENTER","AL","36301","(334) 793-8701","3",""\n'
         '"010005","MARSHALL MEDICAL CENTERS","AL","35957","(256) 593-8310","2",""\n'
         '"01014F","51st MEDICAL GROUP","AL","36101","","Not Available","22"\n',
         "Facility ID|Facility Name|State|ZIP Code|Phone Number|Rating|Footnote",
         ["010001|SOUTHEAST HEALTH MEDICAL CENTER|AL|36301|(334) 793-8701|3|",
          "010005|MARSHALL MEDICAL CENTERS|AL|35957|(256) 593-8310|2|",
          "01014F|51st MEDICAL GROUP|AL|36101||Not Available|22"], label=""),
    Case("places with a geometry in JSON",
         '_id,ASSET_TYPE,LOCATION,AMENITIES,geometry\n'
         '1,Park,"465 MORNINGSIDE AVE",None,"{""type"": ""Point"", ""coordinates"": [-79.18, '
         '43.78]}"'
         '\n2,Community Centre,"3973 KEELE ST","Kitchen,Gym","{""type"": ""Point"", '
         '""coordinates"":'
         ' [-79.49, 43.76]}"\n3,Park,,,"{""type"": ""Point"", ""coordinates"": [-79.3, 43.7]}"\n',
         "_id|ASSET_TYPE|LOCATION|AMENITIES|geometry",
         ['1|Park|465 MORNINGSIDE AVE|None|{"type": "Point", "coordinates": [-79.18, 43.78]}',
          '2|Community Centre|3973 KEELE ST|Kitchen,Gym|{"type": "Point", "coordinates": [-79.49, '
          '43.76]}', '3|Park|||{"type": "Point", "coordinates": [-79.3, 43.7]}'], label=""),
    Case("names in two languages",
         "Year/Année,Province,Fuel/Combustible,Value/Valeur\r\n2018,Québec,Gasoline/Essence,"
         "8562.1\r\n"
         "2018,Ontario,Diesel,6120.4\r\n2019,Québec,Diesel,x\r\n2019,Nouveau-Brunswick,"
         "Gasoline/Esse"
         "nce,1022.0\r\n",
         "Year/Année|Province|Fuel/Combustible|Value/Valeur",
         ["2018|Québec|Gasoline/Essence|8562.1", "2018|Ontario|Diesel|6120.4",
          "2019|Québec|Diesel|x", "2019|Nouveau-Brunswick|Gasoline/Essence|1022.0"],
         label="", encoding="latin-1", said=["windows-1252"]),
    Case("a title, years of accounts as names",
         "Table 3: Road fatalities by state,,,,\n,,,,\nState,2015-16,2016-17,2017-18,2018-19\n"
         "NSW,380,391,354,367\nVic,279,262,233,264\nQld,250,249,246,220\nAustralia,1281,1253,1180,"
         "1171\n,,,,\nSource: BITRE (2019),,,,\n",
         "State|2015-16|2016-17|2017-18|2018-19",
         ["NSW|380|391|354|367", "Vic|279|262|233|264", "Qld|250|249|246|220",
          "Australia|1281|1253|1180|1171", "||||"], label="", said=[ABOVE, "left out"]),
    Case("a series by the quarter",
         "Series_reference,Period,Data_value,STATUS,UNITS,MAGNTUDE,Subject,Series_title_1\n"
         'BDCQ.SEA1AA,2011.06,80078,F,Number,0,"Business Data Collection, BDC",Agriculture\n'
         'BDCQ.SEA1AA,2011.09,78324,F,Number,0,"Business Data Collection, BDC",Agriculture\n'
         'BDCQ.SEA1AA,2011.12,,C,Number,0,"Business Data Collection, BDC",Agriculture\n',
         "Series_reference|Period|Data_value|STATUS|UNITS|MAGNTUDE|Subject|Series_title_1",
         ["BDCQ.SEA1AA|2011.06|80078|F|Number|0|Business Data Collection, BDC|Agriculture",
          "BDCQ.SEA1AA|2011.09|78324|F|Number|0|Business Data Collection, BDC|Agriculture",
          "BDCQ.SEA1AA|2011.12||C|Number|0|Business Data Collection, BDC|Agriculture"], label=""),
    Case("a mark, Chinese names",
         "\ufeff站點名稱,行政區,緯度,經度,總停車格\r\n捷運市政府站,信義區,25.0408,121.5679,180\r\n"
         "國父紀念館,信義區,25.0412,121.5569,48\r\n臺北市政府,信義區,25.0378,121.5651,40\r\n",
         "站點名稱|行政區|緯度|經度|總停車格",
         ["捷運市政府站|信義區|25.0408|121.5679|180", "國父紀念館|信義區|25.0412|121.5569|48",
          "臺北市政府|信義區|25.0378|121.5651|40"], label=""),
    Case("crops with blanks behind names",
         "State_Name,District_Name,Crop_Year,Season,Crop,Area,Production\n"
         "Andaman and Nicobar Islands,NICOBARS,2000,Kharif     ,Arecanut,1254.0,2000.0\n"
         "Andaman and Nicobar Islands,NICOBARS,2000,Whole Year ,Banana,176.0,641.0\n"
         "West Bengal,PURULIA,2014,Winter     ,Rice,279151.0,597899.0\n"
         "West Bengal,PURULIA,2014,Rabi       ,Wheat,1622.0,\n",
         "State_Name|District_Name|Crop_Year|Season|Crop|Area|Production",
         ["Andaman and Nicobar Islands|NICOBARS|2000|Kharif     |Arecanut|1254.0|2000.0",
          "Andaman and Nicobar Islands|NICOBARS|2000|Whole Year |Banana|176.0|641.0",
          "West Bengal|PURULIA|2014|Winter     |Rice|279151.0|597899.0",
          "West Bengal|PURULIA|2014|Rabi       |Wheat|1622.0|"], label="Season"),
    Case("pounds, the only letters beyond ASCII",
         "Directorate,Supplier,Description,Amount (\u00a3)\r\nAdults,Sunrise "
         "Care,Residential,1250.00"
         "\r\nAdults,Sunrise Care,Residential,\u00a31250.00\r\nPlace,Tarmac,Surfacing,8999.10\r\n",
         "Directorate|Supplier|Description|Amount (£)",
         ["Adults|Sunrise Care|Residential|1250.00", "Adults|Sunrise Care|Residential|£1250.00",
          "Place|Tarmac|Surfacing|8999.10"], label="", encoding="latin-1", said=["windows-1252"]),
    Case("letters that were made UTF-8 twice",
         "id,barrio,nombre\n1,Chamart\u00c3\u00adn,Jos\u00c3\u00a9\n2,Chamber\u00c3\u00ad,Ana\n3,"
         "Tetu\u00c3\u00a1n,I\u00c3\u00b1igo\n", "id|barrio|nombre",
         ["1|Chamart\u00c3\u00adn|Jos\u00c3\u00a9", "2|Chamber\u00c3\u00ad|Ana",
          "3|Tetu\u00c3\u00a1n|I\u00c3\u00b1igo"], label=""),
    Case("a total and the number of rows",
         "Ward,Electorate,Ballot "
         "papers,Turnout\nAbbey,7302,2210,30.3%\nChurch,6900,2804,40.6%\nPark,"
         "7120,2400,33.7%\nTotal,21322,7414,34.8%\n\n3 wards\n",
         "Ward|Electorate|Ballot papers|Turnout",
         ["Abbey|7302|2210|30.3%", "Church|6900|2804|40.6%", "Park|7120|2400|33.7%",
          "Total|21322|7414|34.8%"], label="", said=[ONE_FIELD]),
    Case("meetings of a minister, lines in fields, empty columns",
         "DEPARTMENT FOR TRANSPORT,,,,\r\nMinisterial meetings: January to March 2013,,,,\r\n"
         "Minister,Date of meeting,Name of organisation,Purpose of meeting,\r\n"
         'Rt Hon Patrick McLoughlin MP,January,Network Rail,General discussion,\r\n'
         ',January,"Eurotunnel\r\nSNCF","Channel traffic;\r\nfreight",\r\n'
         ',February,Campaign for Better Transport,Introductory,\r\n'
         'Simon Burns MP,March,Virgin Trains,"Franchising, West Coast",\r\n,,,,\r\n'
         '"Does not normally include meetings with Government bodies, such as agencies.",,,,\r\n',
         "Minister|Date of meeting|Name of organisation|Purpose of meeting",
         ["Rt Hon Patrick McLoughlin MP|January|Network Rail|General discussion",
          "|January|Eurotunnel\r\nSNCF|Channel traffic;\r\nfreight",
          "|February|Campaign for Better Transport|Introductory",
          "Simon Burns MP|March|Virgin Trains|Franchising, West Coast", "|||"],
         label="", said=[ABOVE, "left out"]),
    Case("car parks at this moment",
         "nom;etat;places_libres;places_totales;maj\nGare "
         "Sud;OUVERT;125;400;2021-03-19T10:05:00+01:00"
         "\nHôtel de Ville;COMPLET;0;210;2021-03-19T10:05:00+01:00\n",
         "nom|etat|places_libres|places_totales|maj",
         ["Gare Sud|OUVERT|125|400|2021-03-19T10:05:00+01:00",
          "Hôtel de Ville|COMPLET|0|210|2021-03-19T10:05:00+01:00"], label="", said=[SEMICOLON]),
    Case("names with blanks that do not break",
         "Code\u00a0INSEE;Nom\u00a0de la commune;Pop.\u00a0municipale\n17001;Agudelle;55\n17002;"
         "Aigrefeuille-d'Aunis;3 955\n17003;Île-d'Aix;223\n",
         "Code\u00a0INSEE|Nom\u00a0de la commune|Pop.\u00a0municipale",
         ["17001|Agudelle|55", "17002|Aigrefeuille-d'Aunis|3 955", "17003|Île-d'Aix|223"],
         label="", said=[SEMICOLON]),
    Case("bars and cafés, quotes inside of names",
         'id,nom,adresse,places\n1,Le "Petit" Bar,3 rue du Port,12\n2,Café de la Gare,1 place de la'
         ' Gare,40\n3,Chez "Mado",12 quai Nord,8\n4,"Brasserie ""Le Nord""",2 quai Nord,60\n',
         "id|nom|adresse|places",
         ['1|Le "Petit" Bar|3 rue du Port|12', "2|Café de la Gare|1 place de la Gare|40",
          '3|Chez "Mado"|12 quai Nord|8', '4|Brasserie "Le Nord"|2 quai Nord|60'],
         label="", said=[QUOTES]),
    Case("months that were put together, the names again",
         "Date,Merchant,Category,Amount\n04/01/2018,TESCO "
         "STORES,Catering,12.40\n05/01/2018,TRAINLINE"
         ",Travel,88.10\nDate,Merchant,Category,Amount\n02/02/2018,AMAZON "
         "UK,Office,15.99\n09/02/2018"
         ",TRAINLINE,Travel,45.00\n", "Date|Merchant|Category|Amount",
         ["04/01/2018|TESCO STORES|Catering|12.40", "05/01/2018|TRAINLINE|Travel|88.10",
          "02/02/2018|AMAZON UK|Office|15.99", "09/02/2018|TRAINLINE|Travel|45.00"],
         label="", said=["repeats the header"]),
    Case("a frame with its row numbers",
         ",region,value,lower\n0,North,12.5,11.0\n1,South,13.1,12.2\n2,East,9.9,\n3,West,10.4,"
         "9.1\n",
         "1|region|value|lower",
         ["0|North|12.5|11.0", "1|South|13.1|12.2", "2|East|9.9|", "3|West|10.4|9.1"], label=""),
    Case("a late line of another encoding",
         ("num;voie;ville\n" + "".join(f"{i};rue des Érables n° "
                                       f"{i};Besançon\n" for i in range(2500)))
         .encode() + "9999;allée des Chênes;Orléans\n".encode("latin-1"), "num|voie|ville",
         [f"{i}|rue des Érables n° {i}|Besançon" for i in range(2500)] +
         ["9999|allée des Chênes|Orléans"], label="", said=[SEMICOLON, "line 2502"]),
    Case("a key and a value above rows without names",
         "Station,0422\nUnit,mg/l\n2020-01-01,1.52,0.31\n2020-01-02,1.61,0.29\n2020-01-03,1.70,"
         "0.33\n"
         "2020-01-04,1.64,0.30\n", "1|2|3",
         ["2020-01-01|1.52|0.31", "2020-01-02|1.61|0.29", "2020-01-03|1.70|0.33",
          "2020-01-04|1.64|0.30"], label="", said=[ABOVE, NO_HEADER]),
    Case("three columns of words",
         "Service,Lead officer,Directorate\nLibraries,A. Jones,Communities\nMuseums,B. Khan,"
         "Communities\nHighways,C. O'Neill,Place\nWaste,D. Müller,Place\n",
         "Service|Lead officer|Directorate",
         ["Libraries|A. Jones|Communities", "Museums|B. Khan|Communities",
          "Highways|C. O'Neill|Place", "Waste|D. Müller|Place"], label="Directorate"),
    # ---- what must not be taken for something else
    Case("carets in some rows",
         "term\na^b^c\nd^e^f\ng\nh^i^j\n", "term", ["a^b^c", "d^e^f", "g", "h^i^j"], label=""),
    Case("carets in the first rows",
         "term^is^so\na^b^c\nd^e^f\ng^h^i\nj^k^l\nm^n^o\np^q^r\ns^t^u\nv^w^x\ny^z^a\nplain words\n",
         "term^is^so", ["a^b^c", "d^e^f", "g^h^i", "j^k^l", "m^n^o", "p^q^r", "s^t^u", "v^w^x",
                        "y^z^a", "plain words"], label=""),
    Case("two odd signs that cut alike",
         "a^b^c~d~e\n1^2^3~4~5\n6^7^8~9~0\n7^7^7~1~1\n", "a^b^c~d~e",
         ["1^2^3~4~5", "6^7^8~9~0", "7^7^7~1~1"], label="", said=["by '^' or by '~'"]),
    Case("a title of three fields above the names",
         "Budget,of,towns\ncode,town,kind,sum,paid\n1,Ulm,a,10,9\n2,Bonn,b,20,18\n3,Trier,a,30,"
         "27\n",
         "code|town|kind|sum|paid", ["1|Ulm|a|10|9", "2|Bonn|b|20|18", "3|Trier|a|30|27"],
         label="", said=[ABOVE]),
    Case("a title of three fields above years",
         "Budget,of,towns\ntown,2018,2019,2020,2021\nUlm,1,2,3,4\nBonn,5,6,7,8\nTrier,4,3,2,1\n",
         "town|2018|2019|2020|2021", ["Ulm|1|2|3|4", "Bonn|5|6|7|8", "Trier|4|3|2|1"],
         label="", said=[ABOVE]),
    Case("names with commas and blanks between commas",
         "who, town\nAnn, Ulm\nBob; Cy, Bonn\nDi, Trier\n", "who|town",
         ["Ann|Ulm", "Bob; Cy|Bonn", "Di|Trier"], label="", said=["blanks after"]),
]
