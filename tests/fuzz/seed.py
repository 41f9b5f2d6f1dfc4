#!/usr/bin/env python3
"""seed.py OUT HCBR: write first inputs for every fuzz target below the folder OUT.

Valid examples of every rule of docs/INPUT.md and bad input of many kinds, each with several choices
of options in front (fuzz.h says how they are written); models are trained by the program HCBR.
"""
import gzip
import itertools
import os
import random
import struct
import subprocess
import sys
import tempfile

OUT, HCBR = sys.argv[1:3]
BOM = b"\xef\xbb\xbf"
# flags, more, columns, pieces, fault: see read_check.c. '@' chooses nothing.
PLAIN = [b"@@@@@", b"D@@z@", b"A@@{@", b"E@@o@", b"D@@`@"]
WIDE = PLAIN + [b"B@@q@", b"G@@q@", b"D\x4c@z@", b"A\x48@r@", b"dB@z@", b"`C@z@", b"H@@z@",
                b"XA@z@",
                b"D@Pz@", b"A@`z@", b"APpz@", b"@P@z@", b"D`@z@", b"@@@@C", b"@@@@J", b"@@@@a",
                b"D@BzR", b"D@CzG", b"D@Ez@", b"A@Fz@"]

BAD_TEXT = [b"", BOM, b"\n", b"\r\n\r\n", b" \t \n", b"\x00", b"a\x00b", b"\xff\xfea\x00",
            b"\xc0\x80",
            b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe9t\xe9", b"\r", b"\n\r", b"a\rb\n"]

CSV = [b"label,a,b\nx,1,2\ny,3,4\n", b"y,id,c\r\n1,n1,red\r\n0,n2,\r\n", b"label,a\nx,1",
       b'label,who,says\n1,"Ann, Bob","""no"""\n2,Cy,NA\n', b'y,a\n1,"two\nlines"\n2,"\r\n"\n',
       b"label,,b\nx,1,2\n", b"label,a,a\nx,1,2\n", b"label,a\nx\n", b"label,a\nx,1,2\ny,2\nz,1\n",
       b'label,a\nx,a"b\ny,"a"b\nz,"open\n1,2\n', b"label,a\n?,1\n,2\nNA,3\nNaN,4\nnull,5\nx,?\n",
       b"a,b\n1,2\n", b"label\nx\n\ny\n", b'label,a\n"",""\nx,""\n', b"\n\nlabel,a\n\n\nx,1\n\n",
       b"label,a,b,3\nx,=1+1, lead,trail \n", b"1 1:1 2:1\n", b'{"label":1}\n', b"x,1,2\ny,1,3\n",
       b"label;a\nx;1\n", b"label|a|b\nx|1|2\n", b"label\ta\nx\t1\n", b"label:a\nx:1\n",
       b"y,a.b,id\n1,2,3\n", BOM + b"label,a\nx,1\n", b"label,a\nx," + BOM + b"\n",
       b"label," + b"k" * 20 + b",kkkkkkkk,kkkkkkk\nx,1,1234567,12345678\ny,v,123456,1234567\n",
       b"label,a\nx," + b"v" * 400 + b"\ny,1\n", b"label,k\xc3\xa9\nx,\xc3\xa9t\xc3\xa9\n",
       b"label,a\nx," + b"0123456789abcdef" * 3 + b"\n", b"outcome,target,class,y\n1,2,3,4\n",
       b'"label","a ""b"""\n"x","1"\n', b"label,a\nx,a value that means nothing\ny,none\n"]

LIBSVM = [b"1 1:1 2:1\n0 1:1 3:0.5\n", b"+1 7 8:1.50 9:0 # a comment\n-1 7:1.000\n", b"yes 1:1",
          b"# only a comment\n1 1:1\n", b"1\n0\n", b"1 \t 5:1 \t\r\n0 5:1\r\n", b"1,2 1:1\n",
          b"1 qid:3 1:1\n", b"1:1 2:1\n", b"1 a:1\n", b"1 1:x\n", b"1 1:nan\n", b"1 1:inf\n",
          b"1 1:1e400\n", b"1 1:1e-400\n", b"1 1:0x10\n", b"1 1:1,5\n", b"1 1:1_000\n", b"1 -1:1\n",
          b"1 +1:1\n", b"1 01:1 1:1 001\n", b"1 1e3:1\n", b"1 2147483648:1 4294967296:1\n",
          b"1 18446744073709551616:1 123456789012345678901234567890:1\n",
          b"1 12345678:1 123456789:1\n",
          b"1 1234567890123:1 12345678901234:1 123456789012345:2\n", b"1 1:1  2:1\t3:1\n",
          b"1 1:-0 2:0.0 3:1e2 4:123456789012345678 5:.5 6:5. 7:+1\n", b"1 1:\n", b"1 :1\n",
          b"1 1:1:1\n", b"? 1:1\n", b"NaN 1:1\n", b"1 1:1 #\xff\n", b"#\xff\n1 1\n",
          b"\xc3\xa9 1:1\n",
          b"1 1:1\r2:1\n", b"1 3:1 7:1 c:1\n", b"label,a\nx,1\n", b'{"label":1}\n', b"1\t1\t2\n",
          BOM + b"1 1:1\n", b"1 1:1" + BOM + b"\n", b"1 " + b"1:1 " * 90 + b"\n0 1\n",
          b"1 1:4.9406564584124654e-324 2:0.1000000000000000055511151231257827\n"]

JSONL = [b'{"label":"a","age":39,"tags":["x","y"],"home":{"city":"Ulm"}}\n',
         b'{"label": "b", "age": 40, "home": null, "features": ["p", 1, "q"]}\n',
         b'{"y":1,"a":{"b":true,"c":{"d":false}},"id":"n"}\r\n{"y":2}\n', b'{"y":0}',
         b'{"label":1,"s":"\\u00e9\\n\\t\\"\\\\\\/\\b\\f\\r\\ud83d\\ude00"}\n',
         b'{"label":1,"s":"\\ud800"}\n',
         b'{"label":1,"s":"\\u0000"}\n', b'{"label":1,"a":[[1,[2]],{"b":[3]}]}\n', b"{}\n", b"[]\n",
         b'{"label":1,"label":2}\n', b'{"label":1,"a":1,"\\u0061":2}\n', b'{"label":1,}\n',
         b'{"label":1} {"label":2}\n', b'{"label":1,"a":01}\n', b'{"label":1,"a":-0.5e+10}\n',
         b'{"label":1,"a":1.}\n', b'{"label":1,"a":.5}\n', b'{"label":1,"a":nul}\n',
         b'{"label":null}\n',
         b'{"label":[1]}\n', b'{"label":"?","a":"NA"}\n', b'{"a":1}\n', b'{"label":1,"a":"open\n',
         b'{"label":1,"a":"\t"}\n', b'{"label":1,"a":"\xff"}\n',
         b'{"label":1,"a":[' + b"[" * 40 + b"\n",
         b'{"label":1,"a":[1,]}\n', b'{"label":1 "a":1}\n', b"{label:1}\n", b"{'label':1}\n",
         b'{"label":1,"a":123456789012345678901234567890}\n', b'{"label":1,"features":[true]}\n',
         b'{"label":1,"features":[{"a":1}]}\n', b'{"label":1,"features":"x"}\n',
         b'{"":1,"label":2}\n',
         b'{"a.b":1,"a":{"b":2}}\n', b'{"label":1,"c":{"x":1},"cc":2,"7":[{"x":1},{"x":2}]}\n',
         b'{"label":1,"k' + b"k" * 30 + b'":"' + b"v" * 40 + b'"}\n', b'{"a":{"b":"z"},"x":1}\n',
         b'{"outcome":1,"y":2,"class":3}\n{"y":1}\n', b'\n \n{"label":1}\n\n',
         BOM + b'{"label":1}\n',
         b'{"label":true,"a":"a value that means nothing","b":"none"}\n', b"label,a\n1,2\n",
         b"1 1:1\n",
         b'{"label":1,"a":' + b'{"a":' * 5 + b"1" + b"}" * 5 + b"}\n"]

TEXT = [b"ham\tHi you hi\nspam\twin cash win\n", b"a\t\nb\tx", b"no tab\n", b"a\tb\tc\n", b"\tx\n",
        b"?\tx\n", b"a b\tx y z x y z\r\n\n \n", b"a\t" + b"word " * 60 + b"\nb\tw\n",
        b"a\t\xc3\xa9t\xc3\xa9 a-long-word-that-is-not-short=1\n", b"label,a\nx,1\n", b"1 1:1\n",
        b'{"label":1}\n', b"a\tx\ry\n", b"a\t" + BOM + b"\n", b"\n\nx y\n"]

CASES = [b"1 2 3 yes\n4 5 no\n", b"7 07 a=b 7:1 x\n", b"only\n", b" \t1\t 2 \r\n", b"? NA x\n",
         b"1 2 ?\n", b"1 2:1\n", b"a,b\n", b"a,b c\n", b'{"a": 1}\n', b"\n\n1 2\n", b"1\r2 3\n",
         b"1 1 1 1\n", b"18446744073709551616 -1 +1 1e3 x\n", b"# a\n", b"\xc3\xa9 y\n",
         b"a-name-that-is-not-short-at-all 1 y\n", b"1 2 yes"]

CSV_SETS = [b"label,a,b\nx,p|q||r,the cat the\ny,NA|s,A cat\n",
            b'label,a,b\nx,"p;;q","a ""b"" c"\n', b"y,a,features\n1,x y z,1\n2,,2\n",
            b"1,a\nx,p q p\n", b"label,a\nx,\xc3\xa9a\xc3\xa9b\n",
            b"a,b,id,label\n" + b"w " * 90 + b"," + b"v|" * 50 + b",n,l\n1,2,3,4\n"]

JSONL_SETS = [b'{"label":1,"a":["x y","y z"],"b":"p|q"}\n',
              b'{"label":2,"a":{"b":"u u"},"features":["p q"]}\n',
              b'{"label":1,"a":{"b":["a;;b","\\u00e9 x"]},"b":null}\n',
              b'{"y":0,"a":true,"b":1.5}\n', b'{"label":1,"features":"a b a b a"}\n',
              b'{"a":"x","label":"l"}\n{"b":"x","label":"m"}\n']

NUMBERS = """0 -0 1 +1 -1.5 .5 5. . + - e1 1e 1e+ 1e5 1E-5 1e400 -1e400 1e-400 0x10 nan inf 1,5
 1_000 00.00
 123456789012345678901234567890 0.1 0.3 1e22 1e23 9007199254740993 4.9e-324 2.4703282292062327e-324
 2.4703282292062328e-324 2.2250738585072011e-308 1.7976931348623157e308 1.7976931348623159e308
 179769313486231580793728971405301e276 8.5e-5 123456e-10 1e16 1e17 1e-5 1e-6 72057594037927945
 9.5367431640625e-7 6.631236846766476e-316 0e999999999999999999999 1e-99999999999999999999
 1.00000000000000011102230246251565404236316680908203125
 1.00000000000000011102230246251565404236316680908203124""".split()


def write(target, index, data):
    folder = os.path.join(OUT, target)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, f"seed-{index:04d}"), "wb") as file:
        file.write(data)


def seed_readers():
    for target, texts in ("csv", CSV), ("libsvm", LIBSVM), ("jsonl", JSONL):
        inputs = [o + t for t in texts for o in PLAIN]
        inputs += [o + b"".join(texts[:8]) for o in WIDE] + [o + texts[0] for o in WIDE]
        inputs += [o + t + b"\n" + texts[0] for t in BAD_TEXT for o in PLAIN[:2]]
        for index, data in enumerate(inputs):
            write(target, index, data)
            if target == "csv":
                write("tsv", index, data[:5] + data[5:].replace(b",", b"\t"))


def seed_columns():
    columns = (b"@", b"A", b"H", b"K", b"R", b"d")
    choices = [a + b for a in columns for b in (b"@", b"D", b"T", b"U", b"`", b"x")]
    for target, texts in (("text", TEXT), ("cases", CASES), ("csv_columns", CSV_SETS + CSV[:14]),
                          ("jsonl_columns", JSONL_SETS + JSONL[:14])):
        inputs = [o + choices[(i + k) % len(choices)] + t for i, t in enumerate(texts)
                  for k, o in enumerate(PLAIN)]
        inputs += [o + choices[i % len(choices)] + b"".join(texts[:6]) for i, o in enumerate(WIDE)]
        inputs += [b"D@@z@" + c + texts[0] for c in choices]
        inputs += [PLAIN[i % 2] + c + BAD_TEXT[i % len(BAD_TEXT)] + b"\n" + texts[0]
                   for i, c in enumerate(choices)]
        for index, data in enumerate(inputs):
            write(target, index, data)


def seed_numbers():
    doubles = [0.0, -0.0, 1.0, 0.1, 1 / 3, 1e22, 1e23, 5e-324, 2.2250738585072014e-308, 1e16,
               123456.0,
               1.7976931348623157e308, 9.5, 0.5, 2.5, 1e-5, 1e-6, 99999.5, float("inf"),
               float("nan")]
    inputs = [b"@" + text.encode() for text in NUMBERS]
    inputs += [bytes([96 + i % 17]) + struct.pack("<d", x) for i, x in enumerate(doubles * 3)]
    for index, data in enumerate(inputs):
        write("number", index, data)


def seed_folds():
    good = [b"0\n1\n2\n0\n1\n", b"0\r\n1\r\n", b"1\n2", BOM + b"3\n4\n", b"007\n7\n0\n",
            b"18446744073709551615\n0\n", b"5\n", b"5\n5\n", b"0\n" * 30 + b"1\n" * 30]
    bad = [b"1\n\n2\n", b"1\n2\n\n", b"fold\n1\n", b"1 \n", b"-1\n", b"+1\n", b"1.0\n", b"1\r",
           b"18446744073709551616\n", b"1\n" + BOM + b"2\n", b"1,2\n", b"9" * 200 + b"\n"]
    for index, text in enumerate(good + bad + BAD_TEXT):
        write("folds", index, b"@" + text)
    write("folds", 99, b"A0\n1\n")


def seed_train():
    draw = random.Random(1)
    for index in range(120):
        choices = bytes(64 + draw.randrange(64) for _ in range(6))
        if index % 3:
            choices = choices[:1] + b"@" + choices[2:]
        data = b""
        for _ in range(draw.randrange(1, 13)):
            count = draw.randrange(6)
            data += bytes([draw.randrange(4) | count << 2])
            some = b"\x00\x01\x02\x10\x11\x12\x21\x31\x45"
            if index % 4 == 0:  # numbers: spelled in many ways, with words among them
                choices = bytes([choices[0] | 8]) + choices[1:]
                some = bytes(range(0x40, 0x50)) + bytes(range(0x60, 0x70)) + b"\x02\x10"
            data += bytes(draw.choice(some) for _ in range(count))
        write("train", index, choices + data + b"!" + bytes([0x20]) + b"abcdefgh")


def raw_zstd(data):
    """A frame with one block that is stored as it is."""
    return (b"\x28\xb5\x2f\xfd\x20" + bytes([len(data)]) +
            (len(data) << 3 | 1).to_bytes(3, "little") + data)


def seed_packed():
    plain = CSV[0]
    gz, zst = gzip.compress(plain, mtime=0), raw_zstd(plain)
    skipped = b"\x50\x2a\x4d\x18\x02\0\0\0ab"
    inputs = [plain, gz, zst, gz + gzip.compress(b"", mtime=0) + gz, zst + skipped + zst, gz[:-3],
              zst[:-2], gz + b"x", zst + b"x", gz[:-6] + b"\0" + gz[-5:], b"\x1f",
              b"\x28\xb5\x2f", b"\x28\xb5\x2f\xfd\x00\x90\x01\x00\x00", skipped + zst,
              gzip.compress(b"a,b\n" * 5000, mtime=0)]
    for index, (data, choices) in enumerate(itertools.product(inputs, [b"@@", b"I@", b"zD"])):
        write("packed", index, choices + data)


def seed_encoding():
    """Choices: encoding (0: found), live, pieces, room, fault."""
    western = "label,a\nx,caf\u00e9 \u20ac\ny,\u00fcber\n"
    central = "label,a\nx,p\u0159\u00edli\u0161\n"
    russian = "label,\u0433\u043e\u0440\u043e\u0434\nx,\u041c\u043e\u0441\u043a\u0432\u0430\n"
    inputs = [western.encode(code) for code in
              ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252",
               "iso8859-15", "mac_roman")]
    inputs += [central.encode("cp1250"), central.encode("iso8859-2"), russian.encode("utf-16-be")]
    inputs += [russian.encode(code) for code in ("cp1251", "koi8-r", "cp866")]
    inputs += ["label\U0001f600\n".encode("utf-16"), b"\xff\xfea", b"a\0b,c\n", b"x\xff\n",
               b"\xc3\xa9 \xc3\xa9 \xc3\xa9 \xff\n", b"a," * 2100 + b"\xe9\n", b"\xff\xfe\x3d\xd8"]
    choices = [b"@@@@@", b"@A@BB", b"@@C@A", b"B@@@@", b"F@@B@", b"D@A@@"]
    for index, (data, choice) in enumerate(itertools.product(inputs, choices)):
        write("encoding", index, choice + data)


def seed_guess():
    """Choices: 1 tsv, 2 json, 3 nothing known, 4 label 1, 8 strict, 16 skip; pieces; buffer."""
    tables = [b"label;a;b\nx;1,5;2\ny;3;4\n", b"Title\n\nlabel,a,b\nx,1,2\ny,3,4\n",
              b"label, a, b\nx, 1, \"q, r\"\ny, 3, 4\n", b"5.1,3.5,x\n4.9,3,y\n6.1,2,x\n",
              b"label,a,a,a\nx,1,2,3\n", b"label,a,b\nx,1\ny,3,4\n", b"label,a,b\n,1,2\nx,3\n",
              b"label,a,b\nx,1,2\nSource: us\n", b"label|a\nx|1\n", b"label a b\nx 1 2\ny 3 4\n",
              b"# c, d\nlabel\ta\nx\t1\n", "label;\u00e9\nx;\u00fc\n".encode("cp1252"),
              "label;\u00e9\nx;\u00fc\n".encode("utf-16"), b"PK\x03\x04\x14\0", b"PAR1",
              b"<html>\n"]
    objects = [b'[{"label":"x","a":1},{"label":"y"}]',
               b'[\n{"label":"x",\n"a":[1,2]}\n,{"a":1}\n]\n',
               b'{\n"label":"x",\r\n"a":"}\\""}\n{"label":"y"}', b"[]", b'[{"label":1}', b"[1]",
               b'[{"label":1} {"label":2}]', b'{"label":1}\n{"label":null}\n{"a":2}\n']
    index = 0
    for kinds, inputs in ((b"@AC\x44HP", tables), (b"BCJR", objects)):
        for data, kind, rest in itertools.product(inputs, kinds, [b"@@", b"DC"]):
            write("guess", index, bytes([kind]) + rest + data)
            index += 1


def seed_threads():
    inputs = [(0, data * 3) for data in CSV] + [(1, data * 9) for data in LIBSVM]
    inputs += [(2, data * 5) for data in JSONL]
    choices = itertools.product([0, 4, 20, 36], b"CIPf")
    for index, ((kind, data), (flags, sizes)) in enumerate(zip(inputs, itertools.cycle(choices))):
        fault = 64 + index % 60 if index % 5 == 0 else 64
        write("threads", index, bytes([64 | kind | flags, sizes, fault]) + data)


def train(data, ending, *options, command="train"):
    with tempfile.TemporaryDirectory() as folder:
        source, model = os.path.join(folder, "data." + ending), os.path.join(folder, "model")
        with open(source, "wb") as file:
            file.write(data)
        subprocess.run([HCBR, command, "--model", "plain", "-q", source, "-o", model, *options],
                       check=True, stderr=subprocess.DEVNULL)
        with open(model, "rb") as file:
            return file.read()


def number_models(rich):
    """Past cases packed in all ways: dense and sparse numbers, words and long decimals among them,
    categories, sets, and values that too few cases had."""
    rows = ["label,a,b,c,d,e,f"]
    for i in range(30):
        rows.append(",".join([
            "xyz"[i % 2], str(i * 7 % 20), f"{i * 3 % 11 / 4}" if i % 5 else "",
            "" if i % 9 else str(i * 100), ["red", "blue", "1", "p|q"][i % 4],
            ["1", "1.0", "1e0", "2", "3.50"][i % 5],
            f"123456789012345678{i % 6:02d}" if i % 3 else f"0.{i}234567890123456789"]))
    data = "\n".join(rows).encode() + b"\n"
    mixed = data.replace(b",4,", b",none,").replace(b"x,7,", b"x,?7,")
    many = b"label,a,b\n" + b"".join(b"l%d,%d,%d\n" % (i % 66, i % 13, i % 66) for i in range(66))
    models = [train(data, "csv", *rich, "lite", "--keep-cases", keep, *more)
              for keep, more in itertools.product(
                  ["none", "anonymous", "full"], [[], ["--min-cases", "3"], ["--split", "d:|"]])]
    models += [train(mixed, "csv", *rich, "lite", "--numeric", "a", "--memory"),
               train(mixed, "csv", *rich, "lite", "--numeric", "a", "--min-cases", "2"),
               train(data, "csv", *rich, "normal", "--ignore", "f,d"),
               train(data, "csv", *rich, "lite", "--categorical", "e,a", "--id", "b"),
               train(b"1 1:2 2:3\n0 1:4 2:7\n1 2:9 3:1\n" * 4, "libsvm", *rich, "lite"),
               train(many, "csv", *rich, "lite", "--keep-cases", "none")]
    return models + [train(data, "csv", "--min-cases", "3"),
                     train(data, "csv", "--min-cases", "30", "--keep-cases", "none")]


def taken_models(rich):
    """Columns of every kind, with what is odd or missing among them."""
    rows = ["label,pay,born,said,tags,size,same,stamp"]
    words = "red green blue old new small large round flat warm".split()
    for i in range(36):
        rows.append(",".join([
            "xy"[i % 2], "refused" if i == 7 else f'"{i * 37 % 90 + 10},{i % 9}5 kg"',
            "n/a" if i == 3 else f"{i % 28 + 1}/{i % 12 + 1}/{1950 + i}",
            f"{words[i % 10]} {words[i // 10]}", "|".join(words[i % 4:i % 4 + 1 + i % 3]),
            "SML"[i % 3], "x", str(1552521600 + i // 9 * 86461)]))
    data = ("\n".join(rows) + "\n").encode()
    few = b"label,a,b\n" + b"".join(b"%s,%d%%,%d/3/2019\n" % (b"xy"[i % 2:][:1], i, i + 1)
                                    for i in range(12))
    return [train(data, "csv", *rich, "lite", "--keep-cases", "none"),
            train(data, "csv", *rich, "lite", "--ngrams", "2", "--type", "size=ignore", "--type",
                  "stamp=category", "--ignore", "tags"),
            train(few, "csv", *rich, "lite", "--dates", "mdy"),
            train(few, "csv", "--type", "a=number", "--type", "b=date"),
            train(few, "csv", "--type", "a=text", "--type", "b=set:/", "--keep-cases", "none"),
            train(data, "csv", *rich, "lite", "--na-only", "?,S", "--keep-cases", "none"),
            train(few, "csv", "--na-only", "")]


def seed_models():
    two = b"label,a,b,id\nx,1,2,n1\ny,1,3,n2\nx,2,2,\ny,2,3,n4\nx,1,2,n5\n"
    many = b"label,a,b\nA,1,2\nB,1,3\nC,2,2\nA,2,3\nC,1,2\nC,,\n"
    jsonl = b'{"label":1,"features":["p","q"],"long key of a feature":"long value"}\n{"label":2}\n'
    keeps = ["none", "anonymous", "full"]
    models = [train(data, "csv", "--keep-cases", keep, "--passes", passes, "--scope", scope)
              for data, keep, passes, scope in itertools.product(
                  [two, many], keeps, ["0", "1", "3"], ["class", "all"])]
    numbers = b"1 3:1 17:1 9999999:1\n-1 3:1 5:1\n1 17:1 5:1\n-1\n"
    models += [train(numbers, "libsvm", "--keep-cases", keep, "--passes", "2")
               for keep in ("none", "full")]
    models += [train(two, "csv", "--id", "id", "--ignore", "b", "--na", "1,?"),
               train(two + b"bad\ny,1,3,n\n", "csv", "--bad-rows", "skip", "--id", "id"),
               train(many, "csv", "--memory", "--fallback", "prior", "--eta", "A=0.5,B=0.1"),
               train(two, "csv", "--eta-share", "x=0.6", "--fallback", "y", "--given-order"),
               train(b"x;1\nx;2\n", "csv", "--no-header", "--delimiter", ";", "--label", "1"),
               train(two, "csv", "--text", "a", "--split", "b:|", "--ngrams", "2", "--presence",
                     "id"),
               train(b"x\ta b a\ny\tc\n", "txt", "--ngrams", "3"),
               train(jsonl, "jsonl"), train(b"1 1:1\n2 1:1\n", "libsvm"), train(b"label\n1\n",
               "csv")]
    numbers = b"label,a,b,w\n" + b"".join(
        b"%s,%d,%s,%d\n" % ((b"x", b"y", b"x")[i % 3], i * 7 % 10, (b"p", b"q")[i % 2], i % 3)
        for i in range(12))
    rich = ("--model", "rich", "--effort")
    rich_models = [train(data, "csv", *rich, effort, "--keep-cases", keep)
                   for data, effort, keep in itertools.product(
                       [two, many, numbers], ["lite", "normal"], ["none", "full"])]
    rich_models += [train(numbers, "csv", *rich, "lite", "--weight", "w"),
                    train(numbers, "csv", *rich, "lite", "--group", "b"),
                    train(b"label\n1\n", "csv", *rich, "lite"),
                    train(jsonl, "jsonl", *rich, "lite", "--fallback", "prior")]
    tune = ("--folds", "2", "--cost")
    rich_models += [train(numbers, "csv", *rich, "lite", *tune, "x:y=3,unknown=.2", command="tune"),
                    train(many, "csv", *rich, "lite", *tune, "A:B=3,C:A=0", command="tune"),
                    train(numbers, "csv", *tune, "fp=1,fn=9", command="tune"),
                    train(many, "csv", *tune, "unknown=.3", "--calibrate", "platt", command="tune")]
    rich_models += number_models(rich) + taken_models(rich)
    for index, (row, data) in enumerate(itertools.product(
            [b"\2\4\6" + b"\0" * 13, b"\1\3\5\7" * 4, b"\4" + b"\0" * 14 + b"\x15"],
            rich_models + models[:3])):
        write("explain", index, row + data)
    models += rich_models
    damaged = [models[0][:n] for n in (0, 7, 8, 12, 23, 40, 100)] + [models[0] + b"\0"]
    for index, data in enumerate(models + damaged):
        for target in "model", "model_raw":
            write(target, index, data)


def seed_kinds():
    """Columns of every kind, with each name and some failures of memory."""
    columns = [
        ["$1,234.50", "$987", "-", "$1.2M", "($5)"], ["1.234,5 \u20ac", "0,5 \u20ac", "12 \u20ac"],
        ["12 kg", "3 kg", "1.5 kg", "n/a"], ["12.5%", "3%", "-4 %"], ["1 234", "1\u202f234,5", "7"],
        ["1'234", "12'000.5"], ["1.234", "987", "12.345"] * 5, ["3k", "5m", "1.2bn"],
        ["2019-03-14", "2019-03-15T10:20:30Z", "2019-073", "2019-W11-4"], ["2019Q1", "Q2 2019"],
        ["14/03/2019", "01/02/2019"], ["3/14/19 2:05 PM", "1/2/19 12:00 am"],
        ["99-03-14", "01-02-03"],
        ["14 March 2019", "Mar 14, 2019", "14-Mar-19", "1er mars 2019", "14 de marzo de 2019"],
        ["Thu, 14 Mar 2019 10:00:00 +0100", "Thu Mar 14 10:00:00 UTC 2019"], ["14:05", "2:05 pm"],
        ["20190314", "20200229", "20191231"], ["1552521600", "1552521601"], ["1552521600123"] * 2,
        ["yes", "no", "N"], ["TRUE", "f"], ["1", "0.0"], ["-1", "1"], ["on", "off", "null"],
        ["a|b", "b|c|a", "c", "a"], ["a; b", "b; c; a", "c"], ["x, y", "y", "z, x, y"] * 4,
        ["the red ball", "a green house on the hill"] * 3, ["ann@example.org", "bob@example.org"],
        ["http://example.org/1", "https://example.org/2"], ["007", "012", "123"],
        [str(i) for i in range(1, 30)] + [">90"], ["tt%05d" % i for i in range(25)],
        ["123e4567-e89b-12d3-a456-426614174000"], ["same"] * 4, [], [""], ["-", "N/A", "#DIV/0!"]]
    for index, (values, choice) in enumerate(itertools.product(columns, "@ABCH")):
        write("kinds", index, (choice + "\n".join(values)).encode())


def seed_bins():
    """Options, good and bad, with labels that are numbers in every spelling."""
    options = ["3", "median", "at:30", "30,", "12.5,30", "comma:2", "point:at:1,2", "million:4",
               "comma:million:1e3,2e3", "x", "3,2", "1001", "", "-5,0"]
    columns = [
        [str(i) for i in range(40)], ["1.5", "2.5", "2.5", "1e3", "-0"], ["$1,234.50", "$5", "$7"],
        ["1.234,5", "0,5", "12"], ["1,234", "2,345", "3,456"], ["12%", "3.5 %"], ["3k", "5m", "2M"],
        ["5 kg", "6 kg", "7"], ["1", "x"], ["-", "1", "2"], ["0.12345678901", "0.2234567", "7e-9"],
        ["(5)", "+3", "1'000"], ["5"]]
    for index, (option, values) in enumerate(itertools.product(options, columns)):
        write("bins", index, "\n".join([option] + values).encode())


def seed_row():
    """Tables and objects whose rows are asked for."""
    tables = [b"label,a,b\nx,1,red\ny,2,blue\n", b"a,b\n1,\"x \"\"y\"\"\n,z\"\n\n2\n",
              b"a;b;c\n1,5;'x';\n2,5;y;z\n", b"# note\na,a,\n1,2,3\n", b"a\tb\n1\t\\N\n2\t3\n",
              b"\xff\xfea\0,\0b\0\n\0" + b"1\0,\0\xe9\0\n\0", b"a,b\n\xe9,1\n", b"a,b\r1,2\r"]
    objects = [b'{"a":1,"b":"red"}\n{"b":null,"c":[1,{"d":2}]}\n', b'[{"a":"\\u00e9"},{"a":true}]',
               b'{\n "a": {"b": 1.50},\n "b": "x"\n}\n', b'{"a":1}\n{"a":\n',
               b'{"a.b":1,"a":{"b":2}}\n']
    index = 0
    for kinds, inputs in ((b"@AD\x48P", tables), (b"BCFJ", objects)):
        for data, kind, rest in itertools.product(inputs, kinds, [b"@@", b"AC", b"BB"]):
            write("row", index, bytes([kind]) + rest + data)
            index += 1


def seed_prior():
    """Files of importances and of beliefs, good and bad, with failures of memory and of files."""
    importances = [
        b"column,value,importance\noutlook,,2\noutlook,sunny,0.5\ntemp,71,0\n",
        b"importance,column\n3,outlook\n0.25,temp\n", b"column,importance\noutlook,0\n",
        b"# a remark\n\ncolumn,value,importance\n\"outlook\",\"fair, cold\",1000000\n",
        b"column,value,importance\nsays:hot,,7\ntags,a,0.000001\n",
        b"column,importance\noutlook,1\noutlook,2\n", b"column,importance\noutlok,1\n",
        b"column,importance\noutlook,-1\n", b"column,weight\noutlook,1\n", b"column,importance\n",
        b"column,importance\noutlook\n", b'column,importance\n"outlook,1\n', b"",
        BOM + b"column,importance\r\ntemp,2\r\n", b"column,importance\ntemp,1e400\n"]
    beliefs = [
        b"outlook,play,belief_source,belief_weight\nrain,no,Ana,2\nsunny,yes,Bob,1\n",
        b"belief_source,play,temp\nAna,yes,99\n\"B, \"\"C\"\"\",no,50\n",
        b"outlook,play,belief_source,belief_weight\nrain,no,Ana,0\n",
        b"outlook,says,tags,play,belief_source\nhail,a new day,a|z,no,Ana\n,,,yes,Bob\n",
        b"outlook,play,belief_source\nrain,no,Ana\nrain,no,Ana\n",
        b"outlook,play,belief_source\nrain,maybe,Ana\n",
        b"outlok,play,belief_source\nrain,no,Ana\n",
        b"outlook,play\nrain,no\n", b"outlook,play,belief_source\nrain,no,\n",
        b"outlook,play,belief_source,belief_weight\nrain,no,Ana,0.5\n",
        b"outlook,play,belief_source,belief_weight\nrain,no,Ana,-1\n",
        b"outlook,belief_source\nrain,Ana\n", b"play,belief_source\n,Ana\n"]
    index = 0
    for files, kinds in ((importances, b"@DL"), (beliefs, b"ACEGOM")):
        for data, kind, fault in itertools.product(files, kinds, b"@Ef"):
            if fault == ord("@") or data in (files[0], files[3]):
                write("prior", index, bytes([kind, fault]) + data)
                index += 1


seed_readers()
seed_columns()
seed_prior()
seed_kinds()
seed_bins()
seed_row()
seed_numbers()
seed_folds()
seed_train()
seed_packed()
seed_encoding()
seed_guess()
seed_threads()
seed_models()
