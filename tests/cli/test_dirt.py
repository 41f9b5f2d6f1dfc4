"""Dirt changes nothing: the evaluation of a table is that of the same table as people have it.

usage: test_dirt.py PROGRAM    (data sets below $HCBR_DATA; HCBR_LONG=1: all tables, all ways)
"""
import json
import os
import random
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import dirt  # noqa: E402  pylint: disable=wrong-import-position
from program import SOURCE, run, run_tests  # noqa: E402  pylint: disable=wrong-import-position

DATA = os.environ.get("HCBR_DATA") or os.path.join(SOURCE, "..", "shared", "data")
LONG = bool(os.environ.get("HCBR_LONG"))
ROWS, MIXTURES = (1500, 40) if LONG else (150, 2)


def evaluated(table, recipe):
    """What evaluate says of a table without any option but the label."""
    data, ending = dirt.written(table, recipe)
    with open("t." + ending, "wb") as file:
        file.write(data)
    result = run("evaluate", "-q", "--json", "--label", "label", "--folds", 2, "t." + ending,
                 code=None)
    if result.returncode != 0:
        return result.stderr
    return without_times(json.loads(result.stdout))


def without_times(x):
    if isinstance(x, dict):
        return {k: without_times(y) for k, y in x.items() if not k.endswith("seconds")}
    return [without_times(y) for y in x] if isinstance(x, list) else x


def difference(a, b):
    if isinstance(a, str) or isinstance(b, str):
        return str(b if isinstance(b, str) else a).strip()
    return ", ".join(f"{k}: {json.dumps(a.get(k))[:60]} is {json.dumps(b.get(k))[:60]}"
                     for k in a if a.get(k) != b.get(k))[:300]


def all_tables():
    found = {name: path for name, path in dirt.tables(DATA).items() if os.path.exists(path)}
    for name in dirt.tables(DATA):
        if name not in found:
            print(f"SKIPPED: no table {name} below HCBR_DATA, which is {DATA}")
    out = {}
    for name, path in found.items():
        out[name] = dirt.prepare(dirt.read(path, ROWS, random), random)
    return out


def ways_change_nothing():
    """Each way of writing a table, on one table that it suits, or on all of them."""
    clean, wrong, tried = {}, [], set()
    tables = all_tables()
    for number, (way, recipe) in enumerate(dirt.WAYS.items()):
        suited = [name for name, table in tables.items() if dirt.fits(table, recipe)]
        for name in suited if LONG else suited[number % max(len(suited), 1):][:1]:
            if name not in clean:
                clean[name] = evaluated(tables[name], {})
                assert isinstance(clean[name], dict), clean[name]
            dirty = evaluated(tables[name], recipe)
            tried.add(way)
            if dirty != clean[name]:
                wrong.append(f"{name}, {way}: {difference(clean[name], dirty)}")
    assert not wrong, "\n".join([f"{len(wrong)} differ"] + wrong)
    assert not tables or len(tried) >= 25, tried


def mixtures_change_nothing():
    wrong = []
    for name, table in all_tables().items():
        clean = evaluated(table, {})
        for _ in range(MIXTURES):
            recipe = dirt.mixture(random)
            if not dirt.fits(table, recipe):
                continue
            dirty = evaluated(table, recipe)
            if dirty != clean:
                wrong.append(f"{name}, {recipe}: {difference(clean, dirty)}")
    assert not wrong, "\n".join([f"{len(wrong)} differ"] + wrong)


if not any(map(os.path.exists, dirt.tables(DATA).values())):
    print(f"SKIPPED: no table below {DATA} (set HCBR_DATA)")
    sys.exit(77)
run_tests([ways_change_nothing, mixtures_change_nothing])
