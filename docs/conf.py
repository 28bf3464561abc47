"""The course as web pages: `make site` builds them from the saved notebooks, without running anything.

The source folder is the repository's root, so that a link between two files is a link between their pages.
"""

import re
from importlib.resources import files

from docutils import nodes
from math_core import LatexToMathML

project = "The Sparse Vector Technique"
author = "The authors of the SVT course"
project_copyright = f"%Y, {author}. Text and figures: CC BY 4.0. Code: MIT"

extensions = ["myst_nb"]
root_doc = "docs/index"
include_patterns = ["docs/index.md", "notebooks/*.ipynb", "*.md", "svt_lib/tables/README.md"]
exclude_patterns = [".*", "build", "*.egg-info"]

nb_execution_mode = "off"
nb_render_markdown_format = "myst"  # as JupyterLab shows it, tables included
nb_render_image_options = {"alt": "A picture; the sentence below says what it shows."}
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4

html_theme = "furo"
language = "en_GB"
pygments_dark_style = "a11y-high-contrast-dark"
html_title = project
html_static_path = [
    "_static",
    # The one font with the metrics that formulas need (SIL Open Font License) that a package brings along.
    str(files("ziamath") / "fonts" / "STIXTwoMath-Regular.ttf"),
]
html_css_files = ["course.css"]
templates_path = ["_templates"]
html_additional_pages = {"index": "index.html"}  # a host opens index.html; it leads on to docs/index.html
html_copy_source = False
html_show_sourcelink = False
html_use_index = False
html_math_renderer = "mathml"

TO_MATHML = LatexToMathML()


def formula(latex: str, *, displaystyle: bool) -> str:
    """Return a formula as MathML, and stop the build where it is none."""
    mathml = TO_MATHML.convert_with_local_state(latex, displaystyle=displaystyle)
    # As a superscript the prime of D' shrinks to a speck; the sign itself is made to stand beside the letter.
    prime = r'<mrow>\1<mo class="prime" lspace="0" rspace="0">′</mo></mrow>'
    return re.sub(r"<msup>(<mi>.</mi>)<mo>′</mo></msup>", prime, mathml)


def _inline(translator, node):
    translator.body.append(formula(node.astext(), displaystyle=False))
    raise nodes.SkipNode


def _block(translator, node):
    translator.body.append(f'<div class="formula">{formula(node.astext(), displaystyle=True)}</div>\n')
    raise nodes.SkipNode


def setup(app):
    """Set formulas as MathML while building: browsers show it without a script, screen readers read it."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
