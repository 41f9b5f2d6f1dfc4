# predict says when the columns are not those of training.
source "$(dirname "$0")/lib.sh"
printf 'label,colour,size\nyes,red,1\nno,blue,2\n' >train.csv
printf 'colour,weight\nred,3\n' >new.csv
printf 'size,label,colour\n1,yes,red\n' >same.csv
for model in "" "--model plain"; do
    # shellcheck disable=SC2086 # two words or none
    run train $model -q train.csv -o m.hcbr
    exits 0
    run predict -q m.hcbr new.csv
    exits 0
    answers '1|yes|1/2|weight=3'
    contains stderr "warning: new.csv"
    contains stderr "weight"
    contains stderr "size"
    run predict -q m.hcbr same.csv
    exits 0
    says_nothing
done
run train --model plain -q train.csv -o m.hcbr
run predict -q m.hcbr new.csv
prints_rows '1|yes|0.5|1/2|weight=3'
