"""Alerts, dashboard and runbooks name no metric, label or value but those of docs/reference/metrics.md."""

import json
import re

from common import CHART, ROOT, Report, load

FOREIGN = {
    "apiserver_admission_webhook_rejection_count",
    "apiserver_admission_webhook_fail_open_count",
}
TARGET_LABELS = {"namespace", "pod", "instance", "job", "le"}


def documented():
    """name → label → values; no values where the documentation does not list them."""
    metrics, prefix = {}, None
    for line in (ROOT / "docs/reference/metrics.md").read_text().splitlines():
        if found := re.search(r"Prefix `(\w+)`", line):
            prefix = found[1]
        elif line.startswith("| `") and prefix:
            cells = line.strip("| ").split(" | ")
            name, *suffixes = re.findall(r"`(\w+)`", cells[0])
            labels = {}
            for part in (cells[1] if len(cells) > 2 else "").split(";"):
                if words := re.findall(r"`([\w-]+)`", part):
                    labels[words[0]] = set(words[1:])
            for each in [prefix + name] + [prefix + name + s for s in suffixes]:
                metrics[each] = labels
    # "as of `other_total`": the values that the other has.
    for labels in metrics.values():
        for label, values in labels.items():
            for other in [value for value in values if value.endswith("_total")]:
                name = next(name for name in metrics if name.endswith("_" + other))
                values |= metrics[name][label]
    return metrics


def expressions():
    for group in load(CHART / "alerts/shipshape.yaml")["groups"]:
        for rule in group["rules"]:
            yield rule.get("alert") or rule["record"], rule["expr"]
    for panel in json.loads((CHART / "dashboards/shipshape.json").read_text())["panels"]:
        for target in panel.get("targets", []):
            yield f"dashboard, {panel['title']}", target["expr"]
    for page in sorted((ROOT / "docs/runbooks").glob("*.md")):
        for code in re.findall(r"`([^`\n]*shipshape_\w+[^`\n]*)`", page.read_text()):
            yield page.name, code


report = Report()
metrics = documented()
recorded = {
    r["record"]
    for g in load(CHART / "alerts/shipshape.yaml")["groups"]
    for r in g["rules"]
    if "record" in r
}
for where, expression in expressions():
    for name, matchers in re.findall(
        r"\b((?:shipshape|apiserver)[_:][\w:]*)(?:\{([^}]*)\})?", expression
    ):
        if name in recorded | FOREIGN:
            continue
        report.expect(name in metrics, f"{where}: docs/reference/metrics.md knows no {name}")
        for label, values in re.findall(r'(\w+)(?:=~?|!=|!~)"([^"]*)"', matchers):
            if name not in metrics or label in TARGET_LABELS:
                continue
            report.expect(label in metrics[name], f"{where}: {name} has no label {label}")
            for value in values.split("|"):
                known = metrics[name].get(label)
                report.expect(
                    not known or value in known, f"{where}: {name}: {label} is never {value}"
                )
report.end("metrics")
