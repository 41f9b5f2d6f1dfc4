# What debian/ says is true of what is built. With HCBR_LONG=1, which takes minutes: `make deb`
# builds packages that lintian accepts, from a tree it leaves as it was. They install, run, serve to
# build programs, and purging them leaves nothing behind: in a folder that dpkg takes for the root,
# and in a fresh Debian made by debootstrap.
. "$(dirname "$0")/lib.sh"
if ! command -v apt-get > /dev/null || ! command -v dpkg > /dev/null; then
    echo "NOT TESTED: Debian packages are built on Debian only"
    exit 77
fi
version=$("$HCBR" --version | cut -d ' ' -f 2)

# ---- without building them -----------------------------------------------------------------------
# What debian/ says fits what this build installs: versions, files, the name of the library.
found=$(dpkg-parsechangelog -l "$source_dir/debian/changelog" -S Version)
[ "$found" = "$version" ] || fail "debian/changelog is of version $found, the program of $version"
DESTDIR="$work/all" cmake --install "${HCBR_BUILD:?}" --prefix /usr > "$work/log" 2>&1 ||
    { cat "$work/log"; fail "cmake --install"; }
python3 - "$source_dir/debian" "$work/all" << 'END' || fail "debian/*.install"
import fnmatch, glob, os, sys
debian, root = sys.argv[1:]
installed = {os.path.relpath(os.path.join(folder, name), root)
             for folder, _, names in os.walk(root) for name in names}
taken, wrong = {}, []
for path in glob.glob(debian + "/*.install") + [debian + "/not-installed"]:
    with open(path, encoding="utf-8") as file:
        patterns = [line.split()[0] for line in file if line.strip() and line[0] != "#"]
    for pattern in patterns:
        # Debian has a folder of libraries for each architecture.
        here = pattern.replace("usr/lib/*/", "usr/lib/")
        match = {name for name in installed
                 if fnmatch.fnmatch(name, here) or fnmatch.fnmatch(name, here + "/*")}
        wrong += [] if match else [f"{os.path.basename(path)}: there is no {pattern}"]
        for name in match:
            taken.setdefault(name, set()).add(os.path.basename(path))
wrong += [f"in no package: {name}" for name in sorted(installed - set(taken))]
wrong += [f"in two packages: {name}" for name in taken if len(taken[name]) > 1]
print(len(installed), "files,", "\n".join(wrong) or "each in a package or left out by name")
sys.exit(bool(wrong))
END
# debian/libhcbr0.symbols names the library, and one version for all that it exports.
symbols=$source_dir/debian/libhcbr0.symbols
soname=$(readelf -d "${HCBR_LIBRARY:?}" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
grep -q "^$soname libhcbr0 " "$symbols" || fail "$symbols does not name $soname"
name=$(sed -n 's/^ (symver)\([^ ]*\) .*/\1/p' "$symbols")
nm -D --defined-only "$HCBR_LIBRARY" | awk '{ print $3 }' | grep '^hcbr_' > "$work/exported" ||
    fail "the library exports nothing"
if grep -v "@@$name\$" "$work/exported"; then fail "exported, but not of version $name"; fi
if [ "${HCBR_LONG:-}" != 1 ]; then
    echo "NOT TESTED: packages are built, installed, used and purged by make test-long only"
    exit 0
fi

# ---- built ---------------------------------------------------------------------------------------
mkdir "$work/source"
copy_source "$work/source"
# The tests that the packages' build would run are run by themselves.
options="nocheck parallel=${HCBR_JOBS:-$(nproc)}"
export DEB_BUILD_OPTIONS="$options"
make -C "$work/source" deb > "$work/log" 2>&1 ||
    { cat "$work/log"; fail "make deb"; }
left=$(cd "$work/source" && find . -path ./build -prune -o -newer "$work/log" -type f -print)
[ -z "$left" ] || fail "make deb wrote into the source tree: $left"
cd "$work"
for name in hcbr libhcbr0 libhcbr-dev; do
    set -- source/build/deb/"$name"_*.deb
    [ -s "$1" ] || fail "no package $name"
    [ "$(dpkg-deb -f "$1" Version)" = "$version" ] || fail "$1 is not of version $version"
    cp "$1" .
done
packages=(hcbr_*.deb libhcbr0_*.deb libhcbr-dev_*.deb)

# ---- in a folder ---------------------------------------------------------------------------------
root=$work/root
mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates" "$root/var/log"
touch "$root/var/lib/dpkg/status" "$root/var/lib/dpkg/available"
as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(fakeroot)
in_root() {
    "${as_root[@]}" dpkg --root="$root" --force-not-root --force-depends --force-script-chrootless \
        "$@" > "$work/log" 2>&1 || { cat "$work/log"; fail "dpkg $1"; }
}
in_root --install "${packages[@]}"
multiarch=$(dpkg-architecture -q DEB_HOST_MULTIARCH)
libraries=$root/usr/lib/$multiarch
if readelf -d "$root/usr/bin/hcbr" | grep -E 'RPATH|RUNPATH'; then fail "the program has a path"; fi
export LD_LIBRARY_PATH=$libraries
ldd "$root/usr/bin/hcbr" > "$work/out"
grep -qF "libhcbr.so.0 => $libraries/" "$work/out" || fail "not the installed library: $(cat out)"
if grep 'not found' "$work/out"; then fail "a library is missing"; fi
cp "$source_dir/examples/votes.csv" .
for fit in "tune --folds 2 --max-error 0.1" "train --effort max" "train --model plain"; do
    # shellcheck disable=SC2086 # several words in one option
    "$root/usr/bin/hcbr" $fit -q votes.csv -o packaged.hcbr > /dev/null || fail "$fit"
    "$root/usr/bin/hcbr" predict -q --json packaged.hcbr votes.csv > packaged || fail "predict"
    # shellcheck disable=SC2086
    (unset LD_LIBRARY_PATH && "$HCBR" $fit -q votes.csv -o own.hcbr > /dev/null &&
        "$HCBR" predict -q --json own.hcbr votes.csv > own)
    cmp packaged.hcbr own.hcbr || fail "$fit: the packaged program gives other bytes of model"
    cmp packaged own || fail "$fit: the packaged program decides otherwise"
done
export PKG_CONFIG_PATH=$libraries/pkgconfig
eval "flags=($(pkg-config --cflags --libs hcbr))"
gcc -std=c11 "$source_dir/examples/decide.c" -o decide "${flags[@]}" ||
    fail "build with libhcbr-dev"
./decide votes.csv | grep -qx 'decided: democrat' || fail "decide.c: expected a democrat"
cmake -S "$source_dir/examples" -B cmake -G Ninja -DCMAKE_PREFIX_PATH="$root/usr" > log 2>&1 &&
    cmake --build cmake >> log 2>&1 || { cat log; fail "CMake with libhcbr-dev"; }
for page in hcbr hcbr-train; do
    [ -s "$root/usr/share/man/man1/$page.1.gz" ] || fail "no manual page $page"
done
for file in bash-completion/completions/hcbr zsh/vendor-completions/_hcbr \
    fish/vendor_completions.d/hcbr.fish; do
    [ -s "$root/usr/share/$file" ] || fail "no $file"
done
in_root --purge hcbr libhcbr0 libhcbr-dev
left=$(cd "$root" && find . -mindepth 1 -path ./var -prune -o -print)
[ -z "$left" ] || fail "purging leaves $left"
if grep -q '^Package: .*hcbr' "$root/var/lib/dpkg/status"; then fail "purging leaves an entry"; fi
[ -z "$(ls "$root/var/lib/dpkg/info" | grep hcbr)" ] || fail "purging leaves scripts"
echo "${packages[*]}: installed, used and purged in a folder"

# ---- in a fresh Debian ---------------------------------------------------------------------------
if [ "$(id -u)" -ne 0 ]; then
    echo "NOT TESTED: a fresh Debian can be made by root only"
    exit 0
fi
"$source_dir/tools/setup" chroot || fail "tools/setup chroot"
unset LD_LIBRARY_PATH PKG_CONFIG_PATH
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' "Codename: $suite" \
    'Component: main' | head -n 1)
fresh=$work/fresh
debootstrap --variant=minbase "$suite" "$fresh" "$mirror" > log 2>&1 ||
    { tail -n 20 log; fail "debootstrap"; }
in_fresh() {
    DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 chroot "$fresh" "$@" < /dev/null > log 2>&1 ||
        { cat log; fail "in a fresh Debian: $*"; }
}
files() {
    (cd "$fresh" && find . \( -path ./proc -o -path ./sys -o -path ./dev -o -path ./tmp -o \
        -path ./var/cache -o -path ./var/log -o -path ./var/lib/apt -o \
        -path './var/lib/dpkg/*-old' -o -path ./etc/ld.so.cache \) -prune -o -print | sort)
}
in_fresh apt-get update -qq
files > before
cp "${packages[@]}" votes.csv "$source_dir/examples/decide.c" "$fresh/tmp"
in_fresh sh -c 'apt-get install -qq -y --no-install-recommends /tmp/hcbr_*.deb /tmp/libhcbr0_*.deb'
in_fresh sh -c 'cd /tmp && hcbr train --model plain -q votes.csv -o v.hcbr &&
    hcbr predict -q v.hcbr votes.csv'
grep -q republican log || fail "predict in a fresh Debian: $(head -n 3 log)"
cmp "$fresh/tmp/v.hcbr" own.hcbr || fail "other bytes of model in a fresh Debian"
in_fresh sh -c 'apt-get install -qq -y --no-install-recommends /tmp/*.deb gcc libc6-dev pkg-config'
in_fresh sh -c 'cd /tmp && gcc decide.c -o decide $(pkg-config --cflags --libs hcbr) &&
    gcc decide.c -o alone -static $(pkg-config --static --cflags --libs hcbr) &&
    ./decide votes.csv && ./alone votes.csv'
[ "$(grep -cx 'decided: democrat' log)" -eq 2 ] || fail "decide.c in a fresh Debian"
in_fresh dpkg --purge hcbr
in_fresh sh -c 'apt-get purge -qq -y libhcbr-dev libhcbr0 gcc libc6-dev pkg-config &&
    apt-get autoremove -qq -y --purge'
files > after
diff before after || fail "purging leaves (>) or takes (<) these in a fresh Debian"
echo "${packages[*]}: installed, used and purged in a fresh Debian"
