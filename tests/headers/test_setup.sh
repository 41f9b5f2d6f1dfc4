#!/bin/bash
# tools/setup says what it will install before it asks for rights. Nothing is installed here: sudo
# and apt-get are stand-ins that note when they were called.
source "$(dirname "$0")/lib.sh"
mkdir "$work/bin"
for tool in bash mktemp rm cat; do # of all others none is there
    ln -s "$(command -v $tool)" "$work/bin/$tool"
done

stand_in() { # NAME: a program whose text is standard input
    { echo "#!$(command -v bash)"; cat; } > "$work/bin/$1"
    chmod +x "$work/bin/$1"
}
stand_in apt-get << 'END'
case " $* " in
*" -s "*)
    printf 'Inst gcc (1)\nInst needed-by-gcc (2 Debian)\nConf gcc (1)\n'
    exit
    ;;
esac
echo "$*" >> "$NOTED"
END
stand_in sudo << 'END'
echo ASKED >> "$SAID" # as on the terminal, whatever becomes of standard error
exec "$@"
END
user() { stand_in id <<< "echo $1"; }

# setup PURPOSE: what it says is in $work/said, the packages that were asked for in $work/noted.
setup() {
    rm -f "$work/noted" "$work/said"
    PATH="$work/bin" NOTED="$work/noted" SAID="$work/said" bash "$source_dir/tools/setup" "$1" \
        >> "$work/said" 2>&1
}
line_of() { # TEXT: the first line that has it
    awk -v text="$1" 'index($0, text) { print NR; exit }' "$work/said"
}

user 1000
for purpose in demo test deb bench; do
    setup "$purpose" || fail "setup $purpose: $(cat "$work/said")"
    asked=$(line_of ASKED)
    [ -n "$asked" ] || fail "setup $purpose asks for no rights, so nothing is tried here"
    packages=$(sed -n 's/.*--no-install-recommends //p' "$work/noted" | head -n 1)
    [ "$(wc -w <<< "$packages")" -gt 5 ] || fail "setup $purpose installs $packages"
    for package in $packages needed-by-gcc "sudo apt-get install"; do
        said=$(line_of "$package")
        [ -n "$said" ] && [ "$said" -lt "$asked" ] ||
            fail "setup $purpose asks for rights before it has said $package"
    done
done

user 0 # root is asked for nothing, and told all the same
setup demo || fail "setup as root"
[ -z "$(line_of ASKED)" ] || fail "root needs no sudo"
[ "$(line_of libxxhash-dev)" = 1 ] || fail "root is not told: $(cat "$work/said")"

user 1000 # without sudo it says what to do
rm "$work/bin/sudo"
if setup demo; then fail "setup without sudo"; fi
[ ! -s "$work/noted" ] || fail "setup without sudo installs"
[ -n "$(line_of "run as root: apt-get install gcc")" ] || fail "without sudo: $(cat "$work/said")"
echo "setup says what it installs before it asks"
