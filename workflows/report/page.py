"""The parts of every report page: figures, tables, citation, template."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jinja2
import yaml
from markupsafe import Markup

WORKFLOWS = Path(__file__).parents[1]
BROAD = 500  # points; a wider figure has panels next to each other, too small for a phone unless it scrolls


class Figures:
    """Numbers the figures and embeds them, with links to them as SVG and PNG and to their numbers as CSV."""

    def __init__(self, paths: list[Path]) -> None:
        self.paths = {path.stem: path for path in paths}
        self.count = 0

    def __call__(self, name: str, caption: str) -> Markup:
        self.count += 1
        # The XML prologue has no place inside HTML, and ids must differ between figures of one page.
        svg = self.paths[name].read_text(encoding="utf-8")
        svg = svg[svg.index("<svg") :]
        data = re.search(r"<dc:description>(.*?)</dc:description>", svg, re.S)
        # The page holds the numbers as a link, and neither comments nor indentation.
        svg = re.sub(r"\s*<metadata>.*?</metadata>|\s*<!--.*?-->|(?<=\n) +", "", svg, flags=re.S)
        svg = re.sub(r'(id="|href="#|url\(#)', rf"\g<1>{name}_", svg)
        svg = svg.replace("<svg", f'<svg role="img" aria-label="{alternative_text(name, caption)}"', 1)
        label = f"<b>Figure {self.count}.</b> "
        kind = "plot panels" if float(re.search(r'width="([\d.]+)pt"', svg)[1]) > BROAD else "plot"
        csv = data_link(name, html.unescape(data[1])) if data else ""
        return Markup(
            f'<figure data-name="{name}">{scrolling(kind, f"Figure {self.count}", svg)}'
            f"<figcaption>{label}{caption}\n"
            f'<span class="get">Figure {self.count} as <a href="plots/{name}.svg" download>SVG</a>{csv}</span>'
            "</figcaption></figure>"
        )


def alternative_text(name: str, caption: str) -> str:
    """What a figure shows, for readers who do not see it: its name and the first sentence of its caption."""
    text = " ".join(re.sub(r"<[^>]+>", "", caption).split())
    sentence = re.split(r"(?<=[^\s.]{2}\.) (?=[A-Z])", text, maxsplit=1)[0]
    return f"{name.replace('_', ' ')}: {html.escape(html.unescape(sentence))}"


def data_link(name: str, csv: str) -> str:
    """A link that holds the numbers of a figure, so that the page stays one file."""
    content = quote(csv, safe=",.+-/()=<>;:|^*!~{}")
    return f' · <a href="data:text/csv;charset=utf-8,{html.escape(content)}" download="{name}.csv">CSV</a>'


def scrolling(kind: str, name: str, content: str) -> str:
    """A box that scrolls sideways where the screen is narrow, also by keyboard."""
    return f'<div class="{kind}" role="group" tabindex="0" aria-label="{html.escape(name)}">{content}</div>'


def formulas(text: str) -> Markup:
    """The text with `T_c` as an index and `L^−ω`, `t^(1/z)` as powers. Names of more than one letter stay as they are."""
    text = re.sub(r"\^\(((?:[^()]|\([^()]*\))+)\)", r"<sup>\1</sup>", str(Markup.escape(text)))
    text = re.sub(r"\^(−?(?:\([^()]*\)|\w+))", r"<sup>\1</sup>", text)
    return Markup(re.sub(r"(?<!\w)([^\W\d_])_(\w{1,3})\b", r"\1<sub>\2</sub>", text))


def html_table(content: dict[str, Any] | None) -> Markup:
    """A table from its caption, head and rows; text columns are named in `text`. A `note` stands after it, also after a
    table without rows, which is not shown."""
    note = Markup("<p>{}</p>").format(content["note"]) if content and content.get("note") else Markup("")
    if not content or not content["rows"]:
        return note
    text = content.get("text", [])
    place = ["" if name in text else ' class="n"' for name in content["head"]]
    head = "".join(f'<th scope="col"{c}>{formulas(name)}</th>' for c, name in zip(place, content["head"]))
    rows = "".join(
        "<tr>" + "".join(f"<td{c}>{Markup.escape(cell)}</td>" for c, cell in zip(place, row)) + "</tr>\n"
        for row in content["rows"]
    )
    caption = f'<p class="caption">{formulas(content["caption"])}</p>'
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    return Markup(caption + scrolling("wide", str(content["caption"]).split(". ")[0], table)) + note


def commands(text: str) -> Markup:
    """Lines to copy."""
    return Markup(f'<pre tabindex="0">{Markup.escape(text)}</pre>')


def citation() -> str:
    """How to cite the program, from CITATION.cff."""
    data = yaml.safe_load((WORKFLOWS.parent / "CITATION.cff").read_text(encoding="utf-8"))
    authors = ", ".join(
        author.get("name") or f"{author['given-names']} {author['family-names']}" for author in data["authors"]
    )
    return f"{authors}, {data['title']}, version {data['version']} ({str(data['date-released'])[:4]})."


def with_contents(page: str) -> str:
    """The page with an id for each heading of a section, and a list of links to them in its place."""
    entries, names = [], set()

    def heading(match: re.Match[str]) -> str:
        title = re.sub(r"<[^>]+>", "", match[2])
        name = match[1] or re.sub(r"[^a-z0-9]+", "-", html.unescape(title).lower()).strip("-") or "section"
        while name in names:
            name += "-2"
        names.add(name)
        entries.append(f'<li><a href="#{name}">{title}</a></li>')
        return f'<h2 id="{name}">{match[2]}</h2>'

    page = re.sub(r'<h2(?: id="([^"]+)")?>(.*?)</h2>', heading, page, flags=re.S)
    return page.replace("<!-- contents -->", "\n".join(entries), 1)


def render_page(template: str, **content: Any) -> str:
    """The page of a template; a name that the template uses and `content` lacks is an error."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(WORKFLOWS), autoescape=True, undefined=jinja2.StrictUndefined
    )
    return with_contents(
        environment.get_template(template).render(content | {"table": html_table, "commands": commands})
    )
