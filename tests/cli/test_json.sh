# What --json prints is JSON with the keys that docs/JSON.md names.
source "$(dirname "$0")/lib.sh"
write_three
printf '{"label":"C\\"\\n","features":["a"]}\n' >>three.jsonl

run train --model plain three.jsonl --given-order --json -o three.hcbr
exits 0
holds "one line" test "$(wc -l <stdout)" -eq 1
python3 -m json.tool <stdout >/dev/null || bad "train --json is no JSON"
cp stdout train.json
run inspect three.hcbr --json --top 2
exits 0
holds "one line" test "$(wc -l <stdout)" -eq 1
python3 -m json.tool <stdout >/dev/null || bad "inspect --json is no JSON"
cp stdout inspect.json

head -n 4 three.jsonl >four.jsonl
run train --model plain four.jsonl -q --given-order -o four.hcbr
exits 0
printf '{"who":"1","features":["a","c","z"]}\n{"who":2,"features":["q\\\\\\"\\u0007"]}\n{}\n' \
    >new.jsonl
run predict four.hcbr new.jsonl --id who --json
exits 0
says_nothing
cp stdout predict.json

# The default model says the same things.
run train three.jsonl --json -o rich.hcbr
exits 0
cp stdout rich_train.json
run inspect rich.hcbr --json --top 2
exits 0
cp stdout rich_inspect.json
run predict rich.hcbr new.jsonl --id who --json
exits 0
says_nothing
cp stdout rich_predict.json

last="keys and values"
python3 - "$here/../../docs/JSON.md" <<'END'
import json, re, sys
documented = {}
for schema, text in re.findall(r"^## (hcbr\.\w+/1)\n(.*?)(?=^## |\Z)", open(sys.argv[1]).read(),
                               re.M | re.S):
    table = text.split("\n\n| reason")[0]
    documented[schema] = set(re.findall(r"`(\w+)`", " ".join(
        line.split("|")[1] for line in table.splitlines() if line.startswith("|"))))


def near(a, b):
    assert abs(a - b) < 1e-12, (a, b)


train = json.load(open("train.json"))
inspect = json.load(open("inspect.json"))
rows = [json.loads(line) for line in open("predict.json")]
rich = [json.load(open("rich_train.json")), json.load(open("rich_inspect.json"))]
rich_rows = [json.loads(line) for line in open("rich_predict.json")]
for row in rich_rows[:1]:
    near(sum(row["probability"].values()), 1)
    assert row["label"] == max(row["support"], key=row["support"].get)
for key in "cases", "empty_cases", "occurrences", "features", "atoms", "labels":
    assert train[key] == rich[0][key], key
for thing in [train, inspect] + rows + rich + rich_rows:
    assert set(thing) == documented[thing["schema"]], set(thing) ^ documented[thing["schema"]]
for key in "cases", "empty_cases", "occurrences", "features", "atoms", "fingerprint":
    assert train[key] == inspect[key], key
assert train["cases"] == 5 and train["features"] == 5 and train["occurrences"] == 12
assert train["labels"] == [{"name": "A", "cases": 1}, {"name": "B", "cases": 1},
                           {"name": "C", "cases": 2}, {"name": 'C"\n', "cases": 1}]
assert set(train["seconds"]) >= {"read", "save"}, train["seconds"]
families = {"columns", "atoms", "boosted", "votes", "trust"}
assert set(train["peak_bytes"]) == set(train["seconds"]), train["peak_bytes"]
assert set(train["seconds"]) & families in (set(), families), train["seconds"]
peaks = list(train["peak_bytes"].values())
assert peaks == sorted(peaks) and peaks[0] > 1e6, peaks
assert re.fullmatch("[0-9a-f]{32}", train["fingerprint"])
assert list(inspect["strongest"]) == ["A", "B", "C", 'C"\n']
assert all(len(atoms) <= 2 for atoms in inspect["strongest"].values())
assert inspect["strongest"]["A"][0]["features"] == ["c", "e"]
assert inspect["strongest"]["A"][0]["cases"] == {"A": 1, "B": 0, "C": 1, 'C"\n': 0}
assert inspect["options"]["given_order"] is True and inspect["options"]["seed"] == 1
assert inspect["options"]["reading"]["label"] == "label"

# METHOD 6, three labels, scope class, after one pass.
first, second, third = rows
assert first["label"] == "C" and first["reason"] == "support" and first["row"] == 1
assert first["id"] == "1" and second["id"] == "2" and third["id"] is None
near(first["support"]["A"], 1 / 9)
near(first["support"]["B"], 1 / 6)
near(first["support"]["C"], 2 / 5)
near(first["known"], 2 / 3)
assert first["unseen"] == ["z"] and first["probability"] is None and first["given"] is None
assert second["label"] is None and second["reason"] == "nothing known" and second["known"] == 0
assert second["unseen"] == ['q\\"\x07']
assert third["label"] is None and third["reason"] == "empty case" and third["known"] is None
END
code=$?
exits 0
