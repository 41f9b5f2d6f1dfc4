# A copy of the sources without .git installs below a prefix with `make install`, runs from there
# after the prefix was moved, and C and C++ programs build against it with CMake and pkg-config.
. "$(dirname "$0")/lib.sh"
mkdir "$work/source"
copy_source "$work/source"
make -C "$work/source" install PREFIX="$work/first" > "$work/log" 2>&1 ||
    { cat "$work/log"; fail "make install"; }
left=$(cd "$work/source" && find . -path ./build -prune -o -newer "$work/log" -type f -print)
[ -z "$left" ] || fail "make install wrote into the source tree: $left"
unset LD_LIBRARY_PATH

# A project that finds the package with CMake: shared and static, the example, too new a version.
mkdir "$work/consumer"
cp "$source_dir"/examples/decide.c "$work/consumer"
cat > "$work/consumer/CMakeLists.txt" << 'END'
cmake_minimum_required(VERSION 3.21)
project(consumer LANGUAGES C)
find_package(hcbr 0.1 REQUIRED COMPONENTS static)
foreach(kind hcbr hcbr_static)
  add_executable(${kind} decide.c)
  target_link_libraries(${kind} PRIVATE hcbr::${kind})
endforeach()
find_package(hcbr 99 QUIET)
if(hcbr_FOUND)
  message(FATAL_ERROR "hcbr is taken for version 99")
endif()
END
check_cmake() { # PREFIX
    rm -rf "$work/b" "$work/e"
    { cmake -S "$work/consumer" -B "$work/b" -G Ninja -DCMAKE_PREFIX_PATH="$1" &&
        cmake --build "$work/b" &&
        cmake -S "$1/share/doc/hcbr/examples" -B "$work/e" -G Ninja -DCMAKE_PREFIX_PATH="$1" &&
        cmake --build "$work/e"; } > "$work/log" 2>&1 ||
        { cat "$work/log"; fail "a CMake project does not build against $1"; }
    for program in b/hcbr b/hcbr_static e/decide; do
        "$work/$program" "$1/share/doc/hcbr/examples/votes.csv" > "$work/out" ||
            fail "decide.c as $program"
        grep -qx 'decided: democrat' "$work/out" || fail "decide.c as $program: no democrat"
    done
    readelf -d "$work/b/hcbr" | grep -q 'NEEDED.*libhcbr' || fail "hcbr::hcbr is not shared"
    if readelf -d "$work/b/hcbr_static" | grep 'NEEDED.*libhcbr'; then
        fail "hcbr::hcbr_static is not static"
    fi
}
check_cmake "$work/first"

# Uninstalling removes every file, and the folders that are hcbr's own.
make -C "$work/source" install PREFIX=/usr DESTDIR="$work/root" > "$work/log" 2>&1 ||
    { cat "$work/log"; fail "make install with DESTDIR"; }
[ -x "$work/root/usr/bin/hcbr" ] || fail "DESTDIR is not heeded"
touch "$work/root/usr/bin/another"
make -C "$work/source" uninstall DESTDIR="$work/root" > "$work/log" 2>&1 ||
    { cat "$work/log"; fail "make uninstall"; }
left=$(cd "$work/root" && find . -type f -o -type l -o -name hcbr)
[ "$left" = ./usr/bin/another ] || fail "make uninstall left something: $left"

rm -rf "$work/source"
mv "$work/first" "$work/moved here"
prefix="$work/moved here"
check_cmake "$prefix"

for file in bin/hcbr lib/libhcbr.so lib/libhcbr.so.0 lib/libhcbr.a lib/pkgconfig/hcbr.pc \
    lib/cmake/hcbr/hcbrConfig.cmake lib/cmake/hcbr/hcbrConfigVersion.cmake \
    include/hcbr/hcbr.h include/hcbr/version.h share/doc/hcbr/README.md share/doc/hcbr/LICENSE \
    share/doc/hcbr/examples/decide.c share/doc/hcbr/examples/votes.csv share/man/man1/hcbr.1 \
    share/man/man5/hcbr-input.5 share/man/man5/hcbr-model.5 \
    share/bash-completion/completions/hcbr share/zsh/site-functions/_hcbr \
    share/fish/vendor_completions.d/hcbr.fish; do
    [ -s "$prefix/$file" ] || fail "$file is not installed"
done
commands=$("$prefix/bin/hcbr" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' | sort)
installed=$(cd "$prefix/share/man/man1" && ls hcbr-*.1 | sed 's/hcbr-\(.*\)\.1/\1/' | sort)
[ "$commands" = "$installed" ] || fail "manual pages of $installed, but commands $commands"
if grep -rIl "$work" "$prefix"; then fail "an installed file names the place of installation"; fi

examples="$prefix/share/doc/hcbr/examples"
"$prefix/bin/hcbr" --version || fail "the program does not run after the move"
"$prefix/bin/hcbr" train --model plain -q "$examples/votes.csv" -o "$work/votes.hcbr" ||
    fail "train"
"$prefix/bin/hcbr" inspect "$work/votes.hcbr" > /dev/null || fail "inspect"

# What README says works for a library below $HOME/.local, with nothing else set.
mkdir "$work/home" "$work/readme"
ln -s "$prefix" "$work/home/.local"
cp "$examples/decide.c" "$examples/votes.csv" "$work/readme"
sed -n '/^```sh$/,/^```$/p' "$prefix/share/doc/hcbr/README.md" |
    awk '/^```sh/ { block = ""; next } /^```/ { if (block ~ /pkg-config/) print block; next }
         { block = block $0 "\n" }' > "$work/readme/commands"
[ "$(grep -c pkg-config "$work/readme/commands")" -ge 2 ] ||
    fail "README: no commands of pkg-config"
(cd "$work/readme" && env -u PKG_CONFIG_PATH HOME="$work/home" bash -eu commands) > "$work/out" \
    2>&1 || { cat "$work/out"; fail "README: its commands do not build and run decide.c"; }
grep -qx 'decided: democrat' "$work/out" || fail "README: decide.c: no democrat"

export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
version=$("$prefix/bin/hcbr" --version | grep -o '[0-9][0-9.]*')
[ "$(pkg-config --modversion hcbr)" = "$version" ] ||
    fail "pkg-config and the program disagree about the version"
strict="-Wall -Wextra -Werror -pedantic"
eval "flags=($(pkg-config --cflags --libs hcbr))"
cat > "$work/version.c" << 'END'
#include <hcbr/hcbr.h>
#include <stdio.h>
#if HCBR_VERSION_NUMBER < 1000
#error "the preprocessor cannot compare versions"
#endif
int main(void) {
    printf("%s %d.%d.%d %d\n", HCBR_VERSION, HCBR_VERSION_MAJOR, HCBR_VERSION_MINOR,
           HCBR_VERSION_PATCH, HCBR_VERSION_NUMBER);
    printf("%s %d.%d.%d %d\n", hcbr_version(), hcbr_version_number() / 1000000,
           hcbr_version_number() / 1000 % 1000, hcbr_version_number() % 1000,
           hcbr_version_number());
}
END
gcc -std=c11 $strict "$work/version.c" -o "$work/version" "${flags[@]}" -Wl,-rpath,"$prefix/lib"
number=$(echo "$version" | awk -F. '{ print 1000000 * $1 + 1000 * $2 + $3 }')
[ "$("$work/version")" = "$(printf "$version $version $number\n%.0s" 1 2)" ] ||
    fail "header and library are not of version $version: $("$work/version")"
eval "static=($(pkg-config --cflags --libs --static hcbr))"
gcc -std=c11 $strict "$examples/decide.c" -o "$work/c" "${flags[@]}" -Wl,-rpath,"$prefix/lib"
g++ -std=c++17 $strict -x c++ "$examples/decide.c" -x none -o "$work/cpp" "${flags[@]}" \
    -Wl,-rpath,"$prefix/lib"
gcc -std=c11 $strict "$examples/decide.c" -o "$work/static" \
    "${static[@]/-lhcbr/-l:libhcbr.a}"
for program in c cpp static; do
    "$work/$program" "$examples/votes.csv" > "$work/$program.out" || fail "decide.c as $program"
    diff "$work/c.out" "$work/$program.out" || fail "decide.c answers otherwise as $program"
done
cat "$work/c.out"
grep -qx 'decided: democrat' "$work/c.out" || fail "decide.c: expected a democrat"
grep -qx 'never seen: space-station=y' "$work/c.out" || fail "decide.c: unseen feature not listed"
if "$work/c" "$work/nothing.csv" 2> "$work/err"; then fail "decide.c accepts a missing file"; fi
grep -q 'nothing.csv' "$work/err" || fail "decide.c does not name the missing file"
