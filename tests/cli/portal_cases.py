"""Imitations of files from open-data portals, each with the table that its owner meant.

A case is its bytes, the column that is taken for the label, the names of the columns, and the rows
with None for a missing value: all written by hand. `said` are words that a note or warning must
hold; without any, nothing may be said. `strict` are words of the refusal in the strict mode, ""
where that reads another table, None where it is not tried.
"""


class Case:
    """A file and the table that is meant by it."""

    def __init__(self, name, data, columns, rows, label=None, said=(), options=(), strict=None,
                 file="t.csv", encoding="utf-8"):
        self.name, self.file = name, file
        self.data = data if isinstance(data, bytes) else data.encode(encoding)
        self.columns, self.rows = columns.split("|"), [
            [None if value == "" else value for value in row.split("|")] for row in rows]
        self.label = label or self.columns[0]
        self.said, self.options, self.strict = said, options, strict


SEMICOLON = "separated by ';'"
BLANKS = "separated by runs of blanks"
TABS = "separated by tabs"
ABOVE = "above the header"
ONE_FIELD = "of one field"
SHORT = "short row"
LONG = "behind"
QUOTES = "stand for themselves"
APOSTROPHES = "quoted with '"
ESCAPES = "a backslash escapes"
HEADER_2 = "2 lines are read as the header"
NO_HEADER = "without a header"

CASES = [
    # ---- encodings and line ends
    Case("bom", "\ufeffkind,name,size\na,Ulm,1\nb,Bonn,2\n", "kind|name|size",
         ["a|Ulm|1", "b|Bonn|2"]),
    Case("bom, quoted header", '\ufeff"kind","name"\n"a","Ulm"\n"b","Bonn"\n', "kind|name",
         ["a|Ulm", "b|Bonn"]),
    Case("utf-16 with a mark", "kind\tname\tsize\r\na\tÜlm\t1\r\nb\tBonn\t2\r\n".encode("utf-16"),
         "kind|name|size", ["a|Ülm|1", "b|Bonn|2"], said=["UTF-16", TABS]),
    Case("utf-16 big end, semicolons",
         b"\xfe\xff" + "kind;name;size\r\na;Köln;1,5\r\nb;Bonn;2,5\r\n".encode("utf-16-be"),
         "kind|name|size", ["a|Köln|1,5", "b|Bonn|2,5"], said=["UTF-16", SEMICOLON]),
    Case("latin-1, semicolons, decimal commas",
         "genre;commune;prix\r\na;Orléans;1,50\r\nb;Nîmes;2,75\r\na;Béziers;3,00\r\n",
         "genre|commune|prix", ["a|Orléans|1,50", "b|Nîmes|2,75", "a|Béziers|3,00"],
         said=["windows-1252", SEMICOLON], encoding="latin-1"),
    Case("windows-1252 with a euro sign",
         "kind,prix,lieu\na,\u20ac5,café\nb,\u20ac6,thé\n", "kind|prix|lieu",
         ["a|€5|café", "b|€6|thé"], said=["windows-1252"], encoding="cp1252"),
    Case("letters that were made wrong twice",
         b"kind,who\na,Pen\xcc\xa9lope\nb,Rodr\xcc_guez\na,S\xcc\xc1nchez\nb,Garc\xcc__a\n"
         b"a,Ca\xcc_\xe5\xb1on\n", "kind|who",
         ["a|Pen\u00cc\u00a9lope", "b|Rodr\u00cc_guez", "a|S\u00cc\u00c1nchez", "b|Garc\u00cc__a",
          "a|Ca\u00cc_\u00e5\u00b1on"], said=["no encoding fits"], strict="expected UTF-8"),
    Case("crlf", "kind,size\r\na,1\r\nb,2\r\n", "kind|size", ["a|1", "b|2"]),
    Case("carriage returns", "kind,size,town\ra,1,Ulm\rb,2,Bonn\r", "kind|size|town",
         ["a|1|Ulm", "b|2|Bonn"], said=["carriage return"], strict="carriage return"),
    Case("carriage returns, no last one, semicolons", "kind;size;town\ra;1;Ulm\rb;2;Bonn",
         "kind|size|town", ["a|1|Ulm", "b|2|Bonn"], said=["carriage return", SEMICOLON]),
    Case("no last line end", "kind,size\na,1\nb,2", "kind|size", ["a|1", "b|2"]),
    Case("blank lines at the end", "kind,size\na,1\nb,2\n\n\n", "kind|size", ["a|1", "b|2"]),
    Case("blank lines between", "kind,size\n\na,1\n\nb,2\n\n", "kind|size", ["a|1", "b|2"]),
    # ---- delimiters
    Case("sep line", "sep=;\nkind;size;town\na;1,5;Ulm\nb;2,5;Bonn\n", "kind|size|town",
         ["a|1,5|Ulm", "b|2,5|Bonn"], said=[SEMICOLON], strict=""),
    Case("sep line, crlf, tab", "sep=\t\r\nkind\tsize\r\na\t1,5\r\nb\t2,5\r\n", "kind|size",
         ["a|1,5", "b|2,5"], said=[TABS]),
    Case("sep line in quotes", '"sep=,"\nkind,size\na,1\nb,2\n', "kind|size", ["a|1", "b|2"],
         said=[ABOVE]),
    Case("bars", "kind|size|town\na|1|Ulm\nb|2|Bonn\n", "kind|size|town", ["a|1|Ulm", "b|2|Bonn"],
         said=["separated by '|'"], strict="expected"),
    Case("tabs in csv", "kind\tsize\ttown\na\t1,5\tUlm\nb\t2,5\tBonn\n", "kind|size|town",
         ["a|1,5|Ulm", "b|2,5|Bonn"], said=[TABS]),
    Case("commas in the header of semicolons",
         "Nom, prénom;Âge;Ville\nDupont, A;31;Paris\nDurand, B;32;Lyon\nPetit;33;Nice\n",
         "Nom, prénom|Âge|Ville", ["Dupont, A|31|Paris", "Durand, B|32|Lyon", "Petit|33|Nice"],
         said=[SEMICOLON]),
    Case("semicolons in texts of commas",
         "kind,says,size\na,one; two; three,1\nb,four; five,2\na,six,3\n", "kind|says|size",
         ["a|one; two; three|1", "b|four; five|2", "a|six|3"]),
    Case("fixed width", "kind   town      size\na      Ulm          1\nb      Bonn        22\n"
         "a      Trier      333\n", "kind|town|size", ["a|Ulm|1", "b|Bonn|22", "a|Trier|333"],
         said=[BLANKS], strict="expected"),
    Case("fixed width, blanks around", "  kind  size  \n  a        1  \n  bb      20  \n"
         "  a      300  \n", "kind|size", ["a|1", "bb|20", "a|300"], said=[BLANKS]),
    Case("one blank", "kind size town\na 1 Ulm\nb 2 Bonn\na 3 Trier\n", "kind|size|town",
         ["a|1|Ulm", "b|2|Bonn", "a|3|Trier"], said=["separated by"]),
    Case("blanks after commas", "kind, size, town\na, 1, Ulm\nb, 2, Bonn\n", "kind|size|town",
         ["a|1|Ulm", "b|2|Bonn"], said=["blanks after"], strict="expected"),
    Case("blanks after commas before quotes", 'kind, town\na, "Ulm, Donau"\nb, "Bonn"\na, "x"\n',
         "kind|town", ["a|Ulm, Donau", "b|Bonn", "a|x"], said=["blanks after"]),
    # ---- quotes
    Case("all quoted", '"kind";"size";"town"\n"a";"1";"Ulm; Donau"\n"b";"2";"Bonn"\n',
         "kind|size|town", ["a|1|Ulm; Donau", "b|2|Bonn"], said=[SEMICOLON]),
    Case("line ends in quotes", 'kind,says,size\na,"one\ntwo",1\nb,"three\r\nfour",2\n',
         "kind|says|size", ["a|one\ntwo|1", "b|three\r\nfour|2"]),
    Case("line end in a quoted name", 'kind,"size\n(kg)",town\na,1,Ulm\nb,2,Bonn\n',
         "kind|size\n(kg)|town", ["a|1|Ulm", "b|2|Bonn"]),
    Case("doubled quotes", 'kind,says\na,"he said ""no"""\nb,""""\n', "kind|says",
         ['a|he said "no"', 'b|"']),
    Case("inches", 'kind,part,size\na,pipe 5" long,1\nb,pipe 6",2\na,pipe,3\n', "kind|part|size",
         ['a|pipe 5" long|1', 'b|pipe 6"|2', "a|pipe|3"], said=[QUOTES], strict="quote inside"),
    Case("quotes not doubled", 'kind,says,size\na,"he said "no" to it",1\nb,"x",2\na,"y, z",3\n',
         "kind|says|size", ['a|he said "no" to it|1', "b|x|2", "a|y, z|3"], said=[QUOTES],
         strict="after a closing quote"),
    Case("quotes not doubled, with a comma",
         'kind,says,size\na,"he said "no, no" to it",1\nb,"x",2\na,"y, z",3\n',
         "kind|says|size", ['a|he said "no, no" to it|1', "b|x|2", "a|y, z|3"], said=[QUOTES]),
    Case("a quoted name and more", 'kind,who,size\na,"Al" Smith,1\nb,"Bo",2\na,"C, D",3\n',
         "kind|who|size", ["a|Al Smith|1", "b|Bo|2", "a|C, D|3"], said=[QUOTES]),
    Case("blank after a quote", 'kind,town,size\na,"Ulm" ,1\nb,"Bonn",2\na,"x, y",3\n',
         "kind|town|size", ["a|Ulm |1", "b|Bonn|2", "a|x, y|3"], said=[QUOTES]),
    Case("apostrophes", "kind,town,size\na,'Ulm, Donau',1\nb,'Bonn',2\na,'O''Hara',3\n",
         "kind|town|size", ["a|Ulm, Donau|1", "b|Bonn|2", "a|O'Hara|3"], said=[APOSTROPHES],
         strict="more than"),
    Case("apostrophes around everything", "'kind';'town'\n'a';'Ulm'\n'b';'Bonn'\n'a';'Trier'\n",
         "kind|town", ["a|Ulm", "b|Bonn", "a|Trier"], said=[APOSTROPHES, SEMICOLON]),
    Case("apostrophes that are none",
         "kind,says,size\na,'tis so,1\nb,the '90s,2\na,rock 'n' roll,3\n",
         "kind|says|size", ["a|'tis so|1", "b|the '90s|2", "a|rock 'n' roll|3"]),
    Case("escaped quotes", 'kind,says,size\na,"he said \\"no, no\\"",1\nb,"x",2\na,"y",3\n',
         "kind|says|size", ['a|he said "no, no"|1', "b|x|2", "a|y|3"], said=[ESCAPES],
         strict="after a closing quote"),
    Case("escaped delimiters", "kind,says,size\na,no\\, no,1\nb,x,2\na,y\\, z\\, w,3\n",
         "kind|says|size", ["a|no, no|1", "b|x|2", "a|y, z, w|3"], said=[ESCAPES],
         strict="more than"),
    Case("paths with backslashes", 'kind,path,size\na,"C:\\dir\\",1\nb,"D:\\x",2\na,E:\\n,3\n',
         "kind|path|size", ["a|C:\\dir\\|1", "b|D:\\x|2", "a|E:\\n|3"]),
    Case("tabs without quoting", 'kind\tsays\tsize\na\t"one\t1\nb\ttwo"\t2\na\t"three\t3\n'
         'b\tfour\t4\n', "kind|says|size", ['a|"one|1', 'b|two"|2', 'a|"three|3', "b|four|4"],
         said=[QUOTES], file="t.tsv", strict="never closed"),
    Case("an apostrophe escaped", "kind,town,size\na,'Ulm',1\nb,'O\\'Hara, B',2\na,'x',3\n",
         "kind|town|size", ["a|Ulm|1", "b|O'Hara, B|2", "a|x|3"], said=[APOSTROPHES, ESCAPES]),
    # ---- lines above and below
    Case("title and blank line", "Sales of 2020\n\nkind,size,town\na,1,Ulm\nb,2,Bonn\n",
         "kind|size|town", ["a|1|Ulm", "b|2|Bonn"], said=["2 lines " + ABOVE], strict=""),
    Case("title with commas", "Sales, by town, 2020\n\nkind,size,town,area\na,1,Ulm,5\nb,2,Bonn,6\n"
         "a,3,Trier,7\n", "kind|size|town|area", ["a|1|Ulm|5", "b|2|Bonn|6", "a|3|Trier|7"],
         said=[ABOVE]),
    Case("title as a row", "Sales of 2020,,,\n,,,\nkind,size,town,area\na,1,Ulm,5\nb,2,Bonn,6\n",
         "kind|size|town|area", ["a|1|Ulm|5", "b|2|Bonn|6"], said=[ABOVE]),
    Case("title and date as a row", "Sales,,,2020-01-02\n,,,\nkind,size,town,area\na,1,Ulm,5\n"
         "b,2,Bonn,6\na,3,Trier,7\n", "kind|size|town|area",
         ["a|1|Ulm|5", "b|2|Bonn|6", "a|3|Trier|7"], said=[ABOVE]),
    Case("comments above", "# source: office\n# made 2020-01-02, by us\nkind,size\na,1\nb,2\n",
         "kind|size", ["a|1", "b|2"], said=["2 lines " + ABOVE]),
    Case("several lines, semicolons", "Statistisches Amt\nTabelle 12;;;\n\nArt;Ort;Wert;Jahr\n"
         "a;Ulm;1,5;2019\nb;Bonn;2,5;2019\na;Trier;3,5;2020\n", "Art|Ort|Wert|Jahr",
         ["a|Ulm|1,5|2019", "b|Bonn|2,5|2019", "a|Trier|3,5|2020"], said=[ABOVE, SEMICOLON]),
    Case("blank lines above", "\n\nkind,size\na,1\nb,2\n", "kind|size", ["a|1", "b|2"]),
    Case("source below", "kind,size,town\na,1,Ulm\nb,2,Bonn\n\nSource: office of statistics\n",
         "kind|size|town", ["a|1|Ulm", "b|2|Bonn"], said=[ONE_FIELD], strict="expected 3"),
    Case("source with commas below",
         "kind,size,town,area\na,1,Ulm,5\nb,2,Bonn,6\n\nSource: office, 2020\n",
         "kind|size|town|area", ["a|1|Ulm|5", "b|2|Bonn|6"], said=["left out"]),
    Case("notes below",
         "kind,size,town\na,1,Ulm\nb,2,Bonn\n\nNotes:\n(1) first, of two\n(2) second\n",
         "kind|size|town", ["a|1|Ulm", "b|2|Bonn"], said=["left out"]),
    Case("notes in quotes below",
         'kind,size,town\na,1,Ulm\nb,2,Bonn\n"Notes: one, two, and three"\n', "kind|size|town",
         ["a|1|Ulm", "b|2|Bonn"], said=[ONE_FIELD]),
    Case("source below, semicolons",
         "kind;size;town\na;1,0;Ulm\nb;2,0;Bonn\n\nQuelle: Amt, 2020\nStand: 1.2.2020\n",
         "kind|size|town", ["a|1,0|Ulm", "b|2,0|Bonn"], said=[SEMICOLON, "left out"]),
    Case("headings between", "kind,size,town\nNorth\na,1,Ulm\nSouth\nb,2,Bonn\na,3,Trier\n",
         "kind|size|town", ["a|1|Ulm", "b|2|Bonn", "a|3|Trier"], said=[ONE_FIELD]),
    # ---- headers
    Case("two columns of a name", "kind,size,size\na,1,2\nb,3,4\n", "kind|size|size.2",
         ["a|1|2", "b|3|4"], said=["second column"], strict="second column"),
    Case("names that are empty", "kind,,size,\na,1,2,3\nb,4,5,6\n", "kind|2|size|4",
         ["a|1|2|3", "b|4|5|6"]),
    Case("no first name", ",kind,size\n0,a,1\n1,b,2\n", "1|kind|size", ["0|a|1", "1|b|2"],
         label="kind"),
    Case("row names", '"kind" "size"\n"1" "a" 1.5\n"2" "b" 2.5\n"3" "a" 4.5\n', "1|kind|size",
         ["1|a|1.5", "2|b|2.5", "3|a|4.5"], label="kind", said=["separated by", "first one"]),
    Case("row names, commas", "kind,size\nx,a,1.5\ny,b,2.5\nz,a,4.5\n", "1|kind|size",
         ["x|a|1.5", "y|b|2.5", "z|a|4.5"], label="kind", said=["first one"], strict="more than"),
    Case("delimiters at the end of rows", "kind,size\na,1,\nb,2,\na,3,\n", "kind|size",
         ["a|1", "b|2", "a|3"], said=[LONG], strict="more than"),
    Case("delimiters at the end of rows, blank lines between",
         "kind,size,n\n\na,1,5,\n\nb,2,6,\n\na,3,7,\n\nb,4,8,\n", "kind|size|n",
         ["a|1|5", "b|2|6", "a|3|7", "b|4|8"], said=[LONG], strict="more than"),
    Case("blanks after tabs", "kind\t size\t town\na\t 1\t Ulm\nb\t 2\t Bonn\n", "kind|size|town",
         ["a|1|Ulm", "b|2|Bonn"], said=[TABS, "blanks after the delimiter"]),
    Case("delimiters at the end of some rows",
         "kind,size,town\na,1,Ulm\nb,2,Bonn,\na,3,x,,,\nb,4,y\n",
         "kind|size|town", ["a|1|Ulm", "b|2|Bonn", "a|3|x", "b|4|y"], said=[LONG]),
    Case("delimiters at the end of the header", "kind,size,,,\na,1\nb,2\na,3\n", "kind|size",
         ["a|1", "b|2", "a|3"], said=["empty names"], strict="fields"),
    Case("delimiters at the end of all", "kind;size;\na;1;\nb;2;\n", "kind|size|3",
         ["a|1|", "b|2|"], said=[SEMICOLON]),
    Case("short rows", "kind,size,town\na,1,Ulm\nb,2\na,3,Bonn\n", "kind|size|town",
         ["a|1|Ulm", "b|2|", "a|3|Bonn"], said=[SHORT]),
    Case("units below the names", "kind,length,weight\n,(m),(kg)\na,1.5,2\nb,2.5,3\na,4,5\n",
         "kind|length|weight", ["a|1.5|2", "b|2.5|3", "a|4|5"], said=[HEADER_2], strict=""),
    Case("types below the names", "kind\tlength\tweight\nstring\tfloat\tint\na\t1.5\t2\nb\t2.5\t3\n"
         "a\t4\t5\n", "kind|length|weight", ["a|1.5|2", "b|2.5|3", "a|4|5"], said=[HEADER_2],
         file="t.tsv"),
    Case("names in words below codes", "KIND,Q1,Q2\nKind of shop,Sales,Profit\na,1.5,2\nb,2.5,3\n"
         "a,4,5\n", "KIND|Q1|Q2", ["a|1.5|2", "b|2.5|3", "a|4|5"], said=[HEADER_2]),
    Case("groups above the names", ",2019,,2020,\nkind,men,women,men,women\na,1,2,3,4\nb,5,6,7,8\n"
         "a,9,10,11,12\n", "kind|2019 men|2019 women|2020 men|2020 women",
         ["a|1|2|3|4", "b|5|6|7|8", "a|9|10|11|12"], said=[HEADER_2], strict=""),
    Case("groups above some names", "kind,town,size,\n,,min,max\na,Ulm,1,2\nb,Bonn,3,4\na,x,5,6\n",
         "kind|town|size min|size max", ["a|Ulm|1|2", "b|Bonn|3|4", "a|x|5|6"], said=[HEADER_2]),
    Case("a name above nothing", "kind,,2019,\n,region,men,women\na,N,1,2\nb,S,3,4\na,W,5,6\n",
         "kind|region|2019 men|2019 women", ["a|N|1|2", "b|S|3|4", "a|W|5|6"], said=[HEADER_2]),
    Case("two lines by option", "size,,town\nmin,max,\n1,2,a\n3,4,b\n", "size min|size max|town",
         ["1|2|a", "3|4|b"], label="town", options=("--header", "2"),
         said=[]),
    Case("years as names",
         "kind,2001,2002,2003\na,1,2,3\nb,4,5,6\na,7,8,9\n", "kind|2001|2002|2003",
         ["a|1|2|3", "b|4|5|6", "a|7|8|9"]),
    Case("two years as names", "kind,2019,2020\na,1,2\nb,4,5\na,7,8\n", "kind|2019|2020",
         ["a|1|2", "b|4|5", "a|7|8"]),
    Case("no header", "5.1,3.5,a\n4.9,3.0,b\n4.7,3.2,a\n", "1|2|3",
         ["5.1|3.5|a", "4.9|3.0|b", "4.7|3.2|a"], label="3", said=[NO_HEADER], strict="expected"),
    Case("no header, semicolons and decimal commas", "a;5,1;Ulm\nb;4,9;Bonn\na;4,7;x\n", "1|2|3",
         ["a|5,1|Ulm", "b|4,9|Bonn", "a|4,7|x"], label="1", said=[NO_HEADER, SEMICOLON]),
    Case("no header, dates", "2020-01-01,a,5\n2020-01-02,b,6\n2020-01-03,a,9\n", "1|2|3",
         ["2020-01-01|a|5", "2020-01-02|b|6", "2020-01-03|a|9"], label="2", said=[NO_HEADER]),
    # ---- values
    Case("thousands in quotes", 'kind,size,cost\na,"1,234","$1,000.50"\nb,"22,345","$2.00"\n',
         "kind|size|cost", ["a|1,234|$1,000.50", "b|22,345|$2.00"]),
    Case("one column", "town\nUlm\nBonn\n", "town", ["Ulm", "Bonn"]),
    Case("texts of sentences",
         "kind,says\na,\"Well, no. Not today; perhaps\"\nb,Yes\n", "kind|says",
         ["a|Well, no. Not today; perhaps", "b|Yes"]),
    Case("an html text", 'kind,html,size\na,"<a href=""x"">y</a>",1\nb,<b>z</b>,2\n',
         "kind|html|size", ['a|<a href="x">y</a>|1', "b|<b>z</b>|2"]),
    Case("coordinates", 'kind,place\na,"(48.4, 9.98)"\nb,"(50.7, 7.1)"\n', "kind|place",
         ["a|(48.4, 9.98)", "b|(50.7, 7.1)"]),
    Case("a wide table", ",".join(["kind"] + [f"c{i}" for i in range(500)]) + "\n" +
         "a" + ",1" * 500 + "\nb" + ",2" * 500 + "\n",
         "|".join(["kind"] + [f"c{i}" for i in range(500)]),
         ["a" + "|1" * 500, "b" + "|2" * 500]),
]
