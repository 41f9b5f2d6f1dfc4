"""A comparison as text: a table for each data set, then paired differences."""

from __future__ import annotations

import textwrap
from typing import Any

from .measures import MEASURES

TITLES = {"mcc": "MCC", "accuracy": "accuracy", "log_loss": "log-loss", "auc": "AUC", "ece": "ECE"}
WIDTH = 79  # of a terminal
COSTS = {"fit_seconds": "fit, s", "predict_seconds": "predict, s", "memory": "MB"}


def plain(text: str) -> str:
    """Text of the data on one line; what would control a terminal is shown by its code."""
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text)


def number(found: dict[str, Any] | None, digits: int = 4) -> str:
    return "" if found is None else f"{found['mean']:.{digits}f}"


def named(one: dict[str, Any]) -> str:
    return plain(f"{one['title']} {one['version']}".strip())


def difference(found: dict[str, Any] | None) -> str:
    """The mean and half of its interval; a star if 0 is not in it."""
    if found is None:
        return ""
    if found["low"] is None:
        return f"{found['mean']:+.4f}"
    star = "*" if clear(found) else " "
    return f"{found['mean']:+.4f} ± {(found['high'] - found['low']) / 2:.4f}{star}"


def clear(found: dict[str, Any]) -> bool:
    return found["low"] is not None and (found["low"] > 0 or found["high"] < 0)


def measured(one: dict[str, Any]) -> list[str]:
    """The cells of a library behind its name."""
    cells = [number(one[m]) for m in TITLES]
    cells += [number(one["fit_seconds"], 3), number(one["predict_seconds"], 3)]
    return [*cells, f"{one['memory'] / 1e6:.0f}"]


def shown(data: dict[str, Any]) -> list[str]:
    """The measures that a data set has: no AUC for several labels."""
    return [m for m in MEASURES if m != "auc" or len(data["labels"]) == 2]


def grid(lines: list[list[str]], cut: int = 0) -> str:
    """Cells below each other: the first column to the left, the others to the right. If that is
    wider than a terminal, those from number `cut` on follow below, if it is given."""
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    if cut and sum(widths) + 2 * len(widths) - 2 > WIDTH:
        parts = [line[:cut] for line in lines], [line[:1] + line[cut:] for line in lines]
        return "\n\n".join(map(grid, parts))
    out = []
    for line in lines:
        cells = [line[0].ljust(widths[0])] + [c.rjust(w) for c, w in zip(line[1:], widths[1:])]
        out.append("  ".join(cells).rstrip())
    return "\n".join(out)


def head(data: dict[str, Any]) -> str:
    labels = sorted(data["labels"].items(), key=lambda x: -x[1])
    most = ", ".join(f"{plain(k)} ({v})" for k, v in labels[:6]) + (", ..." if labels[6:] else "")
    return (f"{plain(data['name'])}: {data['cases']} cases, {data['columns']} columns; "
            f"label '{plain(data['label'])}': {most}")


def wrapped(text: str) -> str:
    return textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def settings(found: dict[str, Any]) -> str:
    seeds = ", ".join(map(str, found["seeds"]))
    word = "seeds" if found["repeats"] > 1 else "seed"
    threads = "one thread" if found["threads"] == 1 else f"{found['threads']} threads"
    return (f"{found['folds']} stratified folds × {found['repeats']} ({word} {seeds}), the same "
            f"for all; {threads} each; CPU time of a fold")


def one_set(found: dict[str, Any], data: dict[str, Any]) -> list[str]:
    libraries = [one for one in data["libraries"] if one["error"] is None]
    notes = (f"note: {plain(note)}" for note in data["notes"])
    out = [*map(wrapped, (head(data), *notes)), ""]
    lines = [["", *TITLES.values(), *COSTS.values()]]
    lines += [[named(one), *measured(one)] for one in libraries]
    out += [grid(lines, 1 + len(TITLES)), ""]
    others = [one for one in libraries if "difference" in one]
    if others:
        level = f"{100 * found['interval']['level']:.0f} %"
        method = found["interval"]["method"]
        out += [f"hcbr minus the library ± half of the {level} interval", f"by the {method}; "
                "* without 0"]
        lines = [["", *(TITLES[m] for m in shown(data))]]
        lines += [[named(one), *(difference(one["difference"].get(m)) for m in shown(data))]
                  for one in others]
        out += [grid(lines, 3), ""]
    failed = [one for one in data["libraries"] if one["error"] is not None]
    out += [f"failed: {named(one)}: {plain(one['error'])}" for one in failed]
    return out + ([""] if failed else [])


def missing(found: dict[str, Any]) -> str | None:
    names = found["not_installed"]
    if not names:
        return None
    packages = " ".join(dict.fromkeys(one["package"] for one in names))
    absent = ", ".join(one["name"] for one in names)
    return plain(f"not installed: {absent} (pip install {packages})")


def over_sets(found: dict[str, Any]) -> list[str]:
    if not found["summary"]:
        return []
    lines = [["hcbr minus", "sets", *(TITLES[m] for m in MEASURES)]]
    for row in found["summary"]:
        lines.append([plain(row["title"]), str(row["sets"]), *(sums(row.get(m)) for m in MEASURES)])
    return ["means over the sets (sets on which it is clearly above, clearly below)",
            grid(lines, 4), ""]


def sums(cell: dict[str, Any] | None) -> str:
    return "" if cell is None else f"{cell['mean']:+.4f} ({cell['above']}, {cell['below']})"


def text(found: dict[str, Any]) -> str:
    """All of it."""
    out = [wrapped(settings(found)), ""]
    for data in found["sets"]:
        out += one_set(found, data)
    out += over_sets(found)
    absent = missing(found)
    out += [absent] if absent else []
    return "\n".join(out).rstrip() + "\n"


def rows(found: dict[str, Any]) -> list[dict[str, Any]]:
    """A flat row for each data set and library."""
    out = []
    for data in found["sets"]:
        for one in data["libraries"]:
            row = {"set": data["name"], "library": one["title"], "version": one["version"]}
            if one["error"] is None:
                row.update({m: None if one[m] is None else one[m]["mean"] for m in TITLES})
                row.update({m: one[m]["mean"] for m in ("fit_seconds", "predict_seconds")})
                row["memory"] = one["memory"]
                for m, d in one.get("difference", {}).items():
                    row.update({f"{m}_difference": d["mean"], f"{m}_low": d["low"],
                                f"{m}_high": d["high"]})
            row["error"] = one["error"]
            out.append(row)
    return out
