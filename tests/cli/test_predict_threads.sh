#!/bin/bash
# predict -j: the same bytes for any number of threads, and the same place of a bad row.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 - "$dir" <<'PY'
import random, sys
random.seed(5)
with open(sys.argv[1] + "/all.csv", "w") as file:
    file.write("id,size,colour,count,label\n")
    for i in range(40000):
        size, colour = random.gauss(0, 1), random.choice(["red", "blue", "", "NA", "a,\"b\nc"])
        label = "yes" if size + (colour == "red") > random.gauss(0, 1) else "no"
        quoted = '"' + colour.replace('"', '""') + '"'
        file.write(f"r{i},{size:.4f},{quoted},{random.randint(0, 90)},{label}\n")
PY
head -n 1000 "$dir/all.csv" > "$dir/some.csv"
cp "$dir/all.csv" "$dir/bad.csv"
echo "short,row" >> "$dir/bad.csv"
tail -n 5000 "$dir/all.csv" >> "$dir/bad.csv"
for kind in plain "rich --effort lite"; do
    "$HCBR" train --model $kind --id id "$dir/some.csv" --bad-rows skip -q -o "$dir/model" \
        2> /dev/null
    for form in "" --json; do
        "$HCBR" predict "$dir/model" "$dir/all.csv" $form -o "$dir/one" 2> "$dir/one.err"
        for threads in 2 3; do
            "$HCBR" predict "$dir/model" "$dir/all.csv" $form -j $threads \
                -o "$dir/more" 2> "$dir/more.err"
            cmp "$dir/one" "$dir/more"
            cmp "$dir/one.err" "$dir/more.err"
        done
    done
    [ "$(wc -l < "$dir/one")" -ge 40000 ]
    for threads in 1 2; do
        code=0
        "$HCBR" predict "$dir/model" "$dir/bad.csv" --bad-rows stop -j $threads \
            > "$dir/out.$threads" 2> "$dir/err.$threads" || code=$?
        [ $code -eq 3 ]
    done
    cmp "$dir/out.1" "$dir/out.2"
    cmp "$dir/err.1" "$dir/err.2"
    grep -q 'bad.csv:[0-9]*:.*found' "$dir/err.2"
done
