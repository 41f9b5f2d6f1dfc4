# A program that was compiled with the headers of the version before works with the library of
# today: nothing behind its structures is touched, and what it knows is where it was.
. "$(dirname "$0")/lib.sh"
cd "$source_dir/tests/headers/previous"
library=${HCBR_LIBRARY:-$HCBR_BUILD/libhcbr.so}
for header in hcbr/*.h; do
    [ "$(basename "$header")" = version.h ] || [ -f "$source_dir/include/$header" ] ||
        fail "$header is gone: programs that include it no longer compile"
done
gcc -std=c11 -Wall -Wextra -Werror -I. -o "$work/uses" uses.c "$library" -lm \
    "-Wl,-rpath,$(dirname "$library")"
"$work/uses" "$work/cases.csv" "$work/model.hcbr"
