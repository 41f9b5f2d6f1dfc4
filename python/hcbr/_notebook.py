"""A page as a part of a notebook.

Viewers of notebooks that nobody has declared trusted, and the hosts of code, take out scripts,
frames and styles. So this is plain HTML that can be read without its styles; where they are kept
they apply to this part alone.
"""

from __future__ import annotations

import re

_SIZE = re.compile(r'<svg viewBox="0 0 ([0-9.]+) ([0-9.]+)"')
# The class twice, for the notebook's own rules are as strong as those with one.
_SCOPE = ".hcbr.hcbr"
_MORE = (
    "&{margin:0;max-height:44rem;overflow:auto;font-size:.875rem}"
    "h1{font-size:1.4em}h2{font-size:1.2em}h3{font-size:1.1em}.say p:first-child{font-size:1.1em}"
)


def fragment(page: str) -> str:
    """The main part of a page of hcbr, with the page's styles."""
    style = page.split("<style>", 1)[1].split("</style>", 1)[0]
    for whole in (":root{", "body{"):
        style = style.replace(whole, "&{")
    main = page.split("<main>", 1)[1].rsplit("</main>", 1)[0].strip()
    main = _SIZE.sub(r'<svg width="\1" height="\2" viewBox="0 0 \1 \2"', main)
    return (
        f'<div class="hcbr"><style>{_SCOPE}{{{style.strip()}\n{_MORE}}}</style>\n{main}\n</div>'
    )
