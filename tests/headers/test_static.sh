# `make static` gives one file that needs nothing of the system: it trains and decides alone in an
# empty root, and as the shared build does.
. "$(dirname "$0")/lib.sh"
mkdir "$work/source" "$work/root"
copy_source "$work/source"
make -C "$work/source" static > "$work/log" 2>&1 || { cat "$work/log"; fail "make static"; }
grep 'bytes, ' "$work/log" || fail "make static tells no size"
program=$work/source/build/static/hcbr
[ "$(ls "$work/source/build/static"/*.so* 2> /dev/null)" = "" ] || fail "a shared library was built"
if ldd "$program" > "$work/out" 2>&1; then fail "a dynamic executable: $(cat "$work/out")"; fi
grep -q 'not a dynamic executable' "$work/out" || fail "ldd: $(cat "$work/out")"
if nm "$program" 2> /dev/null | grep -q .; then fail "not stripped"; fi

cp "$program" "$source_dir/examples/votes.csv" "$work/root"
if [ "$(id -u)" -eq 0 ] && chroot "$work/root" /hcbr --version > /dev/null 2>&1; then
    alone() { chroot "$work/root" /hcbr "$@"; }
else
    echo "no right to change the root: run with an empty environment instead"
    alone() { (cd "$work/root" && env -i ./hcbr "$@"); }
fi
for fit in "train --model plain" "train" "train --model plain --calibrate platt" \
    "tune --folds 2 --max-error 0.1"; do
    # shellcheck disable=SC2086 # several words in one option
    alone $fit -q -j 2 votes.csv -o votes.hcbr > /dev/null || fail "$fit"
    alone predict -q --json votes.hcbr votes.csv > "$work/alone.json" || fail "predict after $fit"
    # shellcheck disable=SC2086
    "$HCBR" $fit -q "$work/root/votes.csv" -o "$work/votes.hcbr" > /dev/null
    "$HCBR" predict -q --json "$work/votes.hcbr" "$work/root/votes.csv" > "$work/shared.json"
    cmp "$work/votes.hcbr" "$work/root/votes.hcbr" || fail "$fit: not the shared build's model"
    cmp "$work/shared.json" "$work/alone.json" || fail "$fit: not the shared build's decisions"
done
