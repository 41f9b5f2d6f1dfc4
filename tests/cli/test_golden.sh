# The same cases in every form a user may have them in give the same model, byte for byte. All forms
# are written here, by Python, from one table; nothing comes from `hcbr convert` but the last two.
source "$(dirname "$0")/lib.sh"
votes=$here/../../examples/votes.csv

VOTES=$votes python3 - <<'END'
import csv, gzip, json, os, sqlite3

with open(os.environ["VOTES"], newline="") as file:
    names, *rows = csv.reader(file)
label = names.index("class")
keys = names[:label] + names[label + 1:]
missing = {"", "?", "NA", "NaN", "null"}
cases = [(f"n{i}", row[label],
          [(k, v) for k, v in zip(names, row) if k != "class" and v not in missing])
         for i, row in enumerate(rows)]


def table(path, delimiter, header, lines):
    with open(path, "w", newline="") as file:
        csv.writer(file, delimiter=delimiter, lineterminator="\n").writerows([header] + lines)


def fields(case, columns):
    values = dict(case[2])
    return [values.get(k, "") for k in columns]


lines = [[c[0], c[1]] + fields(c, keys) for c in cases]
header = ["id", "class"] + keys
table("all.csv", ",", header, lines)
table("all.tsv", "\t", header, lines)
table("part1.csv", ",", header, lines[:100])
table("part2.csv", ",", header, lines[100:101])
table("part3.csv", ",", header[2:] + header[:2], [l[2:] + l[:2] for l in lines[101:]])
with open("all.jsonl", "w") as file:
    for name, vote, features in cases:
        file.write(json.dumps({"class": vote, **dict(features), "id": name}) + "\n")

numbers, labels = {}, {"democrat": "7", "republican": "3"}
for k in keys:
    for v in sorted({dict(c[2]).get(k, "") for c in cases} - missing):
        numbers[k, v] = len(numbers) + 10
with open("all.names", "w") as file:
    file.write("label_name\tclass\n")
    file.writelines(f"label\t{n}\t{text}\n" for text, n in labels.items())
    file.writelines(f"feature\t{n}\t{k}\t{v}\n" for (k, v), n in numbers.items())
    file.writelines(f"case\t{i}\t{c[0]}\n" for i, c in enumerate(cases, 1))
with open("all.libsvm", "w") as file:
    for _, vote, features in cases:
        file.write(" ".join([labels[vote]] + [f"{numbers[f]}:1" for f in features]) + "\n")
with open("all.cases", "w") as data, open("all.outcomes", "w") as outcomes:
    for _, vote, features in cases:
        data.write(" ".join(str(numbers[f]) for f in features) + "\n")
        outcomes.write(labels[vote] + "\n")
with sqlite3.connect("all.db") as db:
    db.execute("CREATE TABLE votes (" + ", ".join(f'"{k}"' for k in header) + ")")
    db.executemany("INSERT INTO votes VALUES (" + ", ".join("?" * len(header)) + ")",
                   [[v or None for v in l] for l in lines])
for path in "all.csv", "all.jsonl":
    with open(path, "rb") as plain, gzip.open(path + ".gz", "wb") as packed:
        packed.write(plain.read())

# Two sources: some columns apart, found again by the id, in another order.
apart = keys[10:]
renamed = ["apart." + k if k in apart else k for k in keys]
table("whole.csv", ",", ["id", "class"] + renamed, lines)
table("left.csv", ",", ["id", "class"] + keys[:10],
      [[c[0], c[1]] + fields(c, keys[:10]) for c in cases])
table("apart.tsv", "\t", ["id"] + apart, [[c[0]] + fields(c, apart) for c in reversed(cases)])
END

train() { # MODEL WORDS...
    # shellcheck disable=SC2086 # two words or none
    run train $model -q --id id "${@:2}" -o "$1"
    exits 0
    says_nothing
}

same_model() { # WORDS...
    train other.hcbr "$@"
    holds "the same model" cmp golden.hcbr other.hcbr
    rm -f other.hcbr
}

# The default model once, from each kind of file; the plain one in every way.
model=
train golden.hcbr all.csv
for file in all.tsv all.jsonl all.db "all.libsvm --names all.names"; do
    # shellcheck disable=SC2086 # a file and its options
    same_model $file
done
run_shell 'cat all.csv.gz | "$hcbr" train -q --id id - -o other.hcbr &&
    cmp golden.hcbr other.hcbr'
exits 0
model="--model plain"
train golden.hcbr all.csv
same_model all.tsv
same_model all.jsonl
same_model part1.csv part2.csv part3.csv
same_model all.libsvm --names all.names
same_model all.cases --names all.names --outcomes all.outcomes
same_model all.csv.gz
same_model all.jsonl.gz
if command -v zstd >/dev/null; then
    zstd -q all.csv
    same_model all.csv.zst
    same_model all.csv.zst -j 2
fi
same_model all.db
same_model all.db --query 'SELECT * FROM votes ORDER BY rowid'
same_model 'all.db#votes'
same_model all.csv -j 2
run_shell '"$hcbr" train --model plain -q --id id - -o other.hcbr <all.csv &&
    cmp golden.hcbr other.hcbr'
exits 0
run_shell 'cat all.csv.gz | "$hcbr" train --model plain -q --id id - -o other.hcbr &&
    cmp golden.hcbr other.hcbr'
exits 0
run_shell 'cat all.jsonl | "$hcbr" train --model plain -q --id id - -o other.hcbr &&
    cmp golden.hcbr other.hcbr'
exits 0

# A model also says what was joined to make it. Its cases alone are those of the whole table.
run_shell '"$hcbr" convert -q left.csv --id id --join apart.tsv:id -o joined.jsonl'
exits 0
mv golden.hcbr whole_names.hcbr
train golden.hcbr whole.csv
same_model joined.jsonl
train joined.hcbr left.csv --join apart.tsv:id
for name in golden joined; do
    "$hcbr" inspect "$name.hcbr" --json | grep -o '"fingerprint":"[0-9a-f]*"' >"$name.print"
done
holds "the same fingerprint" cmp golden.print joined.print
run_shell 'for m in golden joined; do
    "$hcbr" predict -q $m.hcbr left.csv --join apart.tsv:id >$m.answers; done
    cmp golden.answers joined.answers'
exits 0
