"""Settings of Sphinx for the site that `./study docs` builds (workflows/site)."""

import sys
from pathlib import Path
from typing import Any

# Sphinx reads a copy of the pages (workflows/site/pages.py), which names the tree that it was made of.
sys.path.insert(0, str(Path(Path(__file__).with_name("root.txt").read_text().strip()) / "analysis" / "python"))

project = "psflip"
author = "the authors of psflip"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
root_doc = "index"
source_suffix = {".md": "markdown"}
exclude_patterns = ["docs/site"]

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4  # as forges name them, so that links between pages work in both
myst_links_external_new_tab = False

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True

html_theme = "furo"
html_title = "psflip"
html_copy_source = False
html_show_copyright = False
html_show_search_summary = False  # browsers do not load it for a site that is opened as files
html_show_sphinx = False
html_static_path = ["static"]
html_css_files = ["site.css"]
highlight_language = "text"  # of blocks without a language, which are command lines
pygments_style = "default"


def for_keyboards_and_screen_readers(app: Any, page: str, template: str, context: dict[str, Any], tree: Any) -> None:
    """Blocks of code and tables that scroll can be reached by keyboard; captions of the menu are headings with a level."""
    body = context.get("body", "").replace("<pre>", '<pre tabindex="0">')
    context["body"] = body.replace('<div class="table-wrapper', '<div tabindex="0" class="table-wrapper')
    menu = context.get("furo_navigation_tree", "")
    context["furo_navigation_tree"] = menu.replace('role="heading"', 'role="heading" aria-level="2"')


def setup(app: Any) -> None:
    app.connect("html-page-context", for_keyboards_and_screen_readers, priority=900)  # after that of the theme
