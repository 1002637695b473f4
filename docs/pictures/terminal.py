#!/usr/bin/env python3
"""Draws docs/pictures/refused.svg: what demo/run prints of a configuration that is written a second time."""
import pathlib
import re
import subprocess
import textwrap
from html import escape

here = pathlib.Path(__file__).resolve().parent
COLUMNS, LINE, SIDE = 104, 19, 16
COLOURS = {"$": "#9ecbff", "E": "#ff9d96", "o": "#8ddb8c"}

printed = subprocess.run([here.parents[1] / "demo/run"], check=True, stdout=subprocess.PIPE, text=True).stdout
part = printed[printed.index("\n4. ") + 1 : printed.index("\n6. ")].strip()
# Without the indentation, and without the folder of this run.
part = re.sub(r"^ {3}", "", re.sub(r"/\S+/(?=worker-)", "", part), flags=re.MULTILINE)
lines = []
for line in part.splitlines():
    colour = COLOURS.get(line.lstrip()[:1], "#d1d7e0")
    for row in textwrap.wrap(line, COLUMNS, subsequent_indent="  ", drop_whitespace=False) or [""]:
        lines.append((row, colour))
width, height = 2 * SIDE + COLUMNS * 8, 2 * SIDE + len(lines) * LINE
text = "\n".join(
    f'<text x="{SIDE}" y="{SIDE + LINE * (at + 0.75):g}" fill="{colour}" xml:space="preserve">{escape(row)}</text>'
    for at, (row, colour) in enumerate(lines)
)
(here / "refused.svg").write_text(
    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
    f'font-family="ui-monospace, Menlo, Consolas, monospace" font-size="13">\n'
    f'<rect width="{width}" height="{height}" rx="8" fill="#161b22"/>\n{text}\n</svg>\n'
)
