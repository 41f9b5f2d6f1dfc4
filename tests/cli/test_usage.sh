# Mistakes on the command line: exit status 2, the reason, and where help is.
source "$(dirname "$0")/lib.sh"
write_colours
cp colours.csv x.csv

usage() { # MESSAGE ARGUMENTS...
    local message=$1 command=""
    shift
    case ${1-} in train | predict | inspect) command=" $1" ;; esac
    run "$@"
    exits 2
    prints_nothing
    says <<END
hcbr$command: $message
Try 'hcbr$command --help'.
END
}

usage "there is no command trian; did you mean train?" trian
usage "there is no command explode" explode
usage "there is no option --json here; a command comes first" --json train
usage "there is no option --lable; did you mean --label?" train --lable x
usage "there is no option --lab; did you mean --label?" train --lab x
usage "there is no option --top; did you mean --type?" train --top 3 colours.csv -o m
usage "there is no option -x" train -x
usage "--memory takes no value" train --memory=yes
usage "--label needs a value: --label COL" train --label
usage "-o needs a value: -o MODEL" train colours.csv -o
usage "DATA is missing" train -o m
usage "MODEL is missing" predict
usage "DATA is missing" predict m
usage "MODEL is missing" predict --case age=39
usage "--case gives the case to decide, so DATA cannot be given too: found x.csv" \
    predict m x.csv --case age=39
usage "--case needs a value: --case COL=VALUE" predict m --case
usage "--case =39: COL=VALUE or a bare feature was expected, as in age=39" predict m --case =39
usage "--case '': COL=VALUE or a bare feature was expected, as in age=39" predict m --case ''
usage "--format is about DATA, which --case replaces" \
    predict m --case age=39 --format csv
usage "--query is about DATA, which --case replaces" \
    predict m --case age=39 --query 'SELECT 1'
usage "--names is about DATA, which --case replaces" predict m --case age=39 --names x
usage "there is no option --case" train --case age=39
usage "one argument too many: b" inspect a b
usage "-o MODEL is missing: the file to write the model to" train colours.csv
usage "-o -: a model is written to a file, not to standard output" train colours.csv -o -
usage "-o ./x.csv: this file is read as DATA x.csv and would be lost; name another one" \
    train x.csv -o ./x.csv
usage "--passes -1: a whole number was expected" train colours.csv -o m --passes -1
usage "--passes 1e3: a whole number was expected" train colours.csv -o m --passes 1e3
usage "--passes 4294967296: a number from 0 to 4294967295 was expected" \
    train colours.csv -o m --passes 4294967296
usage "--seed 18446744073709551616: a number from 0 to 18446744073709551615 was expected" \
    train colours.csv -o m --seed 18446744073709551616
usage "-j 0: a number from 1 to 1024 was expected" train colours.csv -o m -j0
usage "--scope both: class or all was expected" train colours.csv -o m --scope both
usage "--keep-cases some: none, anonymous or full was expected" \
    train colours.csv -o m --keep-cases=some
usage "--format xml: csv, tsv, jsonl, libsvm, text or cases was expected" \
    train colours.csv -o m --format xml
usage "--bad-rows keep: auto, stop or skip was expected" train colours.csv -o m --bad-rows keep
usage "--max-line 1T: a whole number was expected" train colours.csv -o m --max-line 1T
usage "--delimiter ab: one ASCII character (no quote, no end of line) or tab was expected" \
    train colours.csv -o m --delimiter ab
usage "--eta 0.5: LABEL=NUMBER was expected" train colours.csv -o m --eta 0.5
usage "--eta no: LABEL=NUMBER was expected" train colours.csv -o m --eta yes=1,no
usage "--eta-share yes=1: a number from 0 to below 1 was expected" \
    train colours.csv -o m --eta-share yes=1
usage "--memory needs the cases that --keep-cases none leaves out" \
    train colours.csv -o m --memory --keep-cases none
usage "--effort is for --model rich" train --model plain colours.csv -o m --effort lite
usage "--passes is for --model plain" train --model rich colours.csv -o m --passes 2
usage "--scope is for --model plain" train --model rich colours.csv -o m --scope all
usage "--given-order is for --model plain" train --model rich colours.csv -o m --given-order
usage "--memory and --no-memory exclude each other" \
    predict m colours.csv --memory --no-memory
holds "no model was written" test ! -e m

# Words after -- are files, whatever they look like.
run train -o m -- --label
exits 5
contains stderr "--label"
