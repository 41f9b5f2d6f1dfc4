# Every header compiles alone: the public ones as C11 and C++17 without a warning, by gcc and clang;
# the internal ones as C11.
. "$(dirname "$0")/lib.sh"
cd "$source_dir"
strict="-Wall -Wextra -Werror -pedantic -Wshadow -Wconversion"
count=0
made=$HCBR_BUILD/include
from=(-Iinclude "-I$made")
for header in include/hcbr/*.h "$made"/hcbr/*.h; do
    printf '#include <hcbr/%s>\nint answer;\n' "$(basename "$header")" > "$work/one.c"
    cp "$work/one.c" "$work/one.cpp"
    for cc in gcc clang; do
        $cc -std=c11 $strict "${from[@]}" -fsyntax-only "$work/one.c" || fail "$header with $cc"
    done
    for cxx in g++ clang++; do
        $cxx -std=c++17 $strict "${from[@]}" -fsyntax-only "$work/one.cpp" ||
            fail "$header with $cxx"
    done
    count=$((count + 1))
done
for header in src/*/*.h; do
    printf '#include "%s"\nint answer;\n' "${header#src/}" > "$work/one.c"
    gcc -std=c11 $strict -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE "${from[@]}" -Isrc \
        -fsyntax-only "$work/one.c" || fail "$header"
    count=$((count + 1))
done
# hcbr.h is all of them.
for header in include/hcbr/*.h "$made"/hcbr/*.h; do
    name=$(basename "$header")
    [ "$name" = hcbr.h ] || grep -q "#include <hcbr/$name>" include/hcbr/hcbr.h ||
        fail "hcbr.h does not include $name"
done
echo "$count headers compile alone"
