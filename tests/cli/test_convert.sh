# hcbr convert: files that belong together, what is refused, and what is said.
source "$(dirname "$0")/lib.sh"

printf 'who,class,colour,size\nann,yes,red,1\nbob,no,,2\n' >d.csv
run convert d.csv --id who -o d.jsonl
exits 0
prints_nothing
says <<'END'
cases     2
features  3 of 2 keys
labels    2
written   d.jsonl
read with --id who
END
same d.jsonl d.jsonl <<'END'
{"class":"yes","who":"ann","colour":"red","size":"1"}
{"class":"no","who":"bob","size":"2"}
END

# Three files of one target; labels that are no numbers are numbered in their order.
run convert d.csv --id who -o d.cases
exits 0
same d.cases d.cases < <(printf '1 2\n3\n')
same d.cases.outcomes d.cases.outcomes < <(printf '1\n0\n')
same_rows d.cases.names d.cases.names 'label_name|class' 'label|0|no' 'label|1|yes' \
    'feature|1|colour|red' 'feature|2|size|1' 'feature|3|size|2' 'case|1|ann' 'case|2|bob'
contains stderr "read with --id who --outcomes d.cases.outcomes --names d.cases.names"

# Numbers stay as they are, and other paths can be given.
printf 'y,a\n+1,x\n-1.0,x\n' >n.csv
run convert n.csv -o n.svm --names-out ids.txt -q
exits 0
says_nothing
same n.svm n.svm < <(printf '+1 1:1\n-1.0 1:1\n')
same_rows ids.txt ids.txt 'label_name|y' 'feature|1|a|x'

# Into a pipe.
run convert d.csv --to tsv -o - -q
exits 0
prints_rows 'class|who|colour|size' 'yes|ann|red|1' 'no|bob||2'
run_shell '"$hcbr" convert d.csv --to jsonl -o - -q | "$hcbr" train --model plain - -q -o p.hcbr'
exits 0
run_shell '"$hcbr" train --model plain d.csv -q -o d.hcbr && cmp d.hcbr p.hcbr'
exits 0
run_shell '"$hcbr" convert d.csv --to jsonl -o - | head -n 0'
exits 0

run convert d.csv -o j.libsvm --json -q
exits 0
printf '%s%s%s%s\n' '{"schema":"hcbr.convert/1","format":"libsvm","cases":2,"empty_cases":0,' \
    '"skipped_rows":0,"features":5,"keys":3,"occurrences":5,"labels":2,"label":"class","id":null,' \
    '"order_kept":true,"data":"j.libsvm","names":"j.libsvm.names","outcomes":null,' \
    '"bytes_read":46}' >wanted
prints <wanted

# What csv cannot hold is said with its row, and nothing is left behind.
mkdir refused
printf '{"label":"a","k":"1"}\n{"label":"b","k":["1","2"]}\n' >two.jsonl
run convert two.jsonl -o refused/o.csv
exits 3
says < <(echo "hcbr convert: row 2: found the feature 'k'='2', the second one of its key in this" \
    "case, expected what csv can hold (jsonl holds every case)")
printf '{"label":"a","features":["p"]}\n' >bare.jsonl
run convert bare.jsonl -o refused/o.tsv
exits 3
says < <(echo "hcbr convert: row 1: found the feature 'p', which has no value, expected what tsv" \
    "can hold (jsonl holds every case)")
printf '{"label":"a","features":[["k","NA"]]}\n' >na.jsonl
run convert na.jsonl -o refused/o.csv
exits 3
contains stderr "'k'='NA', whose value means missing,"
printf '{"label":"a","features":[["label","1"]]}\n' >key.jsonl
run convert key.jsonl -o refused/o.csv
exits 3
contains stderr "whose key is the name of the label,"
only_files refused

# Missing values of a list without the empty one.
printf 'label,a,b\nyes,-,\nno,1,2\n' >dash.csv
run convert dash.csv --na-only - -o dash.jsonl -q
exits 0
run convert dash.csv --na-only - -o dash2.csv -q
exits 0
same dash2.csv dash2.csv < <(printf 'label,a,b\nyes,-,\nno,1,2\n')

# An order that contradicts itself is kept by libsvm, or given up for ascending ids.
printf '{"label":"a","k":"1","l":"1"}\n{"label":"b","l":"1","k":"1"}\n' >order.jsonl
run convert order.jsonl -o order.libsvm
exits 0
same order.libsvm order.libsvm < <(printf '0 1:1 2:1\n1 2:1 1:1\n')
contains stderr "order     of the features is kept: ids do not always ascend (--sorted)"
run convert order.jsonl -o order.libsvm --sorted
exits 0
same order.libsvm order.libsvm < <(printf '0 1:1 2:1\n1 1:1 2:1\n')
contains stderr "order     of the features is lost: a model from this file differs only in that"
# Columns stand as the cases have them, though the first one lacks a value.
printf 'label,a,b,c\nx,1,,3\ny,1,2,4\n' >gap.csv
run convert gap.csv -o gap2.csv -q
exits 0
same gap2.csv gap2.csv <gap.csv

# Mistakes on the command line are found before anything is read.
run convert d.csv
exits 2
contains stderr "-o OUT is missing"
run convert d.csv -o out
exits 2
contains stderr "-o out: --to csv, tsv, jsonl, libsvm or cases is needed here"
run convert d.csv -o -
exits 2
run convert d.csv --to xml -o o
exits 2
contains stderr "--to xml: csv, tsv, jsonl, libsvm or cases was expected"
run convert d.csv --to libsvm -o -
exits 2
contains stderr "-o -: --names-out FILE is needed, since libsvm needs more than one file"
run convert d.csv --to csv -o - --json
exits 2
contains stderr "--json prints to standard output, where -o - sends the data"
run convert d.csv -o o.csv --names-out n
exits 2
contains stderr "--names-out is for libsvm and cases, not for csv"
run convert d.csv -o o.csv --sorted
exits 2
contains stderr "--sorted is for libsvm and cases, not for csv"
run convert d.csv -o o.libsvm --outcomes-out n
exits 2
contains stderr "--outcomes-out is for cases, not for libsvm"
run convert d.csv -o o.libsvm --names-out o.libsvm
exits 2
contains stderr "--names-out o.libsvm: -o o.libsvm writes to the same file; name another one"
run convert d.csv -o o.libsvm --names-out -
exits 2
contains stderr "only the data can be written to standard output"
cp d.csv same.csv
run convert same.csv -o same.csv
exits 2
contains stderr "-o same.csv: this file is read as DATA same.csv and would be lost"
run convert d.csv -o o.libsvm --names-out d.csv
exits 2
contains stderr "d.csv: this file is read as DATA d.csv and would be lost"
run convert n.svm --names ids.txt -o m.libsvm --names-out ids.txt
exits 2
contains stderr "ids.txt: this file is read as --names ids.txt and would be lost"
run convert d.csv -o no/o.csv
exits 5
run convert d.csv -o refused
exits 2
run convert d.csv --to csv -o refused
exits 5
run convert nothing.csv -o o.csv
exits 5

# Both files or none: the second place cannot be written to.
mkdir half half/n.names
run convert d.csv -o half/n --to libsvm
exits 5
only_files half n.names
run_shell '"$hcbr" convert d.csv -o /dev/full --to csv'
exits 5
contains stderr "/dev/full"

# A file of names that is wrong.
names() { # TEXT MESSAGE
    printf "$1" >bad.names
    run train n.svm --names bad.names -o bad.hcbr
    exits 3
    says < <(printf 'hcbr train: %s\n' "$2")
    holds "no model" test ! -e bad.hcbr
}
names 'feature\t1\ta\tx\nfeature\t1\tb\n' "bad.names:2:1: found a second name of '1', expected one"
names 'case\t0\tx\n' "bad.names:1:6: found no row, expected the number of a row, from 1"
names 'case\t1\tx\ncase\t1\ty\n' "bad.names:2:1: found a second name of row 1, expected one"
names 'feature\t1\ta\tx\ty\n' "bad.names:1:15: found one more field, expected at most four"
names 'feature\t1\ta\\q\n' 'bad.names:1:12: found a backslash, expected \t, \n, \r, \\ or \xNN'
names 'feature\t1\ta\\x00\n' 'bad.names:1:12: found a backslash, expected \t, \n, \r, \\ or \xNN'
names 'feature\t1\ta\xff\n' "bad.names:1:11: found bytes that are no text, expected UTF-8"
names 'what\n' "bad.names:1:1: found 'what', expected a line of names: feature ID KEY [VALUE], \
label TEXT NAME, case ROW NAME, table or (once) label_name NAME, separated by tabs"
names 'feature\t2\ta\n' "n.svm:1:1: found id '1', expected one of those that bad.names lists"
names 'feature\t1\ta\nlabel\t5\tx\n' \
    "n.svm:1:1: found label '+1', expected one of those that bad.names lists"
printf '1 1:2\n' >two.svm
run train two.svm --names ids.txt -o bad.hcbr
exits 3
says <<'END'
hcbr train: two.svm:1:1: found id 1 with the value '2', expected 1: ids.txt says what it is
END
run train n.svm --names no.names -o bad.hcbr
exits 5
