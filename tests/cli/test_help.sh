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

# Every command has its page, and every page its command.
run --help
commands=$(sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' stdout)
holds "there are commands" test "$(wc -w <<<"$commands")" -gt 5
run --print-man hcbr
sed 's/\\-/-/g' stdout >program_page
for command in $commands; do
    run --print-man "$command"
    exits 0
    contains program_page ".BR hcbr-$command (1)"
done
pages=${hcbr%/*}/man # where the program was built; test_install.sh looks at what is installed
if [ -f "$pages/hcbr.1" ]; then
    last="pages of the build"
    same "commands with a page" <(cd "$pages" && ls hcbr-*.1 | sed 's/hcbr-\(.*\)\.1/\1/' | sort) \
        <<<"$(sort <<<"$commands")"
fi

# hcbr help says what --help says.
run --help
cp stdout program_help
for words in "help" "help help" "help --help" "help -h"; do
    # shellcheck disable=SC2086 # several words
    run $words
    exits 0
    prints <program_help
    says_nothing
done
for command in $commands; do
    run "$command" --help
    cp stdout command_help
    run help "$command"
    exits 0
    prints <command_help
    says_nothing
done
run help trian
exits 2
prints_nothing
contains stderr "hcbr: there is no command trian; did you mean train?"
run help nonsense
exits 2
contains stderr "hcbr: there is no command nonsense"
run help train more
exits 2
contains stderr "hcbr: one argument too many: more"
run hlep
exits 2
contains stderr "there is no command hlep; did you mean help?"

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
