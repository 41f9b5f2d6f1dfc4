"""Columns that number or name the cases, and columns that look like it and do not: (name, values).

Each has ROWS values, one for each row of a table. They were written down before any rule was tried
on them. docs/INPUT.md says what is decided and why.
"""
import datetime
import hashlib
import random
import uuid

ROWS = 120
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"


def ids(seed):
    """Those that are left out: name, values, and whether several rows share one."""
    r = random.Random(seed)

    def different(make):
        found = set()
        while len(found) < ROWS:
            found.add(make())
        found = sorted(found)
        r.shuffle(found)
        return [str(x) for x in found]

    def shared(make, each):
        some = different(make)[:ROWS // each]
        return [some[i % len(some)] for i in range(ROWS)]

    def word(n, of=LETTERS + "0123456789"):
        return "".join(r.choice(of) for _ in range(n))

    def code():
        return f"{word(2, LETTERS)}{r.randrange(10 ** 5):05}"

    def digest(kind):
        return different(lambda: hashlib.new(kind, str(r.random()).encode()).hexdigest())
    rows = [str(i + 1) for i in range(ROWS)]
    lacking = [str(i) for i in range(ROWS + 9) if i % 14 != 5][:ROWS]
    mixed = rows[:]
    r.shuffle(mixed)
    one = [
        ("id", rows), ("", [str(i) for i in range(ROWS)]), ("Unnamed: 0", lacking), ("x1", mixed),
        ("uuid", different(lambda: str(uuid.UUID(int=r.getrandbits(128))))),
        ("token", different(lambda: str(uuid.UUID(int=r.getrandbits(128))).upper())),
        ("contact", different(lambda: f"{word(5).lower()}@{word(4).lower()}.org")),
        ("login", different(lambda: f"{word(4)}.{word(4)}@example.com")),
        ("photo", different(lambda: f"https://example.com/p/{word(9)}.jpg")),
        ("checksum", digest("md5")), ("commit", digest("sha1")), ("fingerprint", digest("sha256")),
        ("code", different(code)), ("reference", different(lambda: f"R-{r.randrange(10**6):06}")),
        ("plate", different(lambda: f"{word(2, LETTERS)}-{word(2, LETTERS)} {r.randrange(9999)}"
                            .replace(" ", ""))),
        ("case", different(lambda: f"{word(4)}-{word(4)}-{word(4)}")),
        ("order_id", different(lambda: r.randrange(10 ** 4, 10 ** 6))),
        ("CustomerID", different(lambda: r.randrange(10 ** 3, 10 ** 7))),
        ("customerid", different(lambda: r.randrange(10 ** 3, 10 ** 7))),
        ("encounter_id", different(lambda: r.randrange(10 ** 4, 4 * 10 ** 8))),
        ("account_number", different(lambda: r.randrange(10 ** 7, 10 ** 8))),
        ("invoice no", different(lambda: r.randrange(500, 90000))),
        ("Matrikel-Nr", different(lambda: r.randrange(10 ** 5, 10 ** 6))),
        ("kundennummer", different(lambda: r.randrange(10 ** 5, 10 ** 6))),
        ("primary_key", different(lambda: r.randrange(10 ** 9))),
        ("serial number", different(lambda: f"{r.randrange(10 ** 8):08}")),
        ("isbn", different(lambda: r.randrange(978 * 10 ** 10, 979 * 10 ** 10))),
        ("status_id", different(lambda: r.randrange(5 * 10 ** 17, 9 * 10 ** 17))),
        ("member no.", different(lambda: f"M{r.randrange(10 ** 4)}")),
    ]
    several = [
        ("patient_id", shared(lambda: r.randrange(10 ** 4, 10 ** 6), 3)),
        ("patient_nbr", shared(lambda: r.randrange(10 ** 4, 10 ** 8), 2)),
        ("subject id", shared(lambda: f"S{r.randrange(10 ** 4):04}", 4)),
        ("email", shared(lambda: f"{word(5).lower()}@{word(4).lower()}.org", 2)),
        ("session", shared(lambda: str(uuid.UUID(int=r.getrandbits(128))), 3)),
        ("user", shared(lambda: hashlib.sha256(str(r.random()).encode()).hexdigest(), 3)),
    ]
    return [(*x, False) for x in one] + [(*x, True) for x in several]


def measured(seed):
    """Those that stay: nearly all different, or called so, but not both, or of another kind."""
    r = random.Random(seed)
    start = datetime.datetime(2019, 1, 1)
    days = [start + datetime.timedelta(minutes=r.randrange(2 * 10 ** 6)) for _ in range(ROWS)]

    def draw(make):
        return [str(make()) for _ in range(ROWS)]

    def apart(least, most):
        return [str(x) for x in r.sample(range(least, most), ROWS)]
    up = [str(i + 1) for i in range(ROWS)]
    return [
        ("price", draw(lambda: f"{r.uniform(5, 900):.2f}")),
        ("amount", apart(100, 90000)), ("salary", apart(20000, 200000)),
        ("population", apart(10 ** 4, 10 ** 8)), ("x", apart(0, 10 ** 6)),
        ("length", draw(lambda: f"{r.gauss(30, 5):.4f}")), ("reading", draw(r.random)),
        ("lat", draw(lambda: f"{r.uniform(-90, 90):.6f}")),
        ("timestamp", [str(int(d.timestamp())) for d in days]),
        ("ticks", [str(int(d.timestamp() * 1000)) for d in days]),
        ("t", [str(int(d.timestamp()) * 10 ** 6) for d in days]),
        ("when", [d.strftime("%Y-%m-%d %H:%M:%S") for d in days]),
        ("day", [d.strftime("%Y%m%d") for d in days]),
        ("order_no", [d.strftime("%Y%m%d") + f"{i:04}" for i, d in enumerate(days)]),
        ("order number", [d.strftime("%y%m%d") + f"{i:04}" for i, d in enumerate(days)]),
        ("ticket", [d.strftime("T-%Y-%m-") + f"{i:05}" for i, d in enumerate(days)]),
        ("zip", apart(10000, 99999)), ("zip_code", [f"{int(x):05}" for x in apart(501, 99999)]),
        ("plz", [f"{int(x):05}" for x in apart(1067, 99998)]),
        ("phone prefix", draw(lambda: f"0{r.choice([30, 40, 69, 89, 211, 221, 351])}")),
        ("area", draw(lambda: r.choice([212, 213, 305, 312, 415, 617, 702]))),
        ("rank", up), ("overall_position", up), ("day_of_study", up),
        ("number_inpatient", draw(lambda: r.randrange(12))),
        ("num_medications", apart(0, 400)), ("number_of_cells", apart(1000, 9 * 10 ** 6)),
        ("no_of_clicks", apart(10, 5000)), ("refractive_index", apart(1000, 3000)),
        ("id", draw(lambda: r.randrange(8))), ("key", draw(lambda: r.randrange(12))),
        ("room_number", draw(lambda: r.randrange(100, 140))),
        ("store_id", [str(i % 6 + 11) for i in range(ROWS)]),
        ("paid", apart(3, 9000)), ("grid", apart(3, 9000)), ("valid", apart(3, 9000)),
        ("ident_score", apart(3, 9000)), ("balance", draw(lambda: r.randrange(-9000, 9000))),
        ("weight", draw(lambda: f"{r.uniform(40, 120):.1f} kg")),
        ("income", draw(lambda: f"${r.randrange(10 ** 4, 10 ** 6):,}")),
        ("size", [f"{r.randrange(10, 900)}x{r.randrange(10, 900)}mm" for _ in range(ROWS)]),
        ("year", [str(1900 + i) for i in range(ROWS)]),
        ("town", draw(lambda: r.choice(["Ulm", "Bonn", "Kiel"]))),
        ("note", draw(lambda: " ".join(r.choice(["red", "old", "big", "new", "far", "wet"])
                                       for _ in range(7)))),
        ("referrer", draw(lambda: "http://" + r.choice("abc") + ".example")),
    ]
