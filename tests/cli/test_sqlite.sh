# SQLite files as data and as joined sources.
source "$(dirname "$0")/lib.sh"

python3 - <<'END' || { echo "python3 could not make the databases"; exit 1; }
import sqlite3

def make(path, *statements):
    with sqlite3.connect(path) as db:
        for statement in statements:
            db.execute(*statement) if isinstance(statement, tuple) else db.execute(statement)
    db.close()

make("one.db", "CREATE TABLE visits (id INTEGER, label TEXT, fever, size REAL)",
     "INSERT INTO visits VALUES (9223372036854775807, 'flu', 'yes', 1.5), (2, 'cold', NULL, 0.1), "
     "(-3, 'cold', 'no', 1e300), (4, 'flu', 'NA', 2.0), (5, 'cold', '', -0.0)")
make("two.db", "CREATE TABLE a (k, label, x)", "CREATE TABLE \"b c\" (k, y)",
     "INSERT INTO a VALUES (1, 'p', 'u'), (2, 'q', 'v')",
     "INSERT INTO \"b c\" VALUES (1, 'first'), (2, 'second')")
make("none.db", "CREATE TABLE t (a)", "DROP TABLE t")
make("blob.db", "CREATE TABLE t (label, a)", "INSERT INTO t VALUES ('x', 1), ('y', x'00ff')")
make("text.db", "CREATE TABLE t (label, a)", "INSERT INTO t VALUES ('x', CAST(x'ff' AS TEXT))")
make("nul.db", "CREATE TABLE t (label, a)", "INSERT INTO t VALUES ('x', CAST(x'610062' AS TEXT))")
make("big.db", "CREATE TABLE t (label, a)", "INSERT INTO t VALUES ('x', 9e999)")
make("odd.db", "CREATE TABLE t (label, \"a \"\" b\")",
     ("INSERT INTO t VALUES (?, ?)", ("x", "\ufeff\u00e9\"\\\n\x01"),))
END

# Every kind of value; the only table is read, and that is said.
run convert one.db --to jsonl -o -
exits 0
prints <<'END'
{"label":"flu","id":"9223372036854775807","fever":"yes","size":"1.5"}
{"label":"cold","id":"2","size":"0.1"}
{"label":"cold","id":"-3","fever":"no","size":"1e300"}
{"label":"flu","id":"4","size":"2"}
{"label":"cold","id":"5","size":"0"}
END
contains stderr "hcbr convert: note: one.db: read its table visits"
run convert one.db --id id --to jsonl -o - -q
exits 0
says_nothing
run convert odd.db --to jsonl -o - -q
exits 0
contains stdout '{"label":"x","a \" b":"\ufeffé\"\\\n\u0001"}'

# A query in its own order; a table by its name; both for joined sources.
run convert one.db --query 'SELECT id, label FROM visits WHERE id < 3 ORDER BY id' \
    --to jsonl -o - -q
exits 0
prints <<'END'
{"label":"cold","id":"-3"}
{"label":"cold","id":"2"}
END
run convert one.db --query '-- a comment
  WITH v AS (SELECT * FROM visits) SELECT label, fever FROM v LIMIT 1; ' --to jsonl -o - -q
exits 0
prints <<'END'
{"label":"flu","fever":"yes"}
END
run convert 'two.db#a' --join 'two.db#b c:k@more' --ignore k --to jsonl -o - -q
exits 0
prints <<'END'
{"label":"p","x":"u","more.y":"first"}
{"label":"q","x":"v","more.y":"second"}
END
printf 'label,k\nyes,1\nno,2\n' >k.csv
run convert k.csv --join 'two.db#b c:k@s' --ignore k --to csv -o - -q
exits 0
prints < <(printf 'label,s.y\nyes,first\nno,second\n')
run convert two.db --query 'SELECT * FROM a' --join 'two.db#b c:k@s' --ignore k --to csv -o - -q
exits 0
prints < <(printf 'label,x,s.y\np,u,first\nq,v,second\n')

# Training and deciding; the file is not changed and no other file is left.
cp one.db before.db
run train one.db -q -o m.hcbr
exits 0
run predict m.hcbr one.db -q
exits 0
holds "five answers" test "$(wc -l <stdout)" -eq 5
run predict m.hcbr one.db --query 'SELECT 2 AS id, 0.1 AS size' -q
exits 0
contains stdout "2/2"
holds "the file is as it was" cmp one.db before.db
chmod 400 one.db
run train one.db -q -o m.hcbr
exits 0

fails() { # STATUS MESSAGE WORDS...
    run train "${@:3}" -o no.hcbr
    exits "$1"
    same "standard error" <(head -n 1 stderr) < <(printf 'hcbr train: %s\n' "$2")
    holds "no model" test ! -e no.hcbr
}
which='expected to be told which: FILE#TABLE, or --query for DATA'
fails 2 "two.db: found the tables 'a', 'b c', $which" two.db
fails 2 "two.db: found the tables 'a', 'b c', $which" k.csv --join two.db:k
fails 3 "none.db: found no table, expected one" none.db
fails 3 "two.db#z: SQLite: no such table: z" 'two.db#z'
fails 5 "k.csv#z: cannot open: No such file or directory" 'k.csv#z'
fails 3 "blob.db: row 2: found a blob in column 'a', expected text, a number or NULL" blob.db -q
fails 3 "text.db: row 1: found text that is not UTF-8 or holds NUL in column 'a', expected text, a \
number or NULL" text.db -q
fails 3 "nul.db: row 1: found text that is not UTF-8 or holds NUL in column 'a', expected text, a \
number or NULL" nul.db -q
fails 3 "big.db: row 1: found an infinite number in column 'a', expected text, a number or NULL" \
    big.db -q
fails 2 "one.db: SQLite: no such table: nowhere (--query)" one.db --query 'SELECT * FROM nowhere'
fails 2 "one.db: SQLite: near \"FROM\": syntax error (--query)" one.db --query 'SELECT FROM x'
for query in 'DELETE FROM visits' 'PRAGMA journal_mode=DELETE' "ATTACH 'x.db' AS x" 'VACUUM' '' \
    'INSERT INTO visits DEFAULT VALUES' 'EXPLAIN SELECT 1' 'CREATE TABLE z (a)' 'SELECTED'; do
    fails 2 "one.db: found the query '$query', expected a SELECT (--query)" one.db --query "$query"
done
fails 2 "one.db: found the query 'WITH x AS (SELECT 1) DELETE FROM visits', expected a SELECT \
(--query)" one.db --query 'WITH x AS (SELECT 1) DELETE FROM visits'
fails 2 "one.db: found 'DELETE FROM visits' after a query, expected one SELECT only (--query)" \
    one.db --query 'SELECT 1; DELETE FROM visits'
fails 3 "one.db: found two columns 'label', expected every name once (SELECT ... AS)" one.db \
    --query 'SELECT label, fever, label FROM visits'
fails 2 "two.db#a: found a table and --query, expected one of them" 'two.db#a' --query 'SELECT 1'
fails 2 "k.csv: is no SQLite file, expected one for --query" k.csv --query 'SELECT 1'
fails 3 "one.db: the result of --query has no row, expected at least one: is it the right one?" \
    one.db \
    --query 'SELECT * FROM visits WHERE 0'
fails 3 "one.db:1:1: found none of the keys label, y, class, target, outcome, expected one of them \
(name another with --label)" one.db --query 'SELECT id FROM visits'
holds "no file was made" test ! -e x.db

# Damaged files.
head -c 3000 two.db >cut.db
run train 'cut.db#a' -o no.hcbr
exits 3
contains stderr "hcbr train: cut.db#a: SQLite: "
head -c 20 two.db >head.db
run train head.db -o no.hcbr
exits 3
contains stderr "hcbr train: head.db: SQLite: "
printf 'SQLite format 3' >magic.db
run train magic.db -o no.hcbr
exits 3
