"""The YAML blocks of the documentation: each parses, and values render. Usage: pages.py HELM"""

import re
import subprocess
import sys
import tempfile

import yaml

from common import CHART, LOADER, ROOT, Report, load

helm = sys.argv[1]
report = Report()
known = set(load(CHART / "values.yaml"))


def render(place, values):
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        # A word in capitals stands for a name of the reader's.
        file.write(re.sub(r"\b[A-Z]{2,}\b", lambda word: word[0].lower(), values))
        file.flush()
        command = [helm, "template", "shipshape", str(CHART), "--values", file.name]
        ended = subprocess.run(command, capture_output=True, text=True)
        report.expect(ended.returncode == 0, f"{place}: {ended.stderr.strip()}")


for page in [*ROOT.glob("docs/**/*.md"), ROOT / "README.md"]:
    text = page.read_text()
    for match in re.finditer(r"^```yaml\n(.*?)^```", text, re.M | re.S):
        block = match[1]
        place = f"{page.relative_to(ROOT)}:{text.count(chr(10), 0, match.start()) + 1}"
        try:
            read = [each for each in yaml.load_all(block, Loader=LOADER) if isinstance(each, dict)]
        except yaml.YAMLError as wrong:
            report.expect(False, f"{place}: {wrong}")
            continue
        for one in read:
            # Settings have an apiVersion too; a test of the plugin reads them.
            if "apiVersion" not in one and not known.isdisjoint(one):
                render(place, yaml.safe_dump(one))
            elif "kind" in one:
                report.expect("apiVersion" in one, f"{place}: {one['kind']} has no apiVersion")
report.end("pages")
