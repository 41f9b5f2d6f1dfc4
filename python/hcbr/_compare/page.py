"""A comparison as a page: one file without script and without anything from elsewhere.

Every text of the data is escaped. What a drawing shows, a table says too.
"""

from __future__ import annotations

import html
from typing import Any

from .measures import LOWER_IS_BETTER
from .text import COSTS, TITLES, clear, measured, missing, plain, settings, shown, sums

STYLE = """
:root{color-scheme:light dark;--ink:#1a1a1a;--paper:#fff;--soft:#595959;--line:#c8c8c8;
--for:#0b5c8a;--against:#9a4400}
@media(prefers-color-scheme:dark){:root{--ink:#ececec;--paper:#16181b;--soft:#b0b0b0;
--line:#4a4d52;--for:#7cc4f0;--against:#f5ab6b}}
@media print{:root{--ink:#000;--paper:#fff;--soft:#333;--line:#999;--for:#003e63;
--against:#6b2f00}tr,figure{break-inside:avoid}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:72rem;padding:1rem;font:1rem/1.5 system-ui,sans-serif;
color:var(--ink);background:var(--paper)}
h1,h2,h3{line-height:1.25;overflow-wrap:anywhere}
article{border-top:2px solid var(--line);margin-top:2rem}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;margin:.5rem 0 1.5rem}
caption{text-align:left;font-weight:600;padding:.25rem 0}
th,td{border-bottom:1px solid var(--line);padding:.35rem .75rem .35rem 0;text-align:left;
vertical-align:top}
th.n,td.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
tbody th{font-weight:400}tr.ours th,tr.ours td{font-weight:600}
.soft{color:var(--soft)}.for{color:var(--for)}.against{color:var(--against)}
figure{margin:1rem 0}figcaption{font-weight:600}
svg{display:block;width:100%;max-width:44rem;height:auto}
svg text{fill:currentColor;font:13px system-ui,sans-serif}
svg .axis{stroke:var(--soft)}svg .grid{stroke:var(--line)}
svg .for{stroke:var(--for);fill:var(--for)}svg .against{stroke:var(--against);fill:var(--against)}
svg .open{stroke:var(--soft);fill:var(--soft)}
"""
LEFT, WIDTH, ROW = 190, 700, 26  # of a drawing


def esc(text: Any) -> str:
    return html.escape(plain(str(text)), quote=True)


def name(text: Any) -> str:
    """A name that keeps its direction of writing to itself."""
    return f"<bdi>{esc(text)}</bdi>"


def table(caption: str, heads: list[str], lines: list[str]) -> str:
    cells = "".join(f'<th scope="col"{" class=n" if i else ""}>{esc(h)}</th>'
                    for i, h in enumerate(heads))
    body = "\n".join(lines)
    return (f'<div class="wide"><table><caption>{caption}</caption>\n<thead><tr>{cells}</tr>'
            f"</thead>\n<tbody>\n{body}\n</tbody></table></div>\n")


def line(first: str, cells: list[str], kinds: list[str] | None = None, ours: bool = False) -> str:
    kinds = kinds or [""] * len(cells)  # an interval stands below its mean
    rest = "".join(f'<td class="n{" " + k if k else ""}">{esc(c).replace(" (", "<br>(")}</td>'
                   for c, k in zip(cells, kinds))
    return f'<tr{" class=ours" if ours else ""}><th scope="row">{first}</th>{rest}</tr>'


def library(one: dict[str, Any]) -> str:
    version = f' <span class="soft">{esc(one["version"])}</span>' if one["version"] else ""
    return name(one["title"]) + version


def better(measure: str, found: dict[str, Any] | None) -> str:
    """Which side a clear difference speaks for."""
    if found is None or not clear(found):
        return ""
    above = found["mean"] > 0
    return "for" if above != (measure in LOWER_IS_BETTER) else "against"


def difference(found: dict[str, Any] | None) -> str:
    """The mean and its interval; a star if 0 is not in it."""
    if found is None:
        return ""
    if found["low"] is None:
        return f"{found['mean']:+.4f}"
    star = "*" if clear(found) else ""
    return f"{found['mean']:+.4f}{star} ({found['low']:+.4f} to {found['high']:+.4f})"


def step_of(span: float) -> float:
    """A round distance between the marks of an axis."""
    size = 1.0
    while size > span:
        size /= 10
    while size * 10 <= span:
        size *= 10
    return next(size * m for m in (0.2, 0.5, 1, 2) if span / (size * m) <= 6)


def drawing(measure: str, others: list[dict[str, Any]]) -> str:
    """Differences as dots with their intervals, 0 as a line."""
    found = [(one, one["difference"][measure]) for one in others
             if measure in one["difference"]]
    if not found:
        return ""
    ends = [0.0]
    for _, d in found:
        ends += [d["mean"]] + ([d["low"], d["high"]] if d["low"] is not None else [])
    low, high = min(ends), max(ends)
    if high - low < 1e-9:
        low, high = -0.01, 0.01
    margin = 0.05 * (high - low)
    low, high = low - margin, high + margin

    def x(value: float) -> float:
        return round(LEFT + (WIDTH - LEFT - 20) * (value - low) / (high - low), 1)

    height = ROW * len(found) + 40
    out = []
    step = step_of(high - low)
    for i in range(int(low / step) - 1, int(high / step) + 2):
        if low <= i * step <= high:
            kind = "axis" if i == 0 else "grid"
            digits = len(f"{step:.10f}".rstrip("0").split(".")[1])
            mark = f"{i * step:+.{digits}f}" if i else "0"
            out.append(f'<line class="{kind}" x1="{x(i * step)}" x2="{x(i * step)}" y1="4" '
                       f'y2="{height - 26}"/><text x="{x(i * step)}" y="{height - 8}" '
                       f'text-anchor="middle">{mark}</text>')
    for place, (one, d) in enumerate(found):
        y = 18 + ROW * place
        kind = better(measure, d) or "open"
        out.append(f'<text x="{LEFT - 10}" y="{y + 4}" text-anchor="end">'
                   f"{esc(one['title'][:24])}</text>")
        if d["low"] is not None:
            out.append(f'<line class="{kind}" stroke-width="2" x1="{x(d["low"])}" '
                       f'x2="{x(d["high"])}" y1="{y}" y2="{y}"/>')
        out.append(f'<circle class="{kind}" cx="{x(d["mean"])}" cy="{y}" r="4.5"/>')
    side = "left" if measure in LOWER_IS_BETTER else "right"
    return (f"<figure><figcaption>{TITLES[measure]}: hcbr minus the library ({side} of 0: hcbr is "
            f'better)</figcaption>\n<svg viewBox="0 0 {WIDTH} {height}" role="img" '
            f'aria-label="Differences in {TITLES[measure]}; the table below has the numbers">\n'
            + "\n".join(out) + "\n</svg></figure>\n")


def article(found: dict[str, Any], data: dict[str, Any]) -> str:
    good = [one for one in data["libraries"] if one["error"] is None]
    failed = [one for one in data["libraries"] if one["error"] is not None]
    labels = sorted(data["labels"].items(), key=lambda x: -x[1])
    most = ", ".join(f"{name(k)} ({v:,})" for k, v in labels[:12]) + (", …" if labels[12:] else "")
    out = [f"<article><h2>{name(data['name'])}</h2>\n<p>{data['cases']:,} cases, "
           f"{data['columns']} columns; label {name(data['label'])}: {most}.</p>\n"]
    out += [f"<p>Note: {esc(note)}.</p>\n" for note in data["notes"]]
    out.append(table("Means over the folds", ["", *TITLES.values(), *COSTS.values()],
                     [line(library(one), measured(one), ours=one is good[0]) for one in good]))
    others = [one for one in good if "difference" in one]
    if others:
        out += [drawing(m, others) for m in ("mcc", "log_loss")]
        level = f"{100 * found['interval']['level']:.0f} %"
        measures = shown(data)
        lines = [line(library(one), [difference(one["difference"].get(m)) for m in measures],
                      [better(m, one["difference"].get(m)) for m in measures]) for one in others]
        out.append(table(f"hcbr minus the library, with {level} interval (* without 0)",
                         ["", *(TITLES[m] for m in measures)], lines))
    out += [f"<p>{library(one)} failed: {esc(one['error'])}</p>\n" for one in failed]
    lines = [f'<tr><th scope="row">{library(one)}</th><td>{esc(one["preparation"])}</td></tr>'
             for one in data["libraries"]]
    out.append('<div class="wide"><table><caption>Preparation</caption>\n<tbody>\n'
               + "\n".join(lines) + "\n</tbody></table></div>\n</article>\n")
    return "".join(out)


def overall(found: dict[str, Any]) -> str:
    if not found["summary"]:
        return ""
    lines = [line(name(row["title"]), [str(row["sets"]), *(sums(row.get(m)) for m in TITLES
                                                           if m != "ece")])
             for row in found["summary"]]
    return table("hcbr minus the library: means over the sets (sets on which it is clearly above, "
                 "clearly below)", ["", "sets", *(t for m, t in TITLES.items() if m != "ece")],
                 lines)


def page(found: dict[str, Any]) -> str:
    absent = missing(found)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width,initial-scale=1">\n'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src '
        f"'unsafe-inline'\">\n<title>hcbr and other libraries</title>\n<style>{STYLE}</style>\n"
        f"</head>\n<body>\n<main>\n<h1>hcbr and other libraries</h1>\n<p>{esc(settings(found))}. "
        f"Every library has its defaults. {esc(found['machine'])}.</p>\n"
        f"<p>Intervals are those of the {esc(found['interval']['method'])}. MB: the memory that "
        "fit and predict take beyond data and program.</p>\n"
        + (f"<p>{esc(absent)}</p>\n" if absent else "") + overall(found)
        + "".join(article(found, data) for data in found["sets"])
        + "</main>\n</body>\n</html>\n"
    )
