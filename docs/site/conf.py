"""Settings of Sphinx for the site that `./study docs` builds (workflows/site)."""

import sys
from pathlib import Path

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
html_show_sphinx = False
html_static_path = ["static"]
html_css_files = ["site.css"]
pygments_style = "default"
