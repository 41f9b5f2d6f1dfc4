"""Dates and verdicts against Python: its datetime is the oracle of the calendar and of every part
of a moment; the columns of generated.py are found to be what they were made as."""
import datetime
import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "cli")]
import ask  # noqa: E402
import generated  # noqa: E402
from seeds import take_seed  # noqa: E402

EPOCH = datetime.datetime(1970, 1, 1)
ORDERS = {"dmy": 1, "mdy": 2, "ymd": 3}
# name: what it leaves out; seconds, the time, the day, or everything but the time
SECONDS = {"mdy clock", "time", "time pm"}
WITH_TIME = {"iso time", "iso zone", "iso z", "mdy clock", "mail", "unix"}
ONLY_TIME = {"time", "time seconds", "time pm"}
ONLY_MONTH = {"month", "month numbers", "quarter"}
CLOCKS = {"compact", "created_at", "timestamp"}
problems = []


def expected(name, moment):
    """The answer of kinds_of: what it has, parts, second, nanosecond, zone."""
    month = (moment.month + 2) // 3 * 3 - 2 if name == "quarter" else moment.month
    day = moment.replace(month=month, day=1) if name in ONLY_MONTH else moment
    parts = ["-"] * 8
    has = second = nano = zone = 0
    if name not in ONLY_TIME:
        has |= 1
        parts[0], parts[1], parts[7] = moment.year, month, (
            datetime.datetime(day.year, day.month, day.day) - EPOCH).days
        if name not in ONLY_MONTH:
            has |= 2
            parts[2], parts[3] = moment.day, moment.isoweekday()
            parts[4] = moment.timetuple().tm_yday
    if name in WITH_TIME or name in ONLY_TIME:
        has |= 4
        parts[5], parts[6] = moment.hour, moment.hour * 60 + moment.minute
        second = 0 if name in SECONDS else moment.second
        nano = moment.microsecond * 1000 if name == "iso z" else 0
    if name in ("iso zone", "iso z", "mail"):
        has |= 8
        zone = 120 if name == "iso zone" else 0
    return "\t".join(str(x) for x in [has, *parts, second, nano, zone])


def check_dates(rng):
    requests, wanted = [], []
    for name, write in generated.dates():
        if name in CLOCKS:
            continue
        for _ in range(400):
            wide = name not in ("dmy short", "mdy short", "oracle")
            start, days = (datetime.datetime(1000, 1, 1), 3287181) if wide else (
                datetime.datetime(1969, 1, 1), 36524)
            moment = start + datetime.timedelta(days=rng.randrange(days),
                                                microseconds=rng.randrange(86400 * 10 ** 6))
            text = write(moment).encode()
            order = ORDERS.get(name.split()[0], 0)
            order = 0 if name == "ymd slash" else order
            requests.append(b"%d %d\n%s\n" % (order, len(text), text))
            wanted.append((name, text, expected(name, moment)))
    for have, (name, text, want) in zip(ask.ask(requests), wanted, strict=True):
        if have != want:
            problems.append(f"{name} {text!r}: {have!r}, expected {want!r}")


def check_columns(seed):
    columns = generated.columns(seed)
    answers = ask.judge([(name, values) for _, name, values in columns])
    wrong = [(kind, name, verdict["kind"], verdict["why"])
             for (kind, name, _), verdict in zip(columns, answers, strict=True)
             if kind != verdict["kind"]]
    # What is drawn may look like something else now and then: dates with no day above 12, say.
    if len(wrong) > len(columns) // 50:
        problems.extend(f"{name}: {kind}, found {found} ({why})"
                        for kind, name, found, why in wrong)
    for (_, name, _), verdict in zip(columns, answers):
        order = ORDERS.get(name.split()[0])
        if order and name != "ymd slash" and int(verdict["order"]) != order:
            problems.append(f"{name}: order {verdict['order']}")
        if name in ("euros", "comma", "comma one") and verdict["mark"] != "2":
            problems.append(f"{name}: mark {verdict['mark']}")


def main():
    seed = take_seed()
    check_dates(random.Random(seed))
    check_columns(seed)
    for problem in problems[:20]:
        print(problem)
    sys.exit(1 if problems else 0)


main()
