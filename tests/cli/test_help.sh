# Help and manual pages come from one table and say the same.
source "$(dirname "$0")/lib.sh"

run
exits 2
prints_nothing
says <"$here/expected/help.txt"
run --help
exits 0
prints <"$here/expected/help.txt"
says_nothing
run inspect --help
exits 0
prints <"$here/expected/help_inspect.txt"
for command in train predict convert inspect; do
    run "$command" -h
    exits 0
    says_nothing
    holds "lines of at most 80 columns" test "$(wc -L <stdout)" -le 80
    cp stdout help
    run --print-man "$command"
    exits 0
    sed 's/\\-/-/g; s/\\f[BRI]//g' stdout >page
    for option in $(grep -oE '^ +(-[a-z]|--[a-z-]+)' help); do
        holds "the page of $command has $option" grep -qE "^$option( |,|$)|, $option( |$)" page
    done
    for section in NAME SYNOPSIS DESCRIPTION OPTIONS OUTPUT "EXIT STATUS" FILES EXAMPLES \
        "SEE ALSO"; do
        contains page ".SH $section"
    done
done
run --print-man hcbr
exits 0
contains stdout ".TH HCBR 1"
run --print-man nothing
exits 2

run --version
exits 0
holds "a version" grep -qE '^hcbr [0-9]+\.[0-9]+\.[0-9]+$' stdout
cp stdout version
run train --version
exits 0
prints <version

# A full disk is not passed over in silence.
run_shell '"$hcbr" train --help >/dev/full'
exits 5
