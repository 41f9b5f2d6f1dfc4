"""Pictures of explanations; they need matplotlib."""

from __future__ import annotations

from typing import Any, Collection, Sequence

import numpy as np

from ._data import column_of

_FOR, _AGAINST, _GREY = "#2166ac", "#b2182b", "#777777"  # told apart by the colour-blind too
_LONGEST = 38


def _pyplot() -> Any:
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError("plot needs matplotlib: pip install matplotlib") from error
    return pyplot


def _short(text: str, most: int = _LONGEST) -> str:
    # A $ would begin a formula.
    text = text if len(text) <= most else text[: most - 1] + "…"
    return text.replace("$", r"\$")


def by_column(found: dict[str, Any], given: Collection[str]) -> dict[str, float]:
    """What each column adds to the lead; words of a text count for the column of texts."""
    adds: dict[str, float] = {}
    for one in found["columns"]:
        name = column_of(one["name"], given)
        adds[name] = adds.get(name, 0.0) + float(one["lead"])
    return adds


def steps(found: dict[str, Any], values: dict[str, str], most: int) -> list[tuple[str, float]]:
    """What the lead is made of: a name and what it adds, first what no column adds.

    Columns that add least are one step. The steps add up to the lead.
    """
    columns = list(by_column(found, values).items())
    start = float(found["lead"]) - sum(lead for _, lead in columns)
    columns.sort(key=lambda one: -abs(one[1]))
    shown, rest = columns[:most], columns[most:]
    if len(rest) == 1:
        shown, rest = columns, []
    out = [("before any column", start)]
    for name, lead in shown:
        value = values.get(name)
        out.append((name if value is None else f"{name} = {value}", lead))
    if rest:
        out.append((f"{len(rest)} other columns", sum(lead for _, lead in rest)))
    return out


def _waterfall(axes: Any, made: list[tuple[str, float]], lead: float) -> None:
    """Bars from where the one before it ends."""
    at = 0.0
    for place, (_, adds) in enumerate(made):
        color = _GREY if place == 0 else _FOR if adds >= 0 else _AGAINST
        axes.barh(place, adds, left=at, color=color, height=0.7)
        # Numbers stand in a column of their own, where no bar can hide them.
        axes.annotate(
            f"{adds:+.2f}", (1.01, place), xycoords=("axes fraction", "data"), va="center",
            fontsize=8, color=color, annotation_clip=False,
        )
        at += adds
        if place + 1 < len(made):
            axes.plot([at, at], [place - 0.35, place + 1.35], color="#aaaaaa", lw=0.7, zorder=0)
    axes.axvline(0, color="#333333", lw=0.8)
    axes.axvline(lead, color="#333333", lw=0.8, ls=":")
    axes.set_yticks(range(len(made)), [_short(name) for name, _ in made], fontsize=8)
    axes.invert_yaxis()


def _bars(axes: Any, names: Sequence[str], adds: Sequence[float]) -> None:
    colors = [_FOR if one >= 0 else _AGAINST for one in adds]
    axes.barh(range(len(adds)), adds, color=colors, height=0.7)
    axes.axvline(0, color="#333333", lw=0.8)
    axes.set_yticks(range(len(adds)), names, fontsize=8)
    axes.invert_yaxis()


def _bare(axes: Any) -> None:
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.tick_params(labelsize=8)


def _atom_name(atom: dict[str, Any]) -> str:
    return _short(" and ".join(atom["features"]) or atom["kind"])


def plot_one(
    found: dict[str, Any], case: list[tuple[str, str | None]], most: int, atoms: int
) -> Any:
    """A figure: what columns add to the lead, and the strongest atoms."""
    pyplot = _pyplot()
    values: dict[str, str] = {}
    for key, value in case:
        if value is not None:
            values[key] = value if key not in values else "…"
    made = steps(found, values, most)
    strongest = sorted(found["atoms"], key=lambda one: -abs(one["lead"]))[:atoms]
    tall = 1.5 + 0.28 * max(len(made), len(strongest))
    sides = 2 if strongest else 1
    figure, axes = pyplot.subplots(
        1, sides, figsize=(5.6 * sides, tall), squeeze=False, layout="constrained"
    )
    figure.get_layout_engine().set(wspace=0.06)  # between the numbers and the names beside them
    label, against = found["explained"], found["against"]
    lead = f"lead of {_short(str(label), 20)}"
    if against is not None:
        lead += f" over {_short(str(against), 20)}"
    _waterfall(axes[0, 0], made, float(found["lead"]))
    axes[0, 0].set_title(f"By column: {lead} is {found['lead']:+.2f}", fontsize=9, loc="left")
    _bare(axes[0, 0])
    axes[0, 0].set_xlabel("adds to the lead", fontsize=8)
    if strongest:
        names = [_atom_name(one) for one in strongest]
        _bars(axes[0, 1], names, [float(one["lead"]) for one in strongest])
        axes[0, 1].set_title("Strongest atoms", fontsize=9, loc="left")
        axes[0, 1].set_xlabel("adds to the lead", fontsize=8)
        _bare(axes[0, 1])
    return figure


def plot_many(items: Sequence[dict[str, Any]], given: Collection[str], most: int) -> Any:
    """A figure: how much columns add to the leads of these rows, in the mean without the sign."""
    pyplot = _pyplot()
    totals: dict[str, float] = {}
    for found in items:
        for name, adds in by_column(found, given).items():
            totals[name] = totals.get(name, 0.0) + abs(adds)
    ranked = sorted(totals.items(), key=lambda one: -one[1])
    most += len(ranked) == most + 1  # one is shown by its name
    shown = ranked[:most]
    names = [_short(name) for name, _ in shown]
    means = [total / len(items) for _, total in shown]
    if len(ranked) > most:
        names.append(f"{len(ranked) - most} other columns")
        means.append(float(np.sum([total for _, total in ranked[most:]])) / len(items))
    figure, axes = pyplot.subplots(
        figsize=(6, 1.3 + 0.28 * max(len(names), 1)), layout="constrained"
    )
    axes.barh(range(len(means)), means, color=_FOR, height=0.7)
    axes.set_yticks(range(len(names)), names, fontsize=8)
    axes.invert_yaxis()
    rows = "1 row" if len(items) == 1 else f"{len(items)} rows"
    axes.set_xlabel(f"what the column adds to the lead, up or down:\nmean of {rows}", fontsize=8)
    _bare(axes)
    return figure
