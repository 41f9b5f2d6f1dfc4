# A program over the library alone prints what hcbr prints, byte by byte: decisions, reasons, pages,
# evaluations, audits, models. Among them is a model of texts, whose words the library finds itself.
source "$(dirname "$0")/lib.sh"
root=$here/../..
flags=()
case $(nm -D "${HCBR_LIBRARY:?}") in
*__asan_init*) flags=(-fsanitize=address,undefined) ;;
*__tsan_init*) flags=(-fsanitize=thread) ;;
esac
"${CC:-cc}" -std=c11 -Wall -Wextra -Werror "${flags[@]}" -I"$root/include" \
    -I"${HCBR_BUILD:?}/include" "$here/library_prints.c" "$HCBR_LIBRARY" \
    -Wl,-rpath,"$(dirname "$HCBR_LIBRARY")" -o library_prints ||
    { bad "library_prints.c does not build"; exit 1; }

cp "$root/examples/votes.csv" .
head -n 6 votes.csv >some.csv
printf 'label,text\nspam,"WIN a prize now, Win!"\nham,see you at the caf\xc3\xa9\n' >texts.csv
printf 'spam,prize money \xe2\x80\x94 now\nham,"Don\xe2\x80\x99t wait, see STRASSE"\n' \
    >>texts.csv
printf 'label,text\nspam,CAFE\xcc\x81 prize\nham,DON\x27T see Stra\xc3\x9fe unseen\n' >new.csv
run train votes.csv -q -o rich.hcbr
exits 0
run train votes.csv -q --model plain -o plain.hcbr
exits 0
run train texts.csv -q --text text --model plain -o texts.hcbr
exits 0
run train texts.csv -q --text text -o rich_texts.hcbr
exits 0

same_bytes() { # WHAT MODEL DATA: beside the output of the last run
    ./library_prints "$@" >library.out 2>library.err || bad "library_prints $*: $(cat library.err)"
    if cmp -s library.out "${out:-stdout}"; then
        good
    else
        bad "library_prints $* and $last differ"
    fi
}

for pair in rich:some plain:some texts:new rich_texts:new; do
    model=${pair%:*}.hcbr
    data=${pair#*:}.csv
    run predict --json -q "$model" "$data"
    exits 0
    same_bytes predict "$model" "$data"
    run explain --json --versus 3 --flip --ask "$model" "$data"
    exits 0
    same_bytes explain "$model" "$data"
    run explain --html page.html --versus 3 --flip --ask "$model" "$data"
    exits 0
    out=page.html same_bytes html "$model" "$data"
    run inspect --json "$model"
    exits 0
    same_bytes inspect "$model" "$data"
done
# Every word of the new texts but one was seen, however it is written.
run predict --json -q texts.hcbr new.csv
last="words of new texts"
holds "a word was not found" test "$(grep -c '"unseen":\[\]' stdout)" -eq 1
contains stdout '"unseen":["text:unseen=1"]'

run audit --json votes.csv
same_bytes audit votes.csv
run evaluate --json -q --model plain votes.csv
exits 0
./library_prints evaluate votes.csv >library.out || bad "library_prints evaluate"
for file in stdout library.out; do
    sed -E 's/"(fit|predict)_seconds":[^,}]*//g' "$file" >"$file.timeless"
done
holds "evaluate --json differs" cmp -s stdout.timeless library.out.timeless
