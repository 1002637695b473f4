"""What the checks share."""

import pathlib
import sys

import yaml

CHART = pathlib.Path(__file__).resolve().parent.parent
ROOT = CHART.parent
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Report:
    """Collects what is wrong, and ends the program by it."""

    def __init__(self):
        self.wrong = []
        self.looked = 0

    def expect(self, good, message):
        self.looked += 1
        if not good:
            self.wrong.append(message)

    def end(self, what):
        for message in self.wrong:
            print(message, file=sys.stderr)
        if not self.looked:
            sys.exit(f"{what}: nothing was looked at")
        sys.exit(1 if self.wrong else 0)


def load(path):
    return yaml.load(pathlib.Path(path).read_text(), Loader=LOADER)


def documents(path):
    return [d for d in yaml.load_all(pathlib.Path(path).read_text(), Loader=LOADER) if d]


def kind_and_name(one):
    return f"{one['kind']} {one['metadata']['name']}"


def alerts():
    groups = load(CHART / "alerts/shipshape.yaml")["groups"]
    return [rule for group in groups for rule in group["rules"] if "alert" in rule]
