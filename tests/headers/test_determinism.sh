# One model, byte for byte: gcc and clang, -O0, -O2, -O3, fused multiply-add if the processor has
# it, and 1, 2, 3 and 8 threads. The model of the build under test is the reference.
. "$(dirname "$0")/lib.sh"
"$CC" -O2 -o "$work/generate" "$source_dir/bench/generate.c" -lm
"$work/generate" zipf 200000 5 > "$work/zipf.libsvm"
"$work/generate" categorical 200000 5 > "$work/categorical.libsvm"
"$work/generate" csv 200000 5 > "$work/strings.csv"
cp "$source_dir/examples/votes.csv" "$work"
options=("" "--scope all --passes 3" "--given-order --keep-cases none" "--passes 0 --seed 7")

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
for threads in 2 3 8; do
    models "$HCBR" $threads > "$work/other"
    diff "$work/reference" "$work/other" || fail "$threads threads give another model"
done

variants=("gcc -O0" "gcc -O3" "clang -O0" "clang -O2" "clang -O3")
if grep -qw fma /proc/cpuinfo; then
    variants+=("gcc -O3 -mfma -mavx2" "clang -O3 -mfma -mavx2")
fi
for variant in "${variants[@]}"; do
    flags=${variant#* }
    build="$work/build"
    rm -rf "$build"
    { cmake -S "$source_dir" -B "$build" -G Ninja -DCMAKE_C_COMPILER="${variant%% *}" \
        -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="$flags" -DHCBR_TESTS=OFF -DHCBR_MAN=OFF &&
        cmake --build "$build" --target hcbr; } > "$work/log" 2>&1 ||
        { cat "$work/log"; fail "the build with $variant"; }
    if grep -q 'warning:' "$work/log"; then cat "$work/log"; fail "warnings with $variant"; fi
    models "$build/hcbr" 2 > "$work/other"
    diff "$work/reference" "$work/other" || fail "$variant gives another model"
    echo "$variant: the same models"
done
