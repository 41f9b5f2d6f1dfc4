"""Columns whose kind is known because they were made so: every disguise of numbers, every way to
write a date, flags, texts, sets, ids, categories; some with missing values and odd ones."""
import datetime
import random
import uuid

WORDS = ("time year people way day man thing woman life child world school state family student "
         "group country problem hand part place case week company system program question work "
         "government number night point home water room mother area money story fact month lot "
         "right study book eye job word business issue side kind head house service friend father "
         "power hour game line end member law car city community name president team minute idea "
         "body information back parent face others level office door health person art war "
         "history party result change morning reason research girl guy moment air teacher force "
         "education").split()
MONTHS = {"de": "Januar Februar März April Mai Juni Juli August September Oktober November "
                "Dezember".split(),
          "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre "
                "décembre".split(),
          "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre "
                "diciembre".split(),
          "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre "
                "novembre dicembre".split()}
FORMS = ["N/A", "#N/A", "n/a", "-", "--", "None", "NULL", ".", "NaT", "nan", "missing", "#VALUE!"]


def group(value, places, mark, decimal):
    text = f"{value:,.{places}f}"
    return text.replace(",", "\0").replace(".", decimal).replace("\0", mark)


def numbers(rng):
    """(name, function of a number that writes it), for amounts up to a million."""
    eur, nbsp, thin, quote = "\u20ac", "\u00a0", "\u202f", "\u2019"
    yield "dollars", lambda x: "$" + group(x, 2, ",", ".")
    yield "dollars whole", lambda x: "$" + group(x, 0, ",", ".")
    yield "dollars negative", lambda x: (f"(${x:,.2f})" if rng.random() < .2 else f"${x:,.2f}")
    yield "euros", lambda x: group(x, 2, ".", ",") + " " + eur
    yield "euros before", lambda x: eur + " " + group(x, 2, ".", ",")
    yield "euro code", lambda x: "EUR " + group(x, 2, ",", ".")
    yield "francs", lambda x: "CHF " + group(x, 2, "'", ".")
    yield "francs curly", lambda x: group(x, 2, quote, ".")
    yield "pounds", lambda x: "\u00a3" + f"{x:.2f}"
    yield "kronor", lambda x: group(x, 0, nbsp, ",") + " kr"
    yield "rupees", lambda x: "Rs. " + group(x, 0, ",", ".")
    yield "comma", lambda x: f"{x:.3f}".replace(".", ",")
    yield "comma one", lambda x: f"{x:.1f}".replace(".", ",")
    yield "thousands", lambda x: group(x, 0, ",", ".")
    yield "thousands points", lambda x: group(x, 0, ".", ",")
    yield "thousands blank", lambda x: group(x, 1, " ", ",")
    yield "thousands thin", lambda x: group(x, 0, thin, ",")
    yield "percent", lambda x: f"{x / 1e4:.1f}%"
    yield "percent blank", lambda x: f"{x / 1e4:.2f} %".replace(".", ",")
    yield "plus", lambda x: f"{x - 3e4:+.2f}"
    yield "minus", lambda x: f"{x - 3e4:.2f}".replace("-", "\u2212")
    yield "minus behind", lambda x: f"{abs(x - 3e4):.2f}" + ("-" if x < 3e4 else "")
    yield "kilograms", lambda x: f"{x / 1e4:.1f} kg"
    yield "kilometres", lambda x: f"{x:.0f}km"
    yield "days", lambda x: f"{x // 5e4:.0f} day" + ("" if x // 5e4 == 1 else "s")
    yield "degrees", lambda x: f"{x / 3e4 - 5:.1f} \u00b0C"
    yield "speed", lambda x: f"{x / 1e4:.0f} km/h"
    yield "millions", lambda x: f"${x / 1e5:.1f}M"
    yield "scaled", lambda x: f"{x / 1e3:.1f}k" if x < 5e5 else f"{x / 1e6:.2f}M"
    yield "billions", lambda x: f"{x / 1e5:.2f} bn"
    yield "exponent", lambda x: f"{x:.4e}"
    yield "plain", lambda x: f"{x:.2f}"
    yield "whole", lambda x: f"{x:.0f}"
    yield "blanks", lambda x: f"  {x:.1f} "


def dates():
    yield "iso", lambda d: d.strftime("%Y-%m-%d")
    yield "iso time", lambda d: d.strftime("%Y-%m-%dT%H:%M:%S")
    yield "iso zone", lambda d: d.strftime("%Y-%m-%dT%H:%M:%S+02:00")
    yield "iso z", lambda d: d.strftime("%Y-%m-%d %H:%M:%S.%fZ")
    yield "dmy slash", lambda d: d.strftime("%d/%m/%Y")
    yield "mdy slash", lambda d: d.strftime("%m/%d/%Y")
    yield "dmy point", lambda d: d.strftime("%d.%m.%Y")
    yield "dmy hyphen", lambda d: d.strftime("%d-%m-%Y")
    yield "dmy short", lambda d: f"{d.day}/{d.month}/{d.year % 100:02d}"
    yield "mdy short", lambda d: f"{d.month}/{d.day}/{d.year % 100:02d}"
    yield "mdy clock", lambda d: d.strftime("%m/%d/%Y %I:%M %p")
    yield "ymd slash", lambda d: d.strftime("%Y/%m/%d")
    yield "compact", lambda d: d.strftime("%Y%m%d")
    yield "named", lambda d: d.strftime("%B %d, %Y")
    yield "named short", lambda d: d.strftime("%b %d, %Y")
    yield "day first", lambda d: d.strftime("%d %B %Y")
    yield "oracle", lambda d: d.strftime("%d-%b-%y")
    yield "upper", lambda d: d.strftime("%d-%b-%Y").upper()
    yield "mail", lambda d: d.strftime("%a, %d %b %Y %H:%M:%S +0000")
    yield "unix", lambda d: d.strftime("%a %b %d %H:%M:%S %Y")
    yield "weekday", lambda d: d.strftime("%A, %B %d, %Y")
    yield "month", lambda d: d.strftime("%b %Y")
    yield "month numbers", lambda d: d.strftime("%Y-%m")
    yield "quarter", lambda d: f"{d.year}Q{(d.month + 2) // 3}"
    yield "week", lambda d: "%d-W%02d-%d" % tuple(d.isocalendar())
    yield "ordinal", lambda d: d.strftime("%Y-%j")
    yield "time", lambda d: d.strftime("%H:%M")
    yield "time seconds", lambda d: d.strftime("%H:%M:%S")
    yield "time pm", lambda d: d.strftime("%I:%M %p").lstrip("0").lower()
    for language, names in MONTHS.items():
        yield language, lambda d, names=names: f"{d.day}. {names[d.month - 1]} {d.year}"
    yield "created_at", lambda d: str(int(d.timestamp()))
    yield "timestamp", lambda d: str(int(d.timestamp() * 1000))


def others(rng, size):
    """(kind, name, values) of the other kinds."""
    some = lambda words: [rng.choice(words) for _ in range(size)]
    sentence = lambda low, high: " ".join(rng.choice(WORDS) for _ in range(rng.randint(low, high)))
    for yes, no in [("yes", "no"), ("Y", "N"), ("TRUE", "FALSE"), ("t", "f"), ("1", "0"),
                    ("on", "off"), ("ja", "nein"), ("Oui", "Non"), ("1.0", "0.0")]:
        yield "flag", yes, some([yes, no])
    yield "flag", "cases", some(["yes", "Yes", "YES", "no", "No"])
    for count in (2, 5, 12, 40):
        yield "category", f"words {count}", some(WORDS[:count])
    yield "category", "grades", some(["A+", "A", "A-", "B+", "B", "C"])
    yield "category", "ranges", some(["0-17", "18-29", "30-44", "45-60", "> 60"])
    yield "category", "incomes", some(["$0 - $24,999", "$25,000 - $49,999", "$50,000+"])
    yield "category", "answers", some(["Strongly agree", "Agree", "Neither agree nor disagree"])
    yield "category", "countries", some(["United States", "United Kingdom", "New Zealand", "Peru"])
    yield "category", "plates", [f"{rng.choice('ABC')}{rng.randint(1, 40)}" for _ in range(size)]
    yield "category", "zips", [f"{rng.randint(1, 300) * 97:05d}" for _ in range(size)]
    yield "category", "months", some(["jan", "feb", "mar", "apr", "may"])
    yield "category", "versions", [f"{rng.randint(1, 3)}.{rng.randint(0, 9)}.{rng.randint(0, 5)}"
                                   for _ in range(size)]
    yield "category", "shares", some(["1/2", "1/3", "2/3", "3/4"])
    yield "category", "mixed", some(["N/A", "none", "red", "blue"])
    yield "text", "short texts", [sentence(2, 4) for _ in range(size)]
    yield "text", "messages", [sentence(5, 25) + rng.choice([".", "!", "?"]) for _ in range(size)]
    yield "text", "comma texts", [sentence(3, 6) + ", " + sentence(3, 6) for _ in range(size)]
    yield "text", "names", [f"{rng.choice(WORDS).title()} {rng.choice(WORDS).title()}"
                            for _ in range(size)]
    yield "text", "surnames first", [f"{rng.choice(WORDS).title()}, {rng.choice(WORDS).title()}"
                                     for _ in range(size)]
    yield "text", "streets", [f"{rng.randint(1, 900)} {sentence(1, 2).title()} Street"
                              for _ in range(size)]
    for mark in ("|", ";", "; ", ", ", ","):
        yield "set", f"tags {mark}", [mark.join(rng.sample(WORDS[:15], rng.randint(1, 5)))
                                      for _ in range(size)]
    yield "set", "phrases", ["|".join(sentence(1, 1) + " " + rng.choice(WORDS[:5]) for _ in range(
        rng.randint(1, 9))) for _ in range(size)]
    yield "id", "row", [str(i + 1) for i in range(size)]
    yield "id", "customer_id", [str(x) for x in rng.sample(range(10 ** 6, 10 ** 7), size)]
    yield "id", "uuid", [str(uuid.UUID(int=rng.getrandbits(128))) for _ in range(size)]
    yield "id", "mail", [f"{rng.choice(WORDS)}{rng.randint(1, 99)}@example.org"
                         for _ in range(size)]
    yield "id", "link", [f"https://example.org/{rng.choice(WORDS)}/{i}" for i in range(size)]
    yield "id", "token", [f"tt{x:07d}" for x in rng.sample(range(10 ** 7), size)]
    yield "id", "hash", ["%016x" % rng.getrandbits(64) for _ in range(size)]
    yield "constant", "same", ["same"] * size
    yield "constant", "one", ["1"] * size


def columns(seed):
    """A list of (kind, name, values)."""
    rng = random.Random(seed)
    out = []
    for size in (120, 1000):
        for name, write in numbers(rng):
            values = [write(rng.lognormvariate(10, 1.5) % 1e6) for _ in range(size)]
            if rng.random() < .4:
                form = rng.choice(FORMS)
                values = [form if rng.random() < .1 else value for value in values]
            if rng.random() < .3:
                values = [rng.choice(["refused", ">90"]) if rng.random() < .08 else value
                          for value in values]
            out.append(("number", name, values))
        for name, write in dates():
            start = datetime.datetime(1995, 1, 1)
            values = [write(start + datetime.timedelta(seconds=rng.randint(0, 8 * 10 ** 8)))
                      for _ in range(size)]
            if rng.random() < .4 and name not in ("created_at", "timestamp", "compact"):
                form = rng.choice(FORMS)
                values = [form if rng.random() < .1 else value for value in values]
            out.append(("date", name, values))
        out += others(rng, size)
    return out
