"""The parts of every report page: figures, tables, citation, template."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import jinja2
import yaml
from markupsafe import Markup

WORKFLOWS = Path(__file__).parents[1]


class Figures:
    """Numbers the figures and embeds them."""

    def __init__(self, paths: list[Path]) -> None:
        self.paths = {path.stem: path for path in paths}
        self.count = 0

    def __call__(self, name: str, caption: str) -> Markup:
        self.count += 1
        # The XML prologue has no place inside HTML, and ids must differ between figures of one page.
        svg = self.paths[name].read_text(encoding="utf-8")
        svg = svg[svg.index("<svg") :]
        svg = re.sub(r'(id="|href="#|url\(#)', rf"\g<1>{name}_", svg)
        label = f"<b>Figure {self.count}.</b> "
        return Markup(f'<figure role="img" aria-label="{name}">{svg}<figcaption>{label}{caption}</figcaption></figure>')


def html_table(content: dict[str, Any] | None) -> Markup:
    """A table from its caption, head and rows; text columns are named in `text`."""
    if not content or not content["rows"]:
        return Markup("")
    text = content.get("text", [])
    place = ["" if name in text else ' class="n"' for name in content["head"]]
    head = "".join(f"<th{c}>{Markup.escape(name)}</th>" for c, name in zip(place, content["head"]))
    rows = "".join(
        "<tr>" + "".join(f"<td{c}>{Markup.escape(cell)}</td>" for c, cell in zip(place, row)) + "</tr>\n"
        for row in content["rows"]
    )
    caption = f"<caption>{Markup.escape(content['caption'])}</caption>"
    return Markup(
        f'<div class="wide"><table>{caption}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'
    )


def citation() -> str:
    """How to cite the program, from CITATION.cff."""
    data = yaml.safe_load((WORKFLOWS.parent / "CITATION.cff").read_text(encoding="utf-8"))
    authors = ", ".join(
        author.get("name") or f"{author['given-names']} {author['family-names']}" for author in data["authors"]
    )
    return f"{authors}, {data['title']}, version {data['version']} ({str(data['date-released'])[:4]})."


def render_page(template: str, **content: Any) -> str:
    """The page of a template; a name that the template uses and `content` lacks is an error."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(WORKFLOWS), autoescape=True, undefined=jinja2.StrictUndefined
    )
    return environment.get_template(template).render(content)
