#!/usr/bin/env python3
"""Draws docs/pictures/dashboard.svg: dashboard.py URL of a Prometheus that scrapes shipshape, such as e2e/run's.

Each panel of chart/dashboards/shipshape.json where it stands there, with its own queries.
"""
import json
import pathlib
import re
import sys
import time
import urllib.parse
import urllib.request
from html import escape

here = pathlib.Path(__file__).resolve().parent
COLUMN, ROW, GAP, SPAN = 44, 25, 6, 6 * 60
COLOURS = ["#73bf69", "#f2cc0c", "#5794f2", "#ff9830", "#f2495c", "#b877d9", "#8ab8ff", "#ffb357"]
UNITS = {"s": "s", "reqps": "/s", "none": "", None: ""}
now = int(time.time())
drawn = []


def text(x, y, content, size=12, colour="#ccccdc", anchor="start"):
    place = f'x="{x:.0f}" y="{y:.0f}" font-size="{size}" fill="{colour}" text-anchor="{anchor}"'
    drawn.append(f"<text {place}>{escape(content)}</text>")


def ask(expression):
    query = re.sub(r"\$__rate_interval", "1m", expression.replace("$namespace", ".*"))
    asked = urllib.parse.urlencode({"query": query, "start": now - SPAN, "end": now, "step": 5})
    with urllib.request.urlopen(f"{sys.argv[1]}/api/v1/query_range?{asked}") as answer:
        return json.load(answer)["data"]["result"]


def series(panel):
    for target in panel["targets"]:
        for found in ask(target["expr"]):
            labels, legend = found["metric"], target.get("legendFormat") or ""
            name = re.sub(r"\{\{(\w+)\}\}", lambda label, labels=labels: labels.get(label[1], ""), legend)
            yield name, [(float(at), float(value)) for at, value in found["values"] if value != "NaN"]


def written(value, unit):
    if unit == "s" and value > 7200:
        return f"{value / 86400:.0f} days"
    return f"{value * 1000:.3g} ms" if unit == "s" and 0 < value < 1 else f"{value:.3g}{UNITS[unit]}"


def stat(panel, x, y, width, height, defaults):
    mappings = defaults.get("mappings") or []
    words = {value: each["text"] for mapping in mappings for value, each in mapping["options"].items()}
    found = [(name, points[-1][1]) for name, points in series(panel) if points] or [("", 0)]
    for at, (name, value) in enumerate(sorted(found)):
        middle = x + width * (at + 0.5) / len(found)
        ago = defaults.get("unit") == "dateTimeFromNow"
        shown = f"{now - value / 1000:.0f} s ago" if ago else words.get(f"{value:g}", f"{round(value):g}")
        text(middle, y + height * 0.68, shown, 30, "#73bf69", "middle")
        text(middle, y + height - 9, name, 11, "#9fa1a8", "middle")


def timeseries(panel, x, y, width, height, defaults):
    unit = defaults.get("unit")
    found = list(series(panel))
    # What is 0 all the time is left out, unless all is.
    moving = [(name, points) for name, points in found if any(value for _, value in points)] or found
    top = max([value for _, points in moving for _, value in points], default=1) or 1
    left, right, high, low = x + 48, x + width - 8, y + 32, y + height - 42

    def across(at):
        return left + (right - left) * (at - now + SPAN) / SPAN

    for share in (0, 0.5, 1):
        level = low - (low - high) * share
        drawn.append(f'<path d="M{left} {level:.0f}H{right}" stroke="#2c3037"/>')
        text(left - 5, level + 4, written(top * share, unit), 10, "#9fa1a8", "end")
    for at in range(now - SPAN, now, SPAN // 3):
        text(across(at), low + 14, time.strftime("%H:%M", time.gmtime(at)), 10, "#9fa1a8", "middle")
    beside = x + 8
    for (name, points), colour in zip(moving, COLOURS):
        path = " ".join(f"{across(at):.1f},{low - (low - high) * value / top:.1f}" for at, value in points)
        drawn.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.4"/>')
        if beside + 5.8 * len(name) < x + width:
            text(beside, y + height - 9, name, 11, colour)
        beside += 5.8 * len(name) + 10


panels = json.loads((here.parents[1] / "chart/dashboards/shipshape.json").read_text())["panels"]
for panel in panels:
    at = panel["gridPos"]
    x, y, width, height = at["x"] * COLUMN + GAP / 2, at["y"] * ROW, at["w"] * COLUMN - GAP, at["h"] * ROW - GAP
    if panel["type"] == "row":
        text(GAP, y + 17, panel["title"], 14)
        continue
    drawn.append(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="3" fill="#181b1f" stroke="#2c3037"/>')
    text(x + 8, y + 18, panel["title"], 12)
    draw = {"stat": stat, "timeseries": timeseries}[panel["type"]]
    draw(panel, x, y, width, height, panel["fieldConfig"]["defaults"])
bottom = max(panel["gridPos"]["y"] + panel["gridPos"]["h"] for panel in panels) * ROW
size = f'viewBox="0 0 {24 * COLUMN} {bottom}" width="{24 * COLUMN}" height="{bottom}"'
(here / "dashboard.svg").write_text(
    f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="Inter, Helvetica, Arial, sans-serif">\n'
    '<rect width="100%" height="100%" fill="#111217"/>\n' + "\n".join(drawn) + "\n</svg>\n"
)
