#!/usr/bin/env python3
"""Writes src/read/encoding_tables.c: what the bytes 0x80 to 0xFF of an encoding stand for.

    tools/gen_encodings.py > src/read/encoding_tables.c

iconv says which character a byte is. The lists below say how common a character is among those
beyond ASCII in texts of the languages that an encoding is made for, in half bits above an even
share; they follow the mean over the languages of the translated messages of programs.
"""
import subprocess
import sys
import unicodedata

# name, other names in small letters without - and _, group of languages, advantage in half bits
ENCODINGS = (
    ("windows-1252", "cp1252 1252 win1252 ansi", "western", 8),
    ("iso-8859-15", "latin9 885915 l9", "western", 0),
    ("windows-1250", "cp1250 1250 win1250", "central", 0),
    ("windows-1251", "cp1251 1251 win1251", "cyrillic", 0),
    ("macintosh", "macroman mac xmacroman", "western", -8),
    ("iso-8859-2", "latin2 88592 l2", "central", -4),
    ("ibm850", "cp850 850 dos", "western", -8),
    ("koi8-r", "koi8", "cyrillic", -8),
    ("ibm866", "cp866 866", "cyrillic", -8),
    ("iso-8859-1", "latin1 88591 l1", None, 0),  # never guessed
)
WESTERN = {7: "éäáóíåøãöèúæçüà", 5: "ýê", 4: "ðëñòïùßâôì", 3: "î",
           1: "ûõÁÓÚÉÖÄØÍÅÜÇÃÀÈÂÊœšžŠÆÑÎÔ", -2: "þ", -4: "ÿÝÐÞŽŒŸÒÙÌÏËÕÛ"}
CENTRAL = {7: "čáăšížéóöúüä", 5: "ćłýżęąśřťđőěűţş", 4: "âßô", 3: "îČľŠńů", 1: "ňźŽĂŘĺŁďÁÉÍÓÚÖÜÄÎÔÂ",
           0: "ë", -2: "ŻŚÝĽĐŞĚĆçĄŮŐŃŢĘŹŤŰĎŇŕË"}
CYRILLIC = {6: "аеонитрсквлдпму", 3: "зіябгчыцьйжјшфх", 1: "эњъюўщљєћёїНПАСКРДВИМО",
            -1: "ТБЛГЗЕУФЦШЧХ", -4: "ђІЙЯЭЈќЖѓЫџЮЬЪЊЏЩЉґЁЂЄЋЅѕҐЎЇЃ"}
SIGNS = {3: "’“”–…\u00a0«»—‘•„°€", 0: "£§²³½¼¾µ×®©™ºª¿¡·†±№‰"}
RARE = -10
GROUPS = {"western": WESTERN, "central": CENTRAL, "cyrillic": CYRILLIC}


def characters(name):
    """What iconv makes of each byte from 0x80 on; 0: nothing."""
    codes = []
    for byte in range(0x80, 0x100):
        run = subprocess.run(["iconv", "-f", name, "-t", "utf-32le"], input=bytes([byte]),
                             capture_output=True, check=False)
        codes.append(int.from_bytes(run.stdout, "little") if run.returncode == 0 else 0)
    assert all(code < 0x10000 for code in codes)
    return codes


def weight(code, group):
    """Half bits above an even share among 128 characters."""
    for table in (GROUPS[group], SIGNS):
        for value, letters in table.items():
            if chr(code) in letters:
                return value
    return RARE


def kind(code):
    """Which HCBR_I_KIND_ a character is."""
    if code == 0 or 0x80 <= code < 0xA0:
        return "NONE"
    category = unicodedata.category(chr(code))
    if chr(code) in "ªºµ":
        return "SIGN"
    return {"Ll": "SMALL", "Lu": "CAPITAL"}.get(category, "SIGN")


def rows(items, width):
    for i in range(0, len(items), width):
        print("        " + ", ".join(items[i:i + width]) + ",")


def main():
    print("""/*
 * Encodings of one byte for each character: what the bytes from 0x80 on stand for, and how common
 * that is in texts. Written by tools/gen_encodings.py, for which iconv says what a byte is.
 */
#include "read/encoding.h"

#define NONE HCBR_I_KIND_NONE
#define SMALL HCBR_I_KIND_SMALL
#define CAPITAL HCBR_I_KIND_CAPITAL
#define SIGN HCBR_I_KIND_SIGN

// clang-format off
const hcbr_i_encoding hcbr_i_encodings[HCBR_I_ENCODINGS] = {""")
    for name, others, group, advantage in ENCODINGS:
        codes = characters(name)
        print("    {")
        print(f'        .name = "{name}",')
        print(f'        .others = " {others} ",')
        script = "HCBR_I_SCRIPT_" + (group.upper() if group else "NEVER")
        print(f"        .script = {script},")
        print(f"        .advantage = {advantage},")
        print("        .codes = {")
        rows([f"0x{code:04X}" for code in codes], 11)
        print("        },")
        print("        .kinds = {")
        rows([kind(code) for code in codes], 8)
        print("        },")
        if group:
            print("        .weights = {")
            rows([str(weight(code, group)) for code in codes], 16)
            print("        },")
        print("    },")
    print("};\n// clang-format on")


if __name__ == "__main__":
    sys.exit(main())
