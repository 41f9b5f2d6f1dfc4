"""More imitations of files from open-data portals: in the styles of offices and programs.

The form is that of portal_cases.py. They were written before the rules that read them.
"""
from portal_cases import ABOVE, Case, HEADER_2, NO_HEADER, ONE_FIELD, QUOTES, SEMICOLON, SHORT

SIGNS = "that begin with #"

STYLES = [
    # ---- lines above and below
    Case("two short lines above rows", "Station 12\nMay 2020\n5.1,3.5,a\n4.9,3.0,b\n4.7,3.2,a\n",
         "1|2|3", ["5.1|3.5|a", "4.9|3.0|b", "4.7|3.2|a"], label="3", said=[NO_HEADER, ABOVE]),
    Case("two lines of two fields above rows",
         "Station,12\nMay,2020\n5.1,3.5,a,1\n4.9,3.0,b,2\n4.7,3.2,a,3\n4.6,3.1,b,4\n", "1|2|3|4",
         ["5.1|3.5|a|1", "4.9|3.0|b|2", "4.7|3.2|a|3", "4.6|3.1|b|4"], label="3",
         said=[NO_HEADER, ABOVE]),
    Case("a small table between more remarks",
         "Bevölkerung: Land, Stichtag\nFortschreibung\nDeutschland\nBevölkerung (Anzahl)\n"
         "Stichtag;männlich;weiblich;gesamt\n31.12.2018;409;420;829\n31.12.2019;410;421;831\n"
         "31.12.2020;411;421;832\n__________\n© Amt, 2021\nStand: 21.06.2021 / 10:00\n",
         "Stichtag|männlich|weiblich|gesamt",
         ["31.12.2018|409|420|829", "31.12.2019|410|421|831", "31.12.2020|411|421|832"], label="",
         encoding="cp1252", said=["windows-1252", SEMICOLON, "4 lines " + ABOVE, ONE_FIELD]),
    Case("names and values above", "Report,Air quality\nSite,Bristol\nDate,Hour,NO2,PM10,Status\n"
         "2020-01-01,1,12.5,20,R\n2020-01-01,2,13.5,21,R\n2020-01-01,3,11.5,22,P\n",
         "Date|Hour|NO2|PM10|Status",
         ["2020-01-01|1|12.5|20|R", "2020-01-01|2|13.5|21|R", "2020-01-01|3|11.5|22|P"], label="",
         said=["2 lines " + ABOVE]),
    Case("names and values above, as wide as the table",
         "Title:,A&E Visits,,,\nPeriod:,April 2020,,,\nSource:,Office,,,\n,,,,\n"
         "Code,Region,Name,Type 1,Total\nR1,North,Ely,\"8,012\",\"12,345\"\n"
         "R2,North,Ware,\"9,100\",\"13,000\"\nR7,South,Hove,\"7,000\",-\n",
         "Code|Region|Name|Type 1|Total",
         ["R1|North|Ely|8,012|12,345", "R2|North|Ware|9,100|13,000", "R7|South|Hove|7,000|-"],
         label="", said=["4 lines " + ABOVE]),
    Case("rows that are hardly filled, above an empty line",
         "kind,size,town,n,m\na,1,,,\nb,2,,,\n\nc,3,Ulm,4,5\nd,4,Ulm,4,5\ne,4,Ulm,4,5\n",
         "kind|size|town|n|m",
         ["a|1|||", "b|2|||", "c|3|Ulm|4|5", "d|4|Ulm|4|5", "e|4|Ulm|4|5"], label=""),
    Case("a legend as a table below",
         '"date","place","value"\n"2019","A","100"\n"2020","A","101"\n"2020","B","55"\n\n'
         '"Symbol legend:"\n"Symbol","Meaning"\n"E","use with caution"\n"F","unreliable"\n',
         "date|place|value", ["2019|A|100", "2020|A|101", "2020|B|55"], label="",
         said=[ONE_FIELD, "3 short lines below an empty one"]),
    Case("marks of footnotes in the first field",
         "kind;size;n\na;12;5\nb;2*;6\na;3;7\n* vorläufig;;\n1) geschätzt, zum Teil;;\n"
         "(a) ohne Berlin;;\n[2] mit Berlin;;\n© Amt 2020;;\n", "kind|size|n",
         ["a|12|5", "b|2*|6", "a|3|7"], label="", said=[SEMICOLON, "5 remarks in the first field"]),
    Case("rows of one value that begin like footnotes",
         "kind,size,n\na,12,5\n*,,\n(very) odd,,\n1)x,,\nb,2,6\n", "kind|size|n",
         ["a|12|5", "*||", "(very) odd||", "1)x||", "b|2|6"], label=""),
    Case("a short row below a heading of one word",
         "kind,size,n\na,12,5\n\nNorth\nb,2\nc,3,4\n", "kind|size|n",
         ["a|12|5", "b|2|", "c|3|4"], label="", said=[ONE_FIELD, SHORT]),
    Case("the header again", "kind,size,n\na,1,5\nb,2,6\nkind,size,n\na,3,7\nb,4,8\n",
         "kind|size|n", ["a|1|5", "b|2|6", "a|3|7", "b|4|8"], said=["1 row repeats the header"],
         strict=""),
    Case("the header of semicolons again, at the end",
         "kind;size\r\na;1,5\r\nkind;size\r\nb;2,5\r\nkind;size\r\n", "kind|size",
         ["a|1,5", "b|2,5"], said=[SEMICOLON, "2 rows repeat the header"]),
    Case("a row that begins like the header", "kind,size,n\nkind,size,n2\nb,2,6\n", "kind|size|n",
         ["kind|size|n2", "b|2|6"]),
    Case("one column whose name is a value", "kind\na\nkind\nb\n", "kind", ["a", "kind", "b"]),
    Case("the sign of an end", "kind,size,n\na,1,5\nb,2,6\n\x1a", "kind|size|n",
         ["a|1|5", "b|2|6"], strict="found 1 field"),
    Case("the sign of an end, on a line", "kind,size\na,1\nb,2\n\x1a\r\n", "kind|size",
         ["a|1", "b|2"]),
    # ---- lines behind a sign, as wide as the table
    Case("remarks as wide as the rows",
         "kind,size,town\n# of us, for all, now\na,1,Ulm\nb,2,Bonn\n# more, of it, too\na,3,Kiel\n",
         "kind|size|town", ["a|1|Ulm", "b|2|Bonn", "a|3|Kiel"], said=["2 lines " + SIGNS],
         strict=""),
    Case("values behind a sign and a blank", "kind,size,town\n# a,1,Ulm\n# b,2,Bonn\nc,3,Kiel\n",
         "kind|size|town", ["# a|1|Ulm", "# b|2|Bonn", "c|3|Kiel"]),
    Case("remarks as wide as rows without numbers",
         "kind,town\n# of us, for all\na,Ulm\nb,Bonn\n", "kind|town",
         ["# of us| for all", "a|Ulm", "b|Bonn"]),
    # ---- headers
    Case("three lines of header below a title, numbers without a name",
         "Tabelle: 41\nFeldfrüchte (Jahr);;;;\n;;Ertrag;Ertrag;Ertrag\n;;Weizen;Roggen;Gerste\n"
         ";;dt/ha;dt/ha;dt/ha\n2019;Land;74,0;50,8;72,2\n2019;Nord;89,5;65,0;-\n"
         "2020;Ost;.;.;.\n2020;West;80,1;60,4;70,9\n",
         "1|2|Ertrag Weizen dt/ha|Ertrag Roggen dt/ha|Ertrag Gerste dt/ha",
         ["2019|Land|74,0|50,8|72,2", "2019|Nord|89,5|65,0|-", "2020|Ost|.|.|.",
          "2020|West|80,1|60,4|70,9"], label="",
         said=[SEMICOLON, "2 lines " + ABOVE, "3 lines are read as the header"]),
    Case("ages below a group", "Region,Age,,,Total\n,0-14,15-64,65+,\nNorth,100,400,80,580\n"
         "South,50,200,40,290\nWest,20,120,30,170\n", "Region|Age 0-14|Age 15-64|Age 65+|Total",
         ["North|100|400|80|580", "South|50|200|40|290", "West|20|120|30|170"], label="",
         said=[HEADER_2]),
    Case("rules below the names", "kind,size,town\n----,----,----\na,1,Ulm\nb,2,Bonn\na,3,Kiel\n"
         "\n(3 rows affected)\n", "kind|size|town", ["a|1|Ulm", "b|2|Bonn", "a|3|Kiel"], label="",
         said=[HEADER_2, ONE_FIELD], strict=""),
    Case("rules below the names, fixed width", "kind size town\n---- ---- ----\na       1 Ulm\n"
         "b      22 Bonn\na     333 Kiel\n", "kind|size|town",
         ["a|1|Ulm", "b|22|Bonn", "a|333|Kiel"], label="", said=["runs of blanks", HEADER_2]),
    Case("names in capitals above names in words",
         "NUTS;CODE;YEAR;VALUE\nNUTS-Code;Kennzahl;Jahr;Wert\nAT13;901;2019;16306\n"
         "AT13;902;2019;105237\nAT13;903;2020;91745\n", "NUTS|CODE|YEAR|VALUE",
         ["AT13|901|2019|16306", "AT13|902|2019|105237", "AT13|903|2020|91745"], label="",
         said=[SEMICOLON, HEADER_2]),
    # ---- delimiters and blanks
    Case("commas in names and decimals alone",
         "Jahr;Wert, gesamt;Anteil, in %\n2019;1,5;2,5\n2020;2,5;3,5\n2021;3,5;4,5\n",
         "Jahr|Wert, gesamt|Anteil, in %", ["2019|1,5|2,5", "2020|2,5|3,5", "2021|3,5|4,5"],
         label="", said=[SEMICOLON]),
    Case("semicolons inside of the fields of commas",
         "kind;of it,size\na;x,1\nb;y,2\na;z,3\n", "kind;of it|size", ["a;x|1", "b;y|2", "a;z|3"],
         label=""),
    Case("two blanks in every line", "2020 01 250  5.0\n2020 02 255  5.5\n2020 03 260  6.1\n",
         "1|2|3|4", ["2020|01|250|5.0", "2020|02|255|5.5", "2020|03|260|6.1"], label="",
         said=["runs of blanks", NO_HEADER]),
    Case("columns that are aligned",
         "STATION;DATE;  QN;  FX;eor\n    44;20200101;   10;  -999;eor\n"
         "    44;20200102;   10;   7.3;eor\n    44;20200103;    3;   8.0;eor\n",
         "STATION|DATE|QN|FX|eor",
         ["44|20200101|10|-999|eor", "44|20200102|10|7.3|eor", "44|20200103|3|8.0|eor"], label="",
         said=[SEMICOLON, "blanks after the delimiter"]),
    Case("blanks before the first field, too",
         ' kind, size, town\n  a, 1, Ulm\n b, 2, "Bonn"\n   a, 3"4, Kiel\n', "kind|size|town",
         ["a|1|Ulm", "b|2|Bonn", 'a|3"4|Kiel'], said=["blanks after the delimiter", QUOTES]),
    Case("a blank before some values", "kind,town,size\na, Ulm,1\nb,Bonn,2\na, Kiel,3\n",
         "kind|town|size", ["a| Ulm|1", "b|Bonn|2", "a| Kiel|3"], label=""),
    Case("a list of the world", '\ufeff"Source","Indicators",\n\n"Updated","2021-06-30",\n\n'
         '"Country","Code","Indicator","1960","1961",\n"Aruba","ABW","People, total","54","55",\n'
         '"Angola","AGO","People, total","545","",\n"Chad","TCD","People, total","300","310",\n',
         "Country|Code|Indicator|1960|1961|6",
         ["Aruba|ABW|People, total|54|55|", "Angola|AGO|People, total|545||",
          "Chad|TCD|People, total|300|310|"], label="", said=[ABOVE]),
]
