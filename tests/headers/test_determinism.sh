# One model, byte for byte: gcc and clang, from no optimisation to -O3 with wide vectors and fused
# multiply-add if the processor has them, a C library that may not use these, and 1, 2, 3 and 8
# threads. Plain, rich, weighted, tuned and calibrated models, and their answers. The build under
# test, gcc -O2, is the reference.
. "$(dirname "$0")/lib.sh"
"$CC" -O2 -o "$work/generate" "$source_dir/bench/generate.c" -lm
"$work/generate" zipf 200000 5 > "$work/zipf.libsvm"
"$work/generate" categorical 200000 5 > "$work/categorical.libsvm"
"$work/generate" csv 200000 5 > "$work/strings.csv"
cp "$source_dir/examples/votes.csv" "$work"
options=("" "--scope all --passes 3" "--given-order --keep-cases none" "--passes 0 --seed 7")

# Numbers, a category and words, weights, two labels and nine.
table() { # table LABELS WEIGHTS
    awk -v labels="$1" -v weights="$2" 'BEGIN {
        srand(7)
        print "label,w,x,y,c,t"
        for (i = 0; i < 260; i++) {
            x = int(1000 * rand()) / 16; y = rand() * rand(); c = int(4 * rand())
            w = weights ? int(exp(14 * rand())) / (i % 3 ? 1 : 8) : 1
            l = int(labels * (x / 63 + y + rand()) / 3)
            printf "l%d,%.17g,%.17g,%.17g,c%d,word%d word%d\n", l, w, x, y, c, 9 * rand(), 5 * y
        }
    }'
}

# A table as people have it: dates, money, percentages, a text, a set, ids and odd values.
messy() {
    awk 'BEGIN {
        srand(11)
        print "label,when,price,share,said,tags,ref,age"
        for (i = 0; i < 300; i++) {
            d = 1 + int(28 * rand()); m = 1 + int(12 * rand()); p = int(900000 * rand()); s = rand()
            price = p < 100000 ? sprintf("$%d.%02d", p / 100, p % 100) : \
                sprintf("\"$%d,%03d.%02d\"", p / 100000, p / 100 % 1000, p % 100)
            label = (m > 6) == (s > .4) ? "up" : "down"
            printf "%s,%02d/%02d/%d %d:%02d,%s,%.1f%%,", label, d, m, 2015 + int(6 * rand()),
                24 * rand(), 60 * rand(), price, 100 * s
            printf "the word%d came before word%d and a word%d,t%d|t%d,R%07d,%s\n", 9 * rand(),
                5 * s, 30 * rand(), 3 * rand(), 3 + 3 * rand(), 1e7 * rand(),
                i % 60 == 7 ? ">90" : i % 41 == 3 ? "n/a" : 18 + int(70 * rand())
        }
    }'
}
mkdir "$work/fitted"
messy > "$work/fitted/messy.csv"
table 2 0 > "$work/fitted/two.csv"
table 2 1 > "$work/fitted/weights.csv"
table 9 0 > "$work/fitted/nine.csv"
table 9 1 > "$work/fitted/nine-weights.csv"
read=" --text t --ignore w"
fits=("votes train" "messy train" "messy train --label price --bins 3"
    "two train --effort max$read" "weights train --text t --weight w" "nine train$read"
    "nine-weights train --text t --weight w"
    "votes train --model plain --calibrate platt" "nine train --model plain --calibrate platt$read"
    "two train --model plain --calibrate isotonic$read"
    "votes tune --model plain --folds 2 --max-error 0.1 --calibrate platt"
    "two tune --folds 2 --metric f1$read" "nine tune --folds 2 --effort lite$read"
    "votes tune --folds 2 --max-error 0.1")
cp "$work/votes.csv" "$work/fitted"

fitted() { # fitted PROGRAM THREADS: the digests of these models and of what they answer
    local fit file
    for fit in "${fits[@]}"; do
        file=$work/fitted/${fit%% *}.csv
        # shellcheck disable=SC2086 # several words in one option
        "$1" ${fit#* } -q -j "$2" "$file" -o "$work/model" > /dev/null ||
            { echo "failed: -j $2 $fit"; continue; }
        echo "$(sha256sum < "$work/model") $fit"
        "$1" predict -q --json "$work/model" "$file" | sha256sum
    done
}

models() { # models PROGRAM THREADS: the digests of the models of every file with every option
    local file option
    for file in "$work"/*.libsvm "$work"/*.csv; do
        for option in "${options[@]}"; do
            # shellcheck disable=SC2086 # several words in one option
            "$1" train --model plain -q -j "$2" $option "$file" -o "$work/model" ||
                { echo "train failed: -j $2 $option $(basename "$file")"; continue; }
            echo "$(sha256sum < "$work/model") $option $(basename "$file")"
        done
    done
}

models "$HCBR" 1 > "$work/reference"
grep -q 'train failed' "$work/reference" && { cat "$work/reference"; fail "the build under test"; }
[ "$(cut -d' ' -f1 "$work/reference" | sort -u | wc -l)" -eq 16 ] ||
    fail "16 different models expected: an option has no effect"
fitted "$HCBR" 1 >> "$work/reference"
grep -q '^failed' "$work/reference" && { cat "$work/reference"; fail "the build under test"; }
all() {
    models "$@"
    fitted "$@"
}
for threads in 2 3 8; do
    all "$HCBR" $threads > "$work/other"
    diff "$work/reference" "$work/other" || fail "$threads threads give another model"
done

# The C library chooses its functions by the processor; here it may not use what this one has.
for tunables in glibc.cpu.hwcaps=-FMA,-AVX2,-FMA4 glibc.cpu.hwcaps=-AVX512F,-AVX2,-SSE4_1,-FMA; do
    GLIBC_TUNABLES=$tunables fitted "$HCBR" 2 > "$work/other"
    diff <(tail -n "$(wc -l < "$work/other")" "$work/reference") "$work/other" ||
        fail "$tunables gives another model"
done

# The most that another compiler does to arithmetic; the others are for the long tests.
wide=
if grep -qw fma /proc/cpuinfo; then wide=" -mfma -mavx2"; fi
variants=("clang -O3$wide")
[ -z "${HCBR_LONG:-}" ] ||
    variants+=("gcc -O0" "gcc -O1" "gcc -O3$wide" "gcc -O3" "clang -O0" "clang -O2" "clang -O3")
for variant in "${variants[@]}"; do
    flags=${variant#* }
    build="$work/build"
    rm -rf "$build"
    { cmake -S "$source_dir" -B "$build" -G Ninja -DCMAKE_C_COMPILER="${variant%% *}" \
        -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="$flags" -DHCBR_TESTS=OFF -DHCBR_MAN=OFF &&
        cmake --build "$build" --target hcbr; } > "$work/log" 2>&1 ||
        { cat "$work/log"; fail "the build with $variant"; }
    if grep -q 'warning:' "$work/log"; then cat "$work/log"; fail "warnings with $variant"; fi
    all "$build/hcbr" 2 > "$work/other"
    diff "$work/reference" "$work/other" || fail "$variant gives another model"
    echo "$variant: the same models"
done
