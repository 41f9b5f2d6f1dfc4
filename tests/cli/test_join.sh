# --join: what is said about sources, their keys and their names, in training and later.
source "$(dirname "$0")/lib.sh"

printf 'id,label,a\n1,yes,x\n2,no,y\n3,no,\n,yes,z\n' >d.csv
printf 'id,age,label\n1,30,q\n2,40,r\n2,41,r\n9,1,s\n' >demo.csv

# Features of all matching rows, behind the case's own; unmatched keys are counted on both sides.
run convert d.csv --id id --join demo.csv:id --to jsonl -o -
exits 0
prints < <(printf '%s\n' '{"label":"yes","id":"1","a":"x","demo.age":"30","demo.label":"q"}'
    printf '%s' '{"label":"no","id":"2","features":[["a","y"],["demo.age","40"],'
    printf '%s\n' '["demo.label","r"],["demo.age","41"]]}' '{"label":"no","id":"3"}' \
        '{"label":"yes","a":"z"}')
contains stderr "hcbr convert: note: demo.csv: by 'id', 2 of 4 cases have no match here, and 1 of \
3 values here have no case"

# The key stays a feature unless it has another use; a source's columns are named with its name.
run convert d.csv --join demo.csv:id@x --ignore x.label -q --to csv -o -
exits 3
contains stderr "row 2: found the feature 'x.age'='41', the second one of its key in this case"
run convert d.csv --join demo.csv:id@x --ignore id,x.label --to jsonl -o - -q
exits 0
prints <<'END'
{"label":"yes","a":"x","x.age":"30"}
{"label":"no","a":"y","x.age":["40","41"]}
{"label":"no"}
{"label":"yes","a":"z"}
END
printf 'id,tags,note\n1,p;q,Two words\n' >t.csv
run convert d.csv --ignore id --join t.csv:id --split 't.tags:;' --text t.note --to jsonl -o - -q
exits 0
contains stdout '"a":"x","t.tags":["p","q"],"t.note:two":"1","t.note:words":"1"}'
run convert d.csv --ignore id --join t.csv:id --presence t.note,t.tags --to jsonl -o - -q
exits 0
contains stdout '"a":"x","features":["t.tags","t.note"]}'
run train d.csv --join t.csv:id --text t.note --min-count 2 -q -o m.hcbr
exits 0
run_shell '"$hcbr" inspect m.hcbr --json'
holds "rare words of a source are dropped" bash -c '! grep -q "t.note:" stdout'

# Other formats, several sources, and what does not match at all.
printf '{"id":1,"k":{"v":2}}\n{"id":["2","3"],"w":[1,2]}\n' >more.jsonl
run convert d.csv --ignore id --join demo.csv:id --join more.jsonl:id@m --to jsonl -o - -q
exits 0
same_rows "standard output" <(sed -n '1p;3p' stdout) \
    '{"label":"yes","a":"x","demo.age":"30","demo.label":"q","m.k.v":"2"}' \
    '{"label":"no","m.w":["1","2"]}'
gzip -k demo.csv
run_shell '"$hcbr" convert d.csv --join demo.csv:id -q --to jsonl -o a.jsonl
    "$hcbr" convert d.csv --join demo.csv.gz:id -q --to jsonl -o b.jsonl && cmp a.jsonl b.jsonl
    "$hcbr" convert d.csv --join -:id@demo -q --to jsonl -o c.jsonl <demo.csv &&
        cmp a.jsonl c.jsonl'
exits 0
printf 'id,b\n77,1\n' >none.csv
run train d.csv --join none.csv:id -o m.hcbr -q
exits 0
says <<'END'
hcbr train: warning: none.csv: no case has a match here by 'id': 3 of 4 cases have a value of it
END
printf '{"label":"yes","a":1}\n{"label":"no","a":2}\n' >d.jsonl
run train d.jsonl --join demo.csv:id -o m.hcbr -q
exits 0
says <<'END'
hcbr train: warning: demo.csv: no case has a match here by 'id': 0 of 2 cases have a value of it
END

# The model knows the names and keys of its sources; predict says which is not there.
run train d.csv --id id --join demo.csv:id -q -o m.hcbr
exits 0
run inspect m.hcbr
contains stdout "joined          demo by id"
run predict m.hcbr d.csv --join demo.csv:id -q
exits 0
says_nothing
contains stdout "3/3"
run predict m.hcbr d.csv -q
exits 0
says < <(echo "hcbr predict: warning: the source 'demo', which training joined by 'id', is not" \
    "here: its features are missing (--join FILE:KEY@NAME)")
cp demo.csv other.csv
run predict m.hcbr d.csv --join other.csv:id@demo -q
exits 0
says_nothing
# The source that training had ignored a column of is not here: the column is not asked of the data.
run train d.csv --id id --join demo.csv:id --ignore demo.label -q -o m.hcbr
exits 0
run predict m.hcbr d.csv -q
exits 0

# A path may hold colons and at-signs.
mkdir 'a:b@c'
cp demo.csv 'a:b@c/x:y@z.csv'
run convert d.csv --join 'a:b@c/x:y@z.csv:id' --ignore id --to jsonl -o - -q
exits 0
contains stdout '"x:y@z.age":"30"'
run convert d.csv --join 'a:b@c/x:y@z.csv:id@n' --ignore id --to jsonl -o - -q
exits 0
contains stdout '"n.age":"30"'

# Nothing that is read is written over.
run train d.csv --join demo.csv:id -o demo.csv
exits 2
contains stderr "hcbr train: -o demo.csv: this file is read as --join demo.csv and would be lost"
run convert d.csv --join demo.csv:id -o ./demo.csv
exits 2
contains stderr "-o ./demo.csv: this file is read as --join demo.csv and would be lost"

# The data themselves would give their labels away as features, by whatever path.
ln -s d.csv soft.csv
ln d.csv hard.csv
for path in ./d.csv "$PWD/d.csv" soft.csv hard.csv; do
    run train d.csv --join "$path:id@z" -q -o leak.hcbr
    exits 2
    contains stderr "$path: found this file both as data and to be joined to it"
done
holds "no model" test ! -e leak.hcbr

# Growth has a limit, of 64 million features at least.
quick && exit # so many take half a minute under the sanitizers
python3 - <<'END'
with open("many.csv", "w") as f:
    f.write("k,a\n" + "".join(f"1,{i}\n" for i in range(70000)))
with open("k.csv", "w") as f:
    f.write("label,k\n" + "yes,1\nno,1\n" * 600)
END
run train k.csv --join many.csv:k --max-expand 100 -q -o grown.hcbr
exits 3
contains stderr "found joined features of more than 100 times the number of the cases' own"
holds "no model" test ! -e grown.hcbr
