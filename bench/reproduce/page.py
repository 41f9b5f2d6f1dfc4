"""A document of headings, paragraphs, tables and figures, as Markdown and as one page of HTML."""
import html
import os
import re
import textwrap

COLUMNS = 100
STYLE = """:root{color-scheme:light dark}
body{font:16px/1.5 sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#1b1f24;
background:#fff}h1,h2,h3{line-height:1.2}a{color:#0550ae}
table{border-collapse:collapse;font-size:.875rem;font-variant-numeric:tabular-nums;margin:1rem 0}
th,td{border:1px solid #d0d7de;padding:.2rem .5rem;text-align:right}
th:first-child,.w{text-align:left}th{background:#f6f8fa}
caption{text-align:left;font-weight:bold;padding:.3rem 0}
.wide{overflow-x:auto}figure{margin:1rem 0}figcaption{font-size:.875rem}
svg{max-width:100%;height:auto}code{font-size:.9em}
@media (prefers-color-scheme:dark){body{color:#e6edf3;background:#0d1117}a{color:#58a6ff}
th,td{border-color:#30363d}th{background:#161b22}}
@media print{body{max-width:none;margin:0;font-size:11px;color:#000;background:#fff}
figure,tr{break-inside:avoid}h2,h3{break-after:avoid}.wide{overflow:visible}
table{font-size:9px}th{background:#eee}}"""


class Page:
    """Blocks in the order they are added."""

    def __init__(self, title):
        self.title, self.blocks, self.figures = title, [], {}

    def heading(self, text, level=2):
        self.blocks.append(("heading", text, level))

    def text(self, text):
        self.blocks.append(("text", " ".join(text.split())))

    def items(self, *texts):
        self.blocks.append(("items", [" ".join(t.split()) for t in texts]))

    def table(self, caption, head, rows):
        rows = [[str(c) for c in row] for row in rows]
        for row in rows:
            assert len(row) == len(head) and all(c.strip() for c in row), (caption, head, row)
        self.blocks.append(("table", caption, head, rows))

    def figure(self, name, caption, svg):
        self.figures[name] = svg
        self.blocks.append(("figure", name, caption))

    # ---- Markdown ------------------------------------------------------------------------------

    def markdown(self, folder):
        out = [f"# {self.title}"]
        for kind, *block in self.blocks:
            if kind == "heading":
                out.append("#" * block[1] + " " + block[0])
            elif kind == "text":
                out.append(textwrap.fill(block[0], COLUMNS, break_long_words=False,
                                         break_on_hyphens=False))
            elif kind == "items":
                out.append("\n".join(textwrap.fill(
                    item, COLUMNS, initial_indent="- ", subsequent_indent="  ",
                    break_long_words=False, break_on_hyphens=False) for item in block[0]))
            elif kind == "table":
                caption, head, rows = block
                lines = ["| " + " | ".join(r) + " |" for r in [head, *rows]]
                lines.insert(1, "| --- |" + " ---: |" * (len(head) - 1))
                long = max(map(len, lines))
                assert long <= COLUMNS, f"{caption}: a row of {long} columns"
                out += [textwrap.fill(caption, COLUMNS), "\n".join(lines)]
            else:
                name, caption = block
                out += [f"![{name}]({folder}/{name}.svg)", textwrap.fill(caption, COLUMNS)]
        return "\n\n".join(out) + "\n"

    # ---- HTML ----------------------------------------------------------------------------------

    def html(self):
        out = ["<!DOCTYPE html>", '<html lang="en">', '<head><meta charset="utf-8">',
               '<meta name="viewport" content="width=device-width,initial-scale=1">',
               f"<title>{html.escape(self.title)}</title>", f"<style>{STYLE}</style></head>",
               "<body><main>", f"<h1>{html.escape(self.title)}</h1>"]
        for kind, *block in self.blocks:
            if kind == "heading":
                out.append(f"<h{block[1]}>{inline(block[0])}</h{block[1]}>")
            elif kind == "text":
                out.append(f"<p>{inline(block[0])}</p>")
            elif kind == "items":
                out += ["<ul>", *(f"<li>{inline(t)}</li>" for t in block[0]), "</ul>"]
            elif kind == "table":
                out += html_table(*block)
            else:
                name, caption = block
                out += ["<figure>", *self.figures[name],
                        f"<figcaption>{inline(caption)}</figcaption></figure>"]
        return wrapped(out + ["</main></body>", "</html>"])

    def save(self, folder, markdown, page, pictures):
        """RESULTS.md, the page, and the pictures that the first shows."""
        os.makedirs(os.path.join(folder, pictures), exist_ok=True)
        files = {markdown: self.markdown(pictures), page: self.html()}
        for name, svg in self.figures.items():
            files[os.path.join(pictures, name + ".svg")] = wrapped(svg)
        for name, text in files.items():
            path = os.path.join(folder, name)
            with open(path + ".part", "w", encoding="utf-8") as file:
                file.write(text)
            os.replace(path + ".part", path)


    def update(self, folder, markdown, page, pictures):
        """The same where these sections alone were made: the others stay as they are."""
        names = {markdown: "## ", page: "<h2>"}
        new = {markdown: self.markdown(pictures), page: self.html()}
        for name, mark in names.items():
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8") as file:
                text = sections(file.read(), mark)
            for heading, part in sections(new[name], mark).items():
                if heading:  # what stands before the first one stays, too
                    end = "" if heading != list(text)[-1] else text[heading][
                        text[heading].rfind("</main>"):] if name == page else ""
                    assert heading in text, heading
                    part = part[:part.rfind("</main>")] if "</main>" in part else part
                    text[heading] = part.rstrip("\n") + ("\n\n" if name == markdown else "\n") + end
            with open(path + ".part", "w", encoding="utf-8") as file:
                file.write("".join(text.values()).rstrip("\n") + "\n")
            os.replace(path + ".part", path)
        for name, svg in self.figures.items():
            with open(os.path.join(folder, pictures, name + ".svg"), "w", encoding="utf-8") as file:
                file.write(wrapped(svg))


def sections(text, mark):
    """A document cut at its headings, by their lines; what stands before the first one is ''."""
    out, name = {"": ""}, ""
    for line in text.splitlines(keepends=True):
        if line.startswith(mark):
            name = line.strip()
            out[name] = ""
        out[name] += line
    return out


def inline(text):
    """Escaped, with code, emphasis and links of Markdown as elements."""
    text = re.sub(r"`([^`]*)`", r"<code>\1</code>", html.escape(text, quote=False))
    text = re.sub(r"(?<![*\w])\*(\w[^*]*)\*(?!\*)", r"<em>\1</em>", text)
    return re.sub(r"\[([^\]]*)\]\(([^)]*)\)", r'<a href="\2">\1</a>', text)


def html_table(caption, head, rows):
    out = ['<div class="wide"><table>', f"<caption>{inline(caption)}</caption>", "<thead><tr>"]
    words = [all(kind_of(row[k]) for row in rows) for k in range(len(head))]
    out += [f'<th scope="col"{w}>{inline(c)}</th>'
            for c, w in zip(head, (' class="w"' if is_word else "" for is_word in words))]
    out.append("</tr></thead><tbody>")
    for row in rows:
        out.append("<tr>" + " ".join(f"<td{kind_of(c)}>{inline(c)}</td>" for c in row) + "</tr>")
    return out + ["</tbody></table></div>"]


def kind_of(cell):
    """Words begin at the left, figures end at the right."""
    return ' class="w"' if re.match(r"[A-Za-z(]|\d \w", cell) else ""


def wrapped(lines):
    """Lines of at most so many columns, broken at blanks: the same to a browser."""
    return "\n".join(part for line in lines for piece in line.split("\n")
                     for part in (textwrap.wrap(piece, COLUMNS, break_long_words=False,
                                                break_on_hyphens=False) or [""])) + "\n"
