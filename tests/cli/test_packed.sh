# Compressed files: the same model as from plain ones, however they arrive; damage and bombs end the
# run with their place.
source "$(dirname "$0")/lib.sh"
printf 'label,colour,size\nyes,red,1\nno,blue,2\nyes,red,3\n' >plain.csv
python3 - <<'PY'
import gzip
data = open("plain.csv", "rb").read()
packed = gzip.compress(data)
open("one.csv.gz", "wb").write(packed)
pieces = [gzip.compress(piece) for piece in (data[:20], b"", data[20:])]
open("two.csv.gz", "wb").write(b"".join(pieces))
open("noname", "wb").write(packed)
open("lies.csv", "wb").write(packed)
open("plain.csv.gz", "wb").write(data)
open("cut.csv.gz", "wb").write(packed[:-3])
open("tail.csv.gz", "wb").write(packed + b"rest")
open("flip.csv.gz", "wb").write(packed[:-7] + bytes([packed[-7] ^ 1]) + packed[-6:])
open("empty.csv.gz", "wb").write(gzip.compress(b""))
rows = (b"x," + b"1" * 4000 + b"\n") * (17 << 10)
open("bomb.csv.gz", "wb").write(gzip.compress(b"label,a\n" + rows))
def raw_zstd(data):  # one frame with one block that is stored as it is: no library is needed
    return (b"\x28\xB5\x2F\xFD\x20" + bytes([len(data)]) +
            (len(data) << 3 | 1).to_bytes(3, "little") + data)
open("one.csv.zst", "wb").write(raw_zstd(data))
open("two.csv.zst", "wb").write(raw_zstd(data[:9]) + raw_zstd(data[9:]))
open("cut.csv.zst", "wb").write(raw_zstd(data)[:-3])
open("tail.csv.zst", "wb").write(raw_zstd(data) + b"rest")
open("wide.csv.zst", "wb").write(b"\x28\xB5\x2F\xFD\x00\x90\x01\x00\x00")  # a window of 2^28
PY
same_models() { # MODEL: words for train
    run train "$@" -q plain.csv -o plain.hcbr
    exits 0
    for file in one.csv.gz two.csv.gz lies.csv plain.csv.gz one.csv.zst two.csv.zst; do
        run train "$@" -q $file -o m.hcbr
        exits 0
        says_nothing
        run_shell "cmp plain.hcbr m.hcbr"
        exits 0
    done
    for file in one.csv.gz two.csv.gz one.csv.zst; do
        run_shell "\$hcbr train $* -q - -o m.hcbr --format csv <$file &&
            cmp plain.hcbr m.hcbr"
        exits 0
        run_shell "cat $file | \$hcbr train $* -q - -o m.hcbr --format csv &&
            cmp plain.hcbr m.hcbr"
        exits 0
    done
    # Without an ending the format is seen in the expanded bytes.
    run train "$@" noname -o m.hcbr
    exits 0
    contains stderr "noname: read as csv"
    run_shell "cmp plain.hcbr m.hcbr"
    exits 0
    # predict
    run predict plain.hcbr plain.csv
    cp stdout expected
    run predict plain.hcbr two.csv.gz
    exits 0
    prints <expected
}
same_models
same_models --model plain

fails_with() { # FILE MESSAGE
    run train $1 -o none.hcbr
    exits 3
    says <<<"hcbr train: $1: $2"
    run_shell "test ! -e none.hcbr"
    exits 0
}
fails_at() { # FILE BYTE FOUND
    fails_with $1 "at byte $2 of the compressed data: found $3"
}
size() { stat -c %s "$1"; }
fails_at cut.csv.gz "$(size cut.csv.gz)" \
    "the end of the file inside a gzip member, expected it whole"
fails_at tail.csv.gz "$(size one.csv.gz)" \
    "bytes that are not gzip, expected another member or the end"
fails_at flip.csv.gz "$(($(size one.csv.gz) - 4))" \
    "damaged gzip data (incorrect data check), expected it whole"
fails_at cut.csv.zst "$(size cut.csv.zst)" \
    "the end of the file inside a zstd frame, expected it whole"
fails_at tail.csv.zst "$(size one.csv.zst)" \
    "bytes that are not zstd, expected another frame or the end"
fails_with empty.csv.gz "empty file, expected a header with the names of the columns"
run train wide.csv.zst -o none.hcbr
exits 3
contains stderr "found a window of more than 134217728 bytes, expected a smaller one"
contains stderr "(--max-window raises the limit)"
run train wide.csv.zst --max-window 256M -o none.hcbr
exits 3
contains stderr "empty file, expected a header"
run train plain.csv --max-window 1000 -o none.hcbr
exits 2
contains stderr "--max-window 1000: a number from 1024 to 2147483648 was expected"
run train bomb.csv.gz -o none.hcbr
exits 3
contains stderr "found that it expands to more than 200 times its size, expected less"
contains stderr "(--max-expand raises the limit)"
run train -q bomb.csv.gz --max-expand 2000 -o m.hcbr
exits 0
run train plain.csv --max-expand 0 -o none.hcbr
exits 2
contains stderr "--max-expand 0: a number from 1 to 4294967295 was expected"
