# Where results go: completely or not at all, and no failure passes unseen.
source "$(dirname "$0")/lib.sh"
write_colours

outputs() { # MODEL: words for train
    rm -rf place link
    umask 022
    run train "$@" -q colours.csv -o colours.hcbr
    exits 0

    # A reader that has had enough is no error.
    yes red | head -n 300000 | sed '1s/.*/colour/' >many.csv
    run_shell '"$hcbr" predict colours.hcbr many.csv 2>quiet | head -n 2; exit ${PIPESTATUS[0]}'
    exits 0
    answers '1|yes|1/1|' '2|yes|1/1|'
    same "standard error" quiet </dev/null
    run_shell '"$hcbr" predict --json colours.hcbr many.csv | true; exit ${PIPESTATUS[0]}'
    exits 0
    run_shell '"$hcbr" inspect colours.hcbr | true; exit ${PIPESTATUS[0]}'
    exits 0

    # A full disk.
    for command in "predict colours.hcbr colours.csv" "predict --json colours.hcbr colours.csv" \
        "inspect colours.hcbr" "inspect --json colours.hcbr" \
        "train ${*-} -q --json colours.csv -o x.hcbr"; do
        run_shell "\"\$hcbr\" $command >/dev/full"
        exits 5
        contains stderr "standard output: cannot be written: No space left on device"
    done
    run predict -q colours.hcbr colours.csv -o /dev/full
    exits 5
    contains stderr "hcbr predict: /dev/full: cannot be written: No space left on device"
    run train "$@" -q colours.csv -o /dev/full
    exits 5
    contains stderr "hcbr train: /dev/full"
    run train "$@" -q colours.csv -o /dev/null
    exits 0
    holds "/dev/null is still a device" test -c /dev/null

    # Places that do not exist are found before the data are read.
    run train "$@" nothing.csv -o no/such/place.hcbr
    exits 5
    says <<<"hcbr train: no/such/place.hcbr: cannot be written: No such file or directory"
    run train "$@" nothing.csv -o .
    exits 5
    says <<<"hcbr train: .: cannot be written: Is a directory"
    run predict -q colours.hcbr colours.csv -o colours.csv/x
    exits 5
    says <<<"hcbr predict: colours.csv/x: cannot be written: Not a directory"

    # A file is replaced when all is well and stays as it was when it is not.
    mkdir -p place
    echo before >place/answers
    run predict -q colours.hcbr colours.csv -o place/answers
    exits 0
    prints_nothing
    answers_in "the file" place/answers '1|yes|1/1|' '2|no|1/1|'
    printf 'colour\nred\n1,2\n' >bad.csv
    run predict -q colours.hcbr bad.csv -o place/answers
    exits 3
    holds "the old file" test "$(wc -l <place/answers)" -eq 2
    run predict -q colours.hcbr bad.csv -o place/other
    exits 3
    printf 'label,colour\nyes,red\n1\n' >bad.csv
    run train "$@" -q bad.csv -o place/model
    exits 3
    only_files place answers

    # A link stays a link, and rights stay as they were.
    chmod 640 place/answers
    ln -sf place/answers link
    run predict -q colours.hcbr colours.csv -o link
    exits 0
    holds "still a link" test -L link
    holds "the same rights" test "$(stat -c %a place/answers)" = 640
    umask 027
    run predict -q colours.hcbr colours.csv -o place/fresh
    holds "rights by the umask" test "$(stat -c %a place/fresh)" = 640
    only_files place answers fresh
}

outputs
outputs --model plain
