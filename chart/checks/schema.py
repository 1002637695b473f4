"""values.schema.json knows every value, refuses every other, and refuses what is wrong in it.

schema.py HELM: the refusals are Helm's own.
"""

import subprocess
import sys

from common import CHART, Report, load

# Open on purpose: a parent chart's values, and what shipshape or Kubernetes checks itself.
OPEN = {
    "global",
    "topologySpreadConstraints[]",
    "extraVolumes[]",
    "hostAliases[]",
    "*.initContainers[]",
    "*.extraContainers[]",
    "*.envFrom[]",
    "*.relabelings[]",
    "*.metricRelabelings[]",
    "*.rollingUpdate",
    "*.topologySpreadConstraints[]",
    "networkPolicy.extraEgress[]",
    "networkPolicy.management.from[]",
    "networkPolicy.webhook.from[]",
    "*.settings",
    "*.valueFrom",
    "affinity.*",
    "webhook.affinity.*",
    "janitor.affinity.*",
    "*.claims[]",
    "*.seccompProfile",
    "*.seLinuxOptions",
    "*.appArmorProfile",
    "*.sysctls[]",
}

# What to set, and what Helm must name in its refusal.
WRONG = [
    ("gaurd.armed=true", "gaurd"),
    ("global.imageRegistery=x", "imageRegistery"),
    ("webhook.strategy.kind=Recreate", "webhook/strategy"),
    ("webhook.envFrom=x", "webhook/envFrom"),
    ("janitor.initContainers[0].name=x", "janitor/initContainers/0"),
    ("monitoring.podMonitor.scrapeTimeout=10", "monitoring/podMonitor/scrapeTimeout"),
    ("service.ipFamilyPolicy=Dual", "service/ipFamilyPolicy"),
    ("podDisruptionBudget.minAvailable=x", "podDisruptionBudget/minAvailable"),
    ("dnsConfig.nameserver=x", "dnsConfig"),
    ("logging.format=xml", "logging/format"),
    ("logging.level=loud", "logging/level"),
    ("guard.dryRunWarnings=flux", "guard/dryRunWarnings"),
    ("guard.arm=true", "arm"),
    ("guard.armed=yes", "guard/armed"),
    ("enabled=perhaps", "enabled"),
    ("uninstallHook.enabled=perhaps", "uninstallHook/enabled"),
    ("guard.configurationAnnotations=x", "guard/configurationAnnotations"),
    ("guard.oneNode=perhaps", "guard/oneNode"),
    ("guard.custom.widgets.armed=yes", "guard/custom/widgets/armed"),
    ("guard.presets={nodeconfigs}", "guard/presets/0"),
    ("guard.presets={nodeconfig,nodeconfig}", "guard/presets"),
    ("guard.timeoutSeconds=11", "guard/timeoutSeconds"),
    ("guard.staleness.refuse=300", "guard/staleness/refuse"),
    ("guard.scope=namespace", "guard/scope"),
    ("guard.acknowledgedGroups={Cilium}", "guard/acknowledgedGroups/0"),
    ("guard.rolloutServiceAccount=operator", "guard/rolloutServiceAccount"),
    ("networkPolicy.webhook.from=10.0.0.1/32", "networkPolicy/webhook/from"),
    ("webhook.ports.https=443", "webhook/ports/https"),
    ("webhook.dnsPolicy=None", "webhook/dnsPolicy"),
    ("webhook.hostNetwork=maybe", "webhook/hostNetwork"),
    ("janitor.tolerations[0].keys=x", "janitor/tolerations/0"),
    ("guard.recordWriters=operator", "guard/recordWriters"),
    ("guard.matchConditions[0].name=no-override", "guard/matchConditions/0/name"),
    ("guard.matchConditions[0].name=no-recovery-user", "guard/matchConditions/0/name"),
    ("guard.knownInvalid.keep=30", "guard/knownInvalid/keep"),
    ("image.digest=sha256:abc", "image/digest"),
    ("image.repository=Shipshape", "image/repository"),
    ("image.repository=shipshape:1.0", "image/repository"),
    ("image.tag=a b", "image/tag"),
    ("image.pullPolicy=Sometimes", "image/pullPolicy"),
    ("replicaCount=0", "replicaCount"),
    ("replicaCount=two", "replicaCount"),
    ("webhook.extraArgs=--verbose", "webhook/extraArgs"),
    ("janitor.extraArgs[0]=7", "janitor/extraArgs/0"),
    ("certificates.source=files", "certificates/source"),
    ("pruning.olderThan=7", "pruning/olderThan"),
    ("pruning.olderThanFailed=7", "pruning/olderThanFailed"),
    ("pruning.schedule=* * * * *", "pruning/schedule"),
    ("pruning.maxPerRun=0", "pruning/maxPerRun"),
    ("pruning.maxPerRun=20001", "pruning/maxPerRun"),
    ("pruning.armed=1", "pruning/armed"),
    ("pruning.blackout[0].from=22:00", "pruning/blackout/0"),
    ("pruning.blackout[0].to=24:30", "pruning/blackout/0/to"),
    ("restarts.perHour=0", "restarts/perHour"),
    ("sessions.namespace=Services", "sessions/namespace"),
    ("sessions.source=rest", "sessions/source"),
    ("sessions.rest.address=cray-cfs-api", "sessions/rest/address"),
    ("sessions.rest.insecureToken=perhaps", "sessions/rest/insecureToken"),
    ("operators[0].failureThreshold=1", "operators/0/failureThreshold"),
    ("operators[0].workload.kind=Job", "operators/0/workload/kind"),
    ("operators[0].name=A_b", "operators/0/name"),
    ("signatures[0].remedy=pray", "signatures/0/remedy"),
    ("signatures[0].plain=xml", "signatures/0/plain"),
    ("restarts.checkEvery=121s", "restarts/checkEvery"),
    ("restarts.checkEvery=999ms", "restarts/checkEvery"),
    ("restarts.checkEvery=1h", "restarts/checkEvery"),
    ("janitor.separate=maybe", "janitor/separate"),
    ("monitoring.podMonitor.enabled=maybe", "monitoring/podMonitor/enabled"),
    ("monitoring.podMonitor.interval=30s1m", "monitoring/podMonitor/interval"),
    ("monitoring.rules.runbookBase=docs", "monitoring/rules/runbookBase"),
    ("podDisruptionBudget.maxUnavailable=0", "podDisruptionBudget/maxUnavailable"),
    ("guard.timeoutSeconds=null", "timeoutSeconds"),
    ("networkPolicy.apiServer.ports={https}", "networkPolicy/apiServer/ports/0"),
    ("networkPolicy.apiServer.cidrs={10.0.0.1}", "networkPolicy/apiServer/cidrs/0"),
    ("preStopSleepSeconds=0", "preStopSleepSeconds"),
    ("uninstallHook.activeDeadlineSeconds=1", "uninstallHook/activeDeadlineSeconds"),
    ("securityContext.privileged=true", "privileged"),
    ("guard.stamp[0].plural=pods", "guard/stamp/0"),
    ("guard.custom.Widgets.armed=true", "guard/custom"),
    ("guard.custom.widgets.invalidWhen.equal=invalid", "guard/custom/widgets/invalidWhen"),
    ("guard.custom.widgets.acrossNamespaces=maybe", "guard/custom/widgets/acrossNamespaces"),
    ("guard.custom.widgets.identity.sort=[]", "guard/custom/widgets/identity"),
]

# The chart's own labels are nobody else's to set.
WRONG += [
    (rf"{labels}.{own}=x", labels.replace(".", "/"))
    for labels in (
        "commonLabels",
        "podLabels",
        "webhook.podLabels",
        "monitoring.podMonitor.labels",
        "monitoring.serviceMonitor.labels",
        "monitoring.rules.labels",
        "monitoring.dashboard.labels",
    )
    for own in (r"app\.kubernetes\.io/component", r"helm\.sh/chart", r"shipshape\.dev/release")
] + [
    (rf"commonLabels.app\.kubernetes\.io/{own}=x", "commonLabels")
    for own in ("name", "instance", "part-of", "managed-by", "version")
]

schema = load(CHART / "values.schema.json")
report = Report()


def resolve(node):
    while "$ref" in node:
        node = schema["definitions"][node["$ref"].rsplit("/", 1)[1]]
    return node


def is_open(path):
    tail = path.rsplit(".", 1)[-1]
    return path in OPEN or f"*.{tail}" in OPEN or (f"{path.rsplit('.', 1)[0]}.*" in OPEN)


def closed(node, path, within=()):
    # A condition may hold another one.
    reference = node.get("$ref")
    if reference in within:
        return
    within = (*within, reference) if reference else within
    node = resolve(node)
    if node.get("type") == "object":
        extra = node.get("additionalProperties")
        report.expect(
            extra is not None or is_open(path), f"values.schema.json: {path} takes any field"
        )
        if isinstance(extra, dict):
            closed(extra, path + ".NAME", within)
        for name, inner in node.get("properties", {}).items():
            closed(inner, f"{path}.{name}".lstrip("."), within)
    elif node.get("type") == "array" and "items" in node:
        closed(node["items"], path + "[]", within)


def known(values, node, path):
    node = resolve(node)
    if not isinstance(values, dict) or "properties" not in node:
        return
    for name, value in values.items():
        here = f"{path}.{name}".lstrip(".")
        report.expect(name in node["properties"], f"values.schema.json: does not know {here}")
        if name in node["properties"]:
            known(value, node["properties"][name], here)
    if path.count(".") < 1:
        for name in node["properties"]:
            optional = isinstance(resolve(node["properties"][name]), dict) and not values
            report.expect(
                name in values or optional or is_value_free(path),
                f"values.yaml: does not have {path}.{name}",
            )


def is_value_free(path):
    """Parts of Kubernetes' own types, of which values.yaml has only those that it sets."""
    return (
        path in {"global", "podSecurityContext", "securityContext", "hookResources", "affinity"}
        or "esources" in path
    )


def refused(helm):
    for setting, named in WRONG:
        how = "--set-string" if setting.startswith("image.tag") else "--set"
        ran = subprocess.run(
            [helm, "template", "shipshape", str(CHART), how, setting],
            capture_output=True,
            text=True,
            check=False,
        )
        said = ran.stderr.replace(".", "/")
        report.expect(ran.returncode != 0, f"{setting}: is not refused")
        report.expect(
            ran.returncode == 0 or named in said,
            f"{setting}: refused, but without naming {named}: {ran.stderr}",
        )


def blank(helm, values, path=()):
    """A list or map without a value is empty, or refused by name; no template stumbles over it."""
    for name, value in values.items():
        here = (*path, name)
        if not isinstance(value, (dict, list)):
            continue
        ran = subprocess.run(
            [helm, "template", "shipshape", str(CHART), *ALL, "--set", f"{'.'.join(here)}=null"],
            capture_output=True,
            text=True,
            check=False,
        )
        named = name in ran.stderr and ("missing prop" in ran.stderr or "execution" in ran.stderr)
        report.expect(ran.returncode == 0 or named, f"{'.'.join(here)} is blank: {ran.stderr}")
        if isinstance(value, dict):
            blank(helm, value, here)


# As much as can be rendered at a time.
ALL = ["--set", "janitor.separate=true,networkPolicy.enabled=true,uninstallHook.enabled=true"]
ALL += ["--set", "monitoring.serviceMonitor.enabled=true,monitoring.rules.enabled=true"]
ALL += ["--set", "monitoring.dashboard.enabled=true,certificates.source=cert-manager"]

closed(schema, "")
known(load(CHART / "values.yaml"), schema, "")
refused(sys.argv[1])
blank(sys.argv[1], load(CHART / "values.yaml"))
report.end("schema")
