# Sourced by the scripts of this folder. A script runs the program with `run`, then says what must
# hold; every expectation is counted, and the script fails at its end if one failed.
set -uo pipefail
export LC_ALL=C.UTF-8
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
hcbr=${HCBR:?set HCBR to the program}
work=$(mktemp -d)
cd "$work" || exit 1
passed=0
failed=0

# Is a small part enough, for a sanitizer to see it? As released, and with HCBR_LONG=1, it is not.
quick() {
    [ "${HCBR_LONG:-}" != 1 ] && grep -qE '__[at]san_init' "$hcbr"
}

finish() {
    cd / && rm -rf "$work"
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ] || exit 1
}
trap finish EXIT

good() {
    passed=$((passed + 1))
}

bad() {
    local frame=0
    failed=$((failed + 1))
    while [ "${BASH_SOURCE[frame]}" = "${BASH_SOURCE[0]}" ]; do
        frame=$((frame + 1))
    done
    echo "FAILED line ${BASH_LINENO[frame - 1]}: $*"
}

# Run the program; its output is in ./stdout and ./stderr, its exit status in $code.
run() {
    last="hcbr $*"
    "$hcbr" "$@" >stdout 2>stderr </dev/null
    code=$?
}

# Likewise a shell command, in which $hcbr is the program.
run_shell() {
    last=$1
    export hcbr
    bash -c "$1" >stdout 2>stderr
    code=$?
}

exits() {
    if [ "$code" -eq "$1" ]; then
        good
    else
        bad "$last: exit status $code, expected $1"
        cat stderr
    fi
}

same() { # NAME FILE: standard input is what FILE must be
    local expected
    expected=$(cat; echo .)
    if [ "$expected" = "$(cat "$2"; echo .)" ]; then
        good
    else
        bad "$last: $1 differs (< expected, > found)"
        diff <(printf '%s' "${expected%.}") "$2"
    fi
}

prints() { # standard output is exactly standard input of this function
    same "standard output" stdout
}

# Rows of fields, with | where a tab stands.
prints_rows() { # ROWS...
    same "standard output" stdout < <(printf '%s\n' "$@" | tr '|' '\t')
}

same_rows() { # NAME FILE ROWS...
    same "$1" "$2" < <(printf '%s\n' "${@:3}" | tr '|' '\t')
}

# Rows of answers without the third field, the lead, which depends on the model.
answers() { # ROWS...
    answers_in "standard output" stdout "$@"
}

answers_in() { # NAME FILE ROWS...
    cut -f 1,2,4- "$2" >answers.cut
    same_rows "$1" answers.cut "${@:3}"
}

says() { # standard error likewise
    same "standard error" stderr
}

prints_nothing() {
    prints </dev/null
}

says_nothing() {
    says </dev/null
}

contains() { # FILE TEXT
    if grep -qF -- "$2" "$1"; then
        good
    else
        bad "$last: $1 has no '$2'"
        cat "$1"
    fi
}

holds() { # WHAT COMMAND...
    local what=$1
    shift
    if "$@"; then
        good
    else
        bad "$last: $what"
    fi
}

# Nothing but these files, in the order of ls, may be left in a folder.
only_files() { # FOLDER NAMES...
    local folder=$1
    shift
    local found expected=" $*"
    found=" $(ls -A "$folder" | tr '\n' ' ')"
    if [ "${found% }" = "${expected% }" ]; then
        good
    else
        bad "$last: $folder holds $(ls -A "$folder" | tr '\n' ' ')"
    fi
}

# Two features that decide two labels: strengths are 1 and 0.
write_colours() {
    printf 'label,colour\nyes,red\nno,blue\n' >colours.csv
}

# METHOD 6, three labels: atoms a, b, ce, d.
write_three() {
    cat >three.jsonl <<'END'
{"label":"C","features":["a","b"]}
{"label":"B","features":["a","d"]}
{"label":"A","features":["b","c","d","e"]}
{"label":"C","features":["a","c","e"]}
END
}
