"""A folder of texts with a folder for each label is read as the text format.

usage: test_folder.py    (the program is $HCBR)
"""
import gzip
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HCBR = os.environ["HCBR"]
TEXTS = {"ham": {"a": "See you\nat the\tstation\r\n", "b": "déjà vu, café", "c": "", "d": "one"},
         "spam": {"1": "WIN cash", "2": "Win NOW\n\n", "3": "été"}}
failed = []


def check(name, good, more=""):
    if not good:
        failed.append(name)
        print("FAILED", name, more)


def run(*arguments):
    done = subprocess.run([HCBR, *arguments], capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr.decode()


def write(path, data):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)


def model(path):
    code, _, said = run("train", path, "--model", "plain", "-o", "m")
    check(f"train {path}", code == 0, said)
    with open("m", "rb") as file:
        return file.read(), said


def main():
    lines = ""
    for label, files in TEXTS.items():
        for number, (name, text) in enumerate(files.items()):
            flat = text.replace("\n", " ").replace("\t", " ").replace("\r", " ")
            lines += f"{label}\t{flat}\n"
            data = text.encode(["utf-8", "cp1252", "utf-8-sig"][number % 3])
            if name == "d":
                name, data = "d.gz", gzip.compress(data)
            write(f"mails/{label}/{name}", data)
    write("mails/.hidden/x", b"no label")
    write("mails/ham/.hidden", b"no text")
    write("mails/readme", b"no label")
    write("mails.txt", lines.encode())
    wanted, _ = model("mails.txt")
    found, said = model("mails")
    check("same model", found == wanted, said)
    check("said", "mails: read as texts, with a folder for each of 2 labels" in said and
          "mails/ham/b: read as windows-1252 (byte 0xE9 at line 1;" in said, said)
    answers = [run("predict", "-q", "m", path)[1] for path in ("mails", "mails.txt")]
    check("predict", answers[0] == answers[1])
    os.mkdir("empty")
    code, _, said = run("train", "empty", "-o", "n")
    check("no folders", code == 5 and "empty: is a directory, expected a file" in said, said)
    os.makedirs("none/ham")
    code, _, said = run("train", "none", "-o", "n")
    check("no files", code == 3 and "none: empty file: found no case" in said, said)
    write("none/ham/x", b"a\0b")
    code, _, said = run("train", "none", "-o", "n")
    check("bad text", code == 3 and "none:1:6: found a NUL byte" in said, said)
    print(f"{len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="hcbr-folder-") as here:
        os.chdir(here)
        STATUS = main()
        os.chdir("/")
    sys.exit(STATUS)
