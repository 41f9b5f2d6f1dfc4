# A pipe is answered line by line, before the next line is written.
source "$(dirname "$0")/lib.sh"
write_colours

stream() { # UNKNOWN MODEL: what is answered where nothing is known; words for train
    rm -f to from answers
    run train "${@:2}" -q colours.csv -o colours.hcbr
    exits 0
    mkfifo to from
    "$hcbr" predict -q colours.hcbr - --format csv <to >from 2>stderr &
    pid=$!
    exec 3>to 4<from
    last="predict through a pipe"
    printf 'colour\n' >&3
    for value in red blue green red; do
        printf '%s\n' "$value" >&3
        if IFS= read -r -t 20 line <&4; then
            printf '%s\n' "$line" >>answers
        else
            bad "no answer to $value"
        fi
    done
    printf 'blue' >&3 # an unfinished last line counts
    exec 3>&-
    cat <&4 >>answers
    wait "$pid"
    code=$?
    exits 0
    answers_in "the answers" answers '1|yes|1/1|' \
        '2|no|1/1|' \
        "3|$1|0/1|nothing known" \
        '4|yes|1/1|' \
        '5|no|1/1|'

    # Rows before a bad one are answered.
    run_shell 'printf "colour\nred\n1,2\n" | "$hcbr" predict -q colours.hcbr - --format csv'
    exits 3
    answers '1|yes|1/1|'
    contains stderr "hcbr predict: <stdin>:3:3: "
}

stream no
stream unknown --model plain
