"""What Kubernetes' level "restricted" and OpenShift's "restricted-v2" ask of pods: security.py FOLDER."""

import sys
from pathlib import Path

from common import Report, documents, kind_and_name

VOLUMES = {"configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "persistentVolumeClaim", "projected", "secret"}


def templates(one: dict):
    """The specs of all pods that an object makes."""
    if one["kind"] == "Pod":
        yield one["spec"]
    elif "template" in (one.get("spec") or {}):
        yield one["spec"]["template"]["spec"]


def faults(pod: dict):
    """In words; the platform gives users and groups, so that none may be asked for."""
    context = pod.get("securityContext", {})
    for key in ("hostNetwork", "hostPID", "hostIPC"):
        if pod.get(key):
            yield key
    for volume in pod.get("volumes", []):
        if not VOLUMES & set(volume):
            yield f"volume {volume}"
    for container in pod.get("initContainers", []) + pod["containers"]:
        own = container.get("securityContext", {})
        both = context | own
        if not both.get("runAsNonRoot"):
            yield f"{container['name']}: may run as root"
        if both.get("seccompProfile", {}).get("type") != "RuntimeDefault":
            yield f"{container['name']}: no seccomp profile"
        if own.get("allowPrivilegeEscalation") is not False or own.get("privileged"):
            yield f"{container['name']}: may gain privileges"
        if own.get("capabilities") != {"drop": ["ALL"]}:
            yield f"{container['name']}: keeps capabilities"
        yield from (f"{container['name']}: {key} is fixed" for key in ("runAsUser", "runAsGroup", "fsGroup") if key in both)
        yield from (f"{container['name']}: a port of the host" for port in container.get("ports", []) if "hostPort" in port)


report = Report()
for file in sorted(Path(sys.argv[1]).glob("*.yaml")):
    # It has containers of its user's own.
    for one in documents(file) if file.name != "conventions-values.yaml" else []:
        for pod in templates(one):
            found = list(faults(pod))
            report.expect(not found, f"{file.name}: {kind_and_name(one)}: {'; '.join(found)}")
report.end("security")
