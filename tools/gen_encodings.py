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
    """Which hcbr_i_kind a character is."""
    if code == 0 or 0x80 <= code < 0xA0:
        return "-"
    category = unicodedata.category(chr(code))
    if chr(code) in "ªºµ":
        return "."
    return {"Ll": "s", "Lu": "C"}.get(category, ".")


def literal(code):
    """A character as it stands in a literal of C."""
    if code < 0xA0:
        return f"\\{code:03o}"
    return f"\\u{code:04X}" if chr(code).isspace() or code == 0xAD else chr(code)


def rows(field, prefix, items):
    """A field that is an array of characters, as literals of at most 64 columns."""
    lines = [""]
    for item in items:
        if len(lines[-1]) + len(item) > 64:
            lines.append("")
        lines[-1] += item
    print(f"        .{field} =")
    print("\n".join(f'            {prefix}"{line}"' for line in lines) + ",")


def main():
    print("""/*
 * Encodings of one byte for each character: the characters of the bytes from 0x80 on, and their
 * frequency in texts. Written by tools/gen_encodings.py with the tables of iconv.
 */
#include "read/encoding.h"

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
        rows("codes", "u", [literal(code) for code in codes])
        rows("kinds", "", [kind(code) for code in codes])
        if group:
            rows("weights", "", [chr(ord("k") + weight(code, group)) for code in codes])
        print("    },")
    print("};\n// clang-format on")


if __name__ == "__main__":
    sys.exit(main())
