"""Pods are replaced when their own settings change, and not when another's do: rollout.py HELM."""

import subprocess
import sys

import yaml
from common import CHART, LOADER, Report

report = Report()
helm = sys.argv[1]
CHECKSUM = "checksum/settings"


def checksums(*settings):
    """Of each Deployment, by its name."""
    command = [
        helm,
        "template",
        "shipshape",
        str(CHART),
        "--set",
        ",".join(("replicaCount=2",) + settings),
    ]
    rendered = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return {
        one["metadata"]["name"]: one["spec"]["template"]["metadata"]["annotations"][CHECKSUM]
        for one in yaml.load_all(rendered, Loader=LOADER)
        if one and one["kind"] == "Deployment"
    }


def changed(before, *settings):
    after = checksums(*settings)
    return {name for name in before if before[name] != after[name]}


def expect(what, found, wanted):
    report.expect(
        found == wanted, f"{what}: replaces the pods of {sorted(found)}, not of {sorted(wanted)}"
    )


beside, apart = checksums(), checksums("janitor.separate=true")
expect("nothing changed", changed(beside), set())
expect("the guard's settings", changed(beside, "guard.scope=node"), {"shipshape"})
expect("the janitor's settings, beside", changed(beside, "restarts.perDay=7"), {"shipshape"})
expect(
    "the janitor's settings, apart",
    changed(apart, "janitor.separate=true", "restarts.perDay=7"),
    {"shipshape-janitor"},
)
expect(
    "the guard's settings, apart",
    changed(apart, "janitor.separate=true", "guard.scope=node"),
    {"shipshape"},
)
expect("no settings", changed(beside, "podLabels.x=y", "monitoring.dashboard.enabled=true"), set())
report.end("rollout")
