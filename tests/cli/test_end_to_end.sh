# Small data through train, predict and inspect. Numbers are those of METHOD 6, or plain reasoning.
source "$(dirname "$0")/lib.sh"
write_colours
write_three

run train --model plain colours.csv -o colours.hcbr
exits 0
prints_nothing
size=$(stat -c %s colours.hcbr)
says <<END
label: column 'label', 2 labels
hcbr train: note: 2 labels have a single case: 'no', 'yes'
cases     2
features  2 in 2 atoms
labels    no 1, yes 1
wrong     0 in pass 1
model     colours.hcbr, $(awk -v s="$size" 'BEGIN { if (s < 1000) printf "%d bytes", s
    else printf "%.1f kB", s / 1000 }')
END

# A label in the data is compared with the answer and never used.
printf 'colour,label\nred,yes\nblue,no\nblue,yes\ngreen,no\n,no\n' >new.csv
run predict colours.hcbr new.csv
exits 0
prints_rows '1|yes|1|1/1|' \
    '2|no|1|1/1|' \
    '3|no|1|1/1|' \
    '4|unknown||0/1|nothing known' \
    '5|unknown||0/0|empty case'
trained="2 of the first 5 rows were a part of the training"
says <<END
hcbr predict: note: $trained: how well they are answered says nothing about new cases
5 labelled cases: 2 right, 1 wrong, 2 undecided
accuracy 0.4000; on the decided 0.6667
END
run predict -q colours.hcbr new.csv
exits 0
says_nothing
# The default model answers the same, as sure as two cases make it; of nothing it says what is
# more probable, of two equal labels the first.
run train colours.csv -o rich.hcbr
exits 0
prints_nothing
contains stderr "features  2"
contains stderr "labels    no 1, yes 1"
run predict rich.hcbr new.csv
exits 0
answers '1|yes|1/1|' \
    '2|no|1/1|' \
    '3|no|1/1|' \
    '4|no|0/1|nothing known' \
    '5|no|0/0|empty case'
contains stderr "5 labelled cases: 4 right, 1 wrong"

# Three labels after one pass in the given order; z was never seen. 2/5 - 1/6 = 7/30.
run train --model plain three.jsonl --given-order -o three.hcbr
exits 0
contains stderr "wrong     1 in pass 1"
printf '{"features":["a","c","z"]}\n{"features":["z","y","x","w","v","u","a"]}\n' >new.jsonl
run predict three.hcbr new.jsonl
exits 0
sed -n 1p stdout >first
same_rows "the first row" first '1|C|0.233333|2/3|z'
# Of a alone: A -7/45, B 1/2, C 28/45, and w = 1/7.
sed -n 2p stdout >second
same_rows "the second row" second '2|C|0.0174603|1/7|z, y, x, w, v +1 more'
says_nothing

# METHOD 6: 1, 3 and 2 wrong in three passes.
printf '%s\n' '1 1 2' '0 1 3' '0 1 2 3' '1 2 3' '1 1' >five.libsvm
run train --model plain five.libsvm --passes 3 --given-order -o five.hcbr
exits 0
contains stderr "wrong     1, 3, 2 in passes 1 to 3"
run train --model plain five.libsvm --passes 3 --given-order --scope all -q -o five.hcbr
exits 0
says_nothing
run inspect five.hcbr
exits 0
contains stdout "training        scope all, 3 passes in the given order"
contains stdout "wrong           2, 2, 2 in the passes"

# Rules: given to train they are stored, given to predict they come first.
run train --model plain colours.csv -q --eta yes=1 --fallback no -o strict.hcbr
exits 0
printf 'colour\nred\n' >red.csv
run predict -q strict.hcbr red.csv
prints_rows '1|no|-1|1/1|'
run predict -q strict.hcbr red.csv --fallback unknown
prints_rows '1|unknown||1/1|eta'
run predict -q strict.hcbr red.csv --eta yes=0.5
prints_rows '1|yes|1|1/1|'
run predict -q colours.hcbr red.csv --eta maybe=0.5
exits 2
prints_nothing
contains stderr "maybe"

# Ids, several files, and text that would break a line.
printf 'name\tlabel\tx\nann\tyes\t1\nbob\tno\t2\n' >a.tsv
printf 'x\tname\n1\t"tab\there\\"\n2\tdan\n' >b.tsv
for model in "" "--model plain"; do
    # shellcheck disable=SC2086 # two words or none
    run train $model a.tsv -q --id name -o ids.hcbr
    exits 0
    run predict -q ids.hcbr b.tsv b.tsv
    exits 0
    answers 'tab\there\\|yes|1/1|' 'dan|no|1/1|' 'tab\there\\|yes|1/1|' 'dan|no|1/1|'
done

# One label: allowed, with a warning that -q does not hide.
printf 'label,x\nyes,1\nyes,2\n' >one.csv
for model in "" "--model plain"; do
    # shellcheck disable=SC2086 # two words or none
    run train $model -q one.csv -o one.hcbr
    exits 0
    contains stderr "hcbr train: warning: "
    run predict -q one.hcbr red.csv
    exits 0
done

# Bad rows stop the run with their place, or are skipped and counted.
printf 'label,x\nyes,1\nno,2,3\nno,4\n' >ragged.csv
run train ragged.csv -o ragged.hcbr
exits 3
contains stderr "hcbr train: ragged.csv:3:"
holds "no model" test ! -e ragged.hcbr
run train -q ragged.csv --bad-rows skip -o ragged.hcbr
exits 0
contains stderr "hcbr train: warning: ragged.csv:3:"
contains stderr "hcbr train: warning: 1 row could not be used and was skipped"
{ echo label,x; yes yes,1,2 | head -n 14; echo yes,1; } >worse.csv
run train -q worse.csv --bad-rows skip -o ragged.hcbr
exits 0
contains stderr "hcbr train: warning: 4 more warnings about rows are not shown"
contains stderr "hcbr train: warning: 14 rows could not be used and were skipped"
run predict colours.hcbr ragged.csv
exits 3
contains stderr "hcbr predict: ragged.csv:3:"
run predict colours.hcbr colours.csv/none
exits 5
run predict colours.csv new.csv
exits 4
contains stderr "hcbr predict: colours.csv"
run inspect nothing.hcbr
exits 5
contains stderr "hcbr inspect: nothing.hcbr"

# The same model whatever the number of threads.
run train --model plain three.jsonl -q -j 3 --given-order -o again.hcbr
holds "the same bytes" cmp -s three.hcbr again.hcbr
for threads in 1 3; do
    run train three.jsonl -q -j "$threads" -o "rich$threads.hcbr"
    exits 0
done
holds "the same bytes of the default model" cmp -s rich1.hcbr rich3.hcbr

# Cases without any feature, first of all and alone.
printf '1\n0\n1\n' >empty.libsvm
printf '1 7:1\n0 8:1\n' >numbers.libsvm
printf 'label,a\nyes,\nno,\n' >empty.csv
printf 'label,a\nyes,1\nno,2\n' >values.csv
for pair in "numbers.libsvm empty.libsvm" "values.csv empty.csv" \
    "numbers.libsvm empty.libsvm --model plain" "values.csv empty.csv --model plain"; do
    read -r full empty model <<<"$pair"
    # shellcheck disable=SC2086 # two words or none
    run train $model -q "$full" -o full.hcbr
    exits 0
    run predict -q full.hcbr "$empty"
    exits 0
    contains stdout "empty case"
    for threads in 1 2; do
        # shellcheck disable=SC2086
        run train $model -q -j "$threads" "$empty" "$full" -o "both$threads.hcbr"
        exits 0
    done
    holds "the same bytes with empty cases" cmp -s both1.hcbr both2.hcbr
done
