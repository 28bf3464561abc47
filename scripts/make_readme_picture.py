"""Draw the README's picture: the first demo of the course, as it starts."""

from pathlib import Path

from svt_lib import plots
from svt_lib.canvas import Canvas

png, sentence = Canvas(plots.twelve_queries).render({})
(Path(__file__).parents[1] / "docs" / "twelve_queries.png").write_bytes(png)
print(sentence)
