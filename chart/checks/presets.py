"""The chart's table of presets says what their files say, and its version is the POM's."""

import re

import yaml
from common import CHART, ROOT, Report, load

report = Report()
helper = (CHART / "templates/_guards.tpl").read_text()
table = re.search(r'define "shipshape.presets" -}}\n(.*?)\n{{- end', helper, re.S)[1]
chart = yaml.safe_load(table)
files = {
    f.stem: load(f)
    for f in (ROOT / "webhook/src/main/resources/dev/shipshape/webhook/presets").glob("*.yaml")
}
report.expect(
    set(chart) == set(files),
    f"presets: the chart knows {sorted(chart)}, the webhook {sorted(files)}",
)
for name, file in files.items():
    theirs = [
        {"guard": g["name"]}
        | {k: g["resource"][k] for k in ("group", "version", "plural")}
        | ({"stampOnly": True} if g.get("stampOnly") else {})
        | ({"namespaced": True} if g["resource"].get("namespaced") else {})
        for g in file["guards"]
    ]
    report.expect(
        chart.get(name) == theirs,
        f"preset {name}: the chart says {chart.get(name)}, its file {theirs}",
    )

schema = load(CHART / "values.schema.json")
enum = schema["properties"]["guard"]["properties"]["presets"]["items"]["enum"]
report.expect(set(enum) == set(files), f"values.schema.json: guard.presets knows {enum}")

about = load(CHART / "Chart.yaml")
pom = re.search(r"<version>([^<]+)</version>", (ROOT / "pom.xml").read_text())[1].removesuffix(
    "-SNAPSHOT"
)
for field in ("version", "appVersion"):
    report.expect(about[field] == pom, f"Chart.yaml: {field} is {about[field]}, the POM's is {pom}")
images = about["annotations"]["artifacthub.io/images"]
report.expect(
    f"shipshape:{pom}" in images, f"Chart.yaml: artifacthub.io/images does not name version {pom}"
)
for annotation in (
    "category",
    "changes",
    "crds",
    "crdsExamples",
    "images",
    "license",
    "links",
    "prerelease",
):
    report.expect(
        f"artifacthub.io/{annotation}" in about["annotations"],
        f"Chart.yaml: no artifacthub.io/{annotation}",
    )
for text in ("changes", "crds", "crdsExamples", "images", "links"):
    entries = yaml.safe_load(about["annotations"][f"artifacthub.io/{text}"])
    report.expect(
        isinstance(entries, list) and entries, f"Chart.yaml: artifacthub.io/{text} is no list"
    )
definition = load(CHART / "files" / "knowninvalidconfigurations.yaml")
names = {(definition["spec"]["names"]["kind"], v["name"]) for v in definition["spec"]["versions"]}
told = yaml.safe_load(about["annotations"]["artifacthub.io/crds"])
shown = yaml.safe_load(about["annotations"]["artifacthub.io/crdsExamples"])
report.expect(
    {(each["kind"], each["version"]) for each in told} == names
    and {(each["kind"], each["apiVersion"].split("/")[1]) for each in shown} == names,
    f"Chart.yaml: artifacthub.io/crds and crdsExamples must be of {names}",
)
report.end("presets")
