"""Charts as SVG: lines, points and bars on plain axes. Colours follow the reader's theme; lines
also differ by their dashes, so that a print without colours can be read."""
import html
import math

STYLE = """text{font:12px sans-serif;fill:#1b1f24}.m{text-anchor:middle}.e{text-anchor:end}
.t{font-size:13px;font-weight:bold}.a{stroke:#57606a;fill:none}.g{stroke:#d0d7de;fill:none}
.p{fill:#fff}path.l{fill:none;stroke-width:1.7}
.c0{stroke:#0969da}.c1{stroke:#bc4c00}.c2{stroke:#1a7f37}.c3{stroke:#8250df}.c4{stroke:#cf222e}
.c5{stroke:#57606a}.f0{fill:#0969da}.f1{fill:#bc4c00}.f2{fill:#1a7f37}.f3{fill:#8250df}
.f4{fill:#cf222e}.f5{fill:#57606a}.d1{stroke-dasharray:6 3}.d2{stroke-dasharray:2 3}
@media (prefers-color-scheme:dark){text{fill:#e6edf3}.a{stroke:#9198a1}.g{stroke:#30363d}
.p{fill:#0d1117}.c0{stroke:#58a6ff}.c1{stroke:#f0883e}.c2{stroke:#3fb950}.c3{stroke:#bc8cff}
.c4{stroke:#ff7b72}.c5{stroke:#9198a1}.f0{fill:#58a6ff}.f1{fill:#f0883e}.f2{fill:#3fb950}
.f3{fill:#bc8cff}.f4{fill:#ff7b72}.f5{fill:#9198a1}}
@media print{text{fill:#000}.p{fill:#fff}}"""
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 360, 250, 64, 22, 28, 42
COLOURS, DASHES = 6, 3


def ticks(low, high, most=5):
    """Round numbers from low to high."""
    if high <= low:
        return [low]
    step = 10 ** math.floor(math.log10((high - low) / most))
    while (high - low) / step > most:
        step *= 2 if str(step)[0] != "2" and f"{step:e}"[0] == "1" else 2.5
    first = math.ceil(low / step - 1e-9)
    return [round((first + k) * step, 12) for k in range(int((high - low) / step + 1e-6) + 1)
            if (first + k) * step <= high * (1 + 1e-9) + 1e-12]


class Axis:
    """Values to places, by their logarithms if so asked."""

    def __init__(self, values, start, end, log=False, limits=None):
        self.log, self.start, self.end = log, start, end
        low, high = limits or (min(values), max(values))
        if not limits and not log:
            low, high = low - .04 * (high - low), high + .04 * (high - low)
        if high <= low:
            low, high = low - .5, high + .5
        self.low, self.high = (math.log10(low), math.log10(high)) if log else (low, high)
        if log and self.high <= self.low:
            self.high = self.low + 1

    def at(self, value):
        v = math.log10(value) if self.log else value
        return round(self.start + (v - self.low) / (self.high - self.low)
                     * (self.end - self.start), 1)

    def marks(self):
        if not self.log:
            return ticks(self.low, self.high)
        whole = range(math.ceil(self.low - 1e-9), math.floor(self.high + 1e-9) + 1)
        return [10. ** k for k in whole] or [10 ** self.low, 10 ** self.high]


def number(value):
    if value == 0:
        return "0"
    if abs(value) < 1e-3 or abs(value) >= 1e6:
        return f"{value:.0e}".replace("e-0", "e-").replace("e+0", "e")
    return f"{value:,.10g}".replace("0.", ".", 1) if abs(value) < 1 else f"{value:,.10g}"


def frame(title, x, y, x_title, y_title):
    left, right, top, bottom = x.start, x.end, y.end, y.start
    out = [f'<text x="{(left + right) / 2}" y="16" class="m t">{html.escape(title)}</text>']
    for value in x.marks():
        at = x.at(value)
        out += [f'<path class="g" d="M{at} {top} V{bottom}"/>',
                f'<text x="{at}" y="{bottom + 15}" class="m">{number(value)}</text>']
    for value in y.marks():
        at = y.at(value)
        out += [f'<path class="g" d="M{left} {at} H{right}"/>',
                f'<text x="{left - 5}" y="{at + 4}" class="e">{number(value)}</text>']
    out.append(f'<path class="a" d="M{left} {top} V{bottom} H{right}"/>')
    out.append(f'<text x="{(left + right) / 2}" y="{bottom + 32}" class="m">'
               f'{html.escape(x_title)}</text>')
    out.append(f'<text transform="translate(13 {(top + bottom) / 2}) rotate(-90)" class="m">'
               f'{html.escape(y_title)}</text>')
    return out


def lines(title, series, x_title, y_title, *, log_x=False, log_y=False, x_limits=None,
          y_limits=None):
    """A panel of lines; series: (name, [(x, y), ...]) in the order of their colours."""
    points = [p for _, values in series for p in values]
    x = Axis([p[0] for p in points], LEFT, WIDTH - RIGHT, log_x, x_limits)
    y = Axis([p[1] for p in points], HEIGHT - BOTTOM, TOP, log_y, y_limits)
    out = frame(title, x, y, x_title, y_title)
    for k, (_, values) in enumerate(series):
        path = " L".join(f"{x.at(a)} {y.at(b)}" for a, b in values)
        out.append(f'<path class="l c{k % COLOURS} d{k // COLOURS % DASHES}" d="M{path}"/>')
        if len(values) < 25:
            out += [f'<circle cx="{x.at(a)}" cy="{y.at(b)}" r="2" class="f{k % COLOURS}"/>'
                    for a, b in values]
    return out


def points(title, groups, x_title, y_title, guides=()):
    """A panel of points; groups: (name, [(x, y)]); guides: lines ((x, y), (x, y))."""
    every = [p for _, values in groups for p in values]
    x = Axis([p[0] for p in every], LEFT, WIDTH - RIGHT)
    y = Axis([p[1] for p in every], HEIGHT - BOTTOM, TOP)
    out = frame(title, x, y, x_title, y_title)
    for a, b in guides:
        out.append(f'<path class="a" d="M{x.at(a[0])} {y.at(a[1])} L{x.at(b[0])} {y.at(b[1])}"/>')
    for k, (_, values) in enumerate(groups):
        out += [f'<circle cx="{x.at(a)}" cy="{y.at(b)}" r="{1.4 + .6 * k}" class="f{k}"/>'
                for a, b in values]
    return out


def bars(title, edges, groups, x_title, y_title):
    """A histogram of stacked bars; groups: (name, counts by bin)."""
    total = [sum(g[1][i] for g in groups) for i in range(len(edges) - 1)]
    x = Axis(edges, LEFT, WIDTH - RIGHT, limits=(edges[0], edges[-1]))
    y = Axis(total, HEIGHT - BOTTOM, TOP, limits=(0, max(total) * 1.05))
    out = frame(title, x, y, x_title, y_title)
    base = [0] * len(total)
    for k, (_, values) in enumerate(groups):
        for i, count in enumerate(values):
            if count:
                high, low = y.at(base[i] + count), y.at(base[i])
                width = max(x.at(edges[i + 1]) - x.at(edges[i]) - .5, .5)
                out.append(f'<rect x="{x.at(edges[i])}" y="{high}" width="{width:.1f}" '
                           f'height="{low - high:.1f}" class="f{k}"/>')
            base[i] += count
    return out


def figure(title, panels, legend=(), columns=2):
    """Panels side by side as one picture, with the names of their lines below."""
    columns = min(columns, len(panels))
    rows = -(-len(panels) // columns)
    room = 48 + 7 * max(map(len, legend), default=0)  # of a name
    per_row = max(1, columns * WIDTH // room)
    height = rows * HEIGHT + 18 * -(-len(legend) // per_row) + 8
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {columns * WIDTH} {height}" '
           f'width="{columns * WIDTH}" height="{height}" role="img">',
           f"<title>{html.escape(title)}</title>", f"<style>{STYLE}</style>",
           '<rect width="100%" height="100%" class="p"/>']
    for k, panel in enumerate(panels):
        out += [f'<g transform="translate({k % columns * WIDTH} {k // columns * HEIGHT})">',
                *panel, "</g>"]
    for k, name in enumerate(legend):
        x, y = 12 + k % per_row * room, rows * HEIGHT + 12 + 18 * (k // per_row)
        out += [f'<path class="l c{k % COLOURS} d{k // COLOURS % DASHES}" d="M{x} {y} h24"/>',
                f'<text x="{x + 30}" y="{y + 4}">{html.escape(name)}</text>']
    return out + ["</svg>"]
