"""Every alert says what it must, leads to a runbook, and is tested for and against."""

import re

from common import CHART, ROOT, Report, alerts, load

report = Report()
runbooks = ROOT / "docs/runbooks"
tests = [t for file in (CHART / "alerts/tests").glob("*_test.yaml") for t in load(file)["tests"]]
base = load(CHART / "values.yaml")["monitoring"]["rules"]["runbookBase"]
led_to = set()
for alert in alerts():
    name = alert["alert"]
    for annotation in ("summary", "description", "runbook_url"):
        report.expect(alert["annotations"].get(annotation), f"{name}: no {annotation}")
    severity = alert.get("labels", {}).get("severity", "")
    # The expression gives it where it depends on what is armed.
    given = re.search(r'group_left \(severity\)|"severity", "critical"', alert["expr"])
    report.expect(severity in ("info", "warning", "critical") or given, f"{name}: no severity")
    url = alert["annotations"]["runbook_url"]
    report.expect(
        url.startswith(base + "/"),
        f"{name}: {url} does not begin with the value runbookBase, {base}",
    )
    page = runbooks / url.rsplit("/", 1)[1]
    led_to.add(page.name)
    report.expect(
        page.is_file() and name in page.read_text(), f"{name}: {page} is no page about it"
    )
    # An alert that multiplies by a recorded severity cannot fire without the series of that.
    by_armed = "group_left (severity)" in alert["expr"]
    severity_series = r"_(armed|ready|index_synced|index_staleness_seconds)\{"
    for title, outcome in (("for", True), ("against", False)):
        found = [
            t
            for t in tests
            for e in t["promql_expr_test"]
            if re.search(rf'alertname="{name}"', e["expr"]) and bool(e["exp_samples"]) == outcome
            if not by_armed or any(re.search(severity_series, s["series"]) for s in t["input_series"])
        ]
        report.expect(found, f"{name}: no case {title} it in alerts/tests")
for page in runbooks.glob("*.md"):
    report.expect(page.name in led_to | {"README.md"}, f"{page}: no alert leads to it")
    for link in re.findall(r"\]\(([^):]+\.md)\)", page.read_text()):
        report.expect((runbooks / link).is_file(), f"{page}: no page {link}")
    for line in page.read_text().splitlines():
        report.expect(
            not re.search(r"helm upgrade .*--set[ =-]", line) or "--reset-then-reuse-values" in line,
            f"{page}: Helm drops all values that were said before: {line}",
        )
report.end("alerts")
