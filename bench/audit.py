"""The timeline of audit logs, as it ships, beside DuckDB and jq: audit.py SHIPSHAPE [--size BYTES] [--quick]

Whole processes, in turn, round for round. Logs as API servers write them, the same each time, in four files:
reads and watches without bodies, Leases, the status of pods, settings full of escapes; one line in a hundred
comes late. Fails if the others print other requests.
"""

import argparse
import itertools
import json
import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

from lab import TARGET, median, program, table

OBJECT = ["pods", "ns-17", "pod-17"]
CHANGES = ["create", "update", "patch", "delete", "deletecollection"]
USERS = ["system:node:worker-1", "system:kube-scheduler", "kubernetes-admin"]
USERS += [f"system:serviceaccount:kube-system:{name}-controller" for name in ("deployment", "replicaset")]
JQ_SCRIPT = """[.requestReceivedTimestamp, .user.username, .verb, .responseStatus.code, .objectRef.resource,
  .objectRef.namespace, .objectRef.name, .objectRef.subresource, .stageTimestamp, .auditID] | @csv"""
DUCKDB_SCRIPT = """
import duckdb, sys
columns = '''{auditID: 'VARCHAR', verb: 'VARCHAR', "user": 'STRUCT(username VARCHAR)',
  objectRef: 'STRUCT(resource VARCHAR, namespace VARCHAR, name VARCHAR, subresource VARCHAR)',
  responseStatus: 'STRUCT(code INT)', requestReceivedTimestamp: 'VARCHAR', stageTimestamp: 'VARCHAR'}'''
connection = duckdb.connect()
connection.execute("set preserve_insertion_order = false")
connection.execute(f'''copy (select requestReceivedTimestamp, "user".username, verb, responseStatus.code,
    objectRef.resource, objectRef.namespace, objectRef.name, objectRef.subresource, stageTimestamp, filename, auditID
  from read_json('{sys.argv[1]}', columns = {columns}, format = 'newline_delimited', filename = true,
    maximum_object_size = 33554432) where {sys.argv[2]} order by requestReceivedTimestamp)
  to '{sys.argv[3]}' (header)''')
"""


def uid(of: int) -> str:
    return f"{of * 2654435761 & 0xFFFFFFFF:08x}-4e1c-4f0a-9b1d-{of & 0xFFFFFFFF:012x}"


def metadata(name: str, namespace: str, of: int, number: int, now: str) -> dict:
    fields = {"f:metadata": {"f:labels": {".": {}, "f:app": {}}}, "f:status": {"f:conditions": {}, "f:podIP": {}}}
    manager = {"manager": "kubelet", "operation": "Update", "apiVersion": "v1", "time": now, "fieldsV1": fields}
    return {"name": name, "namespace": namespace, "uid": uid(of), "resourceVersion": str(1000 + number),
            "creationTimestamp": "2026-10-01T10:11:12Z", "labels": {"app": "web"}, "managedFields": [manager] * 2}


def events():
    """Audit events without end."""
    chance, micros = random.Random(7), 1_793_491_200_000_000
    for number in itertools.count(1):
        micros += 200 + chance.randrange(2500)
        whole, rest = divmod(micros, 1_000_000)
        now = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(whole)) + f".{rest:06d}Z"
        kind, pod, bodies, user, code = chance.randrange(100), chance.randrange(3000), None, chance.choice(USERS), 200
        namespace, name = f"ns-{pod % 50}", f"pod-{pod}"
        reference = {"resource": "pods", "namespace": namespace, "name": name, "apiVersion": "v1"}
        verb, uri = "get", f"/api/v1/namespaces/{namespace}/pods/{name}"
        if 35 <= kind < 50:
            verb, uri = "watch", f"/apis/apps/v1/deployments?allowWatchBookmarks=true&resourceVersion={number}"
            reference = {"resource": "deployments", "apiGroup": "apps", "apiVersion": "v1"}
        elif 50 <= kind < 65:
            node = f"worker-{chance.randrange(300)}"
            verb, uri = "update", f"/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/{node}"
            reference = {"resource": "leases", "namespace": "kube-node-lease", "name": node, "apiVersion": "v1"}
            lease = {"kind": "Lease", "metadata": metadata(node, "kube-node-lease", pod, number, now)}
            bodies = [lease | {"spec": {"holderIdentity": node, "renewTime": now}}] * 2
        elif 65 <= kind < 90:
            verb, uri, code = "patch", uri + "/status", 409 if chance.randrange(40) == 0 else 200
            reference |= {"uid": uid(pod), "subresource": "status"}
            conditions = [{"type": each, "status": "True", "lastTransitionTime": now} for each in ("Ready", "Initialized")]
            container = {"name": "web", "image": "registry.local/team/app:v1.2.3", "args": ["--listen=:8080"],
                         "env": [{"name": f"OPTION_{each}", "value": "-Xmx256m"} for each in range(12)]}
            whole_pod = {"kind": "Pod", "metadata": metadata(name, namespace, pod, number, now),
                         "spec": {"containers": [container] * 2}, "status": {"conditions": conditions}}
            bodies = [{"status": {"conditions": conditions[:1]}}, whole_pod]
        elif kind >= 90:
            name = f"settings-{pod % 200}"
            verb, uri = "update", f"/api/v1/namespaces/{namespace}/configmaps/{name}"
            reference = {"resource": "configmaps", "namespace": namespace, "name": name, "apiVersion": "v1"}
            text = 'key: "value"\nlist:\n- a\n- b\n' * (40 + chance.randrange(120))
            settings = {"kind": "ConfigMap", "metadata": metadata(name, namespace, pod, number, now)}
            bodies = [settings | {"data": {"app.yaml": text}}] * 2
        event = {"kind": "Event", "apiVersion": "audit.k8s.io/v1", "level": "RequestResponse" if bodies else "Metadata",
                 "auditID": uid(number), "stage": "ResponseComplete", "requestURI": uri, "verb": verb,
                 "user": {"username": user, "groups": ["system:serviceaccounts", "system:authenticated"]},
                 "sourceIPs": [f"10.1.2.{number % 250}"], "userAgent": "kube-controller-manager/v1.36.3 (linux/amd64)",
                 "objectRef": reference, "responseStatus": {"metadata": {}, "code": code}}
        if bodies:
            event |= {"requestObject": bodies[0], "responseObject": bodies[1]}
        event |= {"requestReceivedTimestamp": now, "stageTimestamp": now,
                  "annotations": {"authorization.k8s.io/decision": "allow", "authorization.k8s.io/reason": "RBAC: allowed"}}
        yield json.dumps(event, separators=(",", ":")) + "\n"


def write(size: int):
    """Writes the four files, SIZE bytes in all."""
    shutil.rmtree(logs, ignore_errors=True)
    logs.mkdir(parents=True)
    chance, late, written = random.Random(8), [], 0
    files = [open(logs / f"audit-{each}.log", "w", buffering=1 << 20) for each in range(4)]
    for number, line in enumerate(events()):
        written += len(line)
        if number % 100 == 0:
            late.append(line)
        if number % 100 or len(late) > 50:
            chance.choice(files).write(line if number % 100 else late.pop(0))
        if written > size:
            break
    [chance.choice(files).write(line) for line in late]
    [each.close() for each in files]


def timed(command: list, out: Path) -> dict:
    """Seconds and, of the largest process, MiB."""
    with open(out, "wb") as file:
        begin = time.monotonic()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=file)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"bench: {command} ended with {process.returncode}")
    return {"seconds": time.monotonic() - begin, "memory": usage.ru_maxrss / 1024}


def shipshape(query: str, of: Path) -> dict:
    which = ["--object", "/".join(OBJECT)] if query == "one object" else ["--mutations"]
    return timed([arguments.shipshape, "audit", "timeline", "-o", "csv", of, *which], folder / "shipshape.csv")


def duckdb(query: str) -> dict:
    of = " and ".join(f"objectRef.{key} = '{value}'" for key, value in zip(("resource", "namespace", "name"), OBJECT))
    condition = of if query == "one object" else f"verb in {tuple(CHANGES)}"
    command = [TARGET / "duckdb/bin/python", "-c", DUCKDB_SCRIPT, f"{logs}/*.log", condition, folder / "duckdb.csv"]
    return timed(command, folder / "duckdb.out")


def jq(query: str, of: Path) -> dict:
    condition = f".verb | IN({json.dumps(CHANGES)[1:-1]})"
    if query == "one object":
        condition = ".objectRef | [.resource, .namespace, .name] == " + json.dumps(OBJECT)
    script = f"jq -c '[.requestReceivedTimestamp, .]' '{of}' | LC_ALL=C sort | jq -r '.[1] | select({condition}) | {JQ_SCRIPT}'"
    return timed(["sh", "-c", script], folder / "jq.csv")


def same(query: str, other: str):
    """A program that is faster because it leaves out lines is no peer."""
    ours, theirs = (
        sorted(line.rsplit(",", 1)[1].strip('"') for line in (folder / f"{name}.csv").read_text().splitlines())
        for name in ("shipshape", other)
    )
    if [each for each in ours if each != "auditID"] != [each for each in theirs if each != "auditID"] or len(ours) < 2:
        sys.exit(f"bench: {query}: {len(ours)} lines, {len(theirs)} by {other}, or others: see {folder}")


def compare(query: str, part: Path) -> list:
    shipshape(query, logs), duckdb(query)
    rounds = [{"ours": shipshape(query, logs), "duckdb": duckdb(query), "jq": jq(query, part)} for _ in range(size["rounds"])]
    same(query, "duckdb")
    shipshape(query, part)
    same(query, "jq")
    scale = sum(each.stat().st_size for each in logs.iterdir()) / part.stat().st_size
    target = {"one object": (">= 0.95", ">= 90"), "mutations": (">= 0.65", None)}[query]
    return [
        (f"{query}, speed / DuckDB's", median(rounds, lambda r: r["duckdb"]["seconds"] / r["ours"]["seconds"]), "x", target[0]),
        (f"{query}, speed / jq's", median(rounds, lambda r: r["jq"]["seconds"] * scale / r["ours"]["seconds"]), "x", target[1]),
        ("  shipshape", median(rounds, lambda r: r["ours"]["seconds"]), "s", None),
        ("  DuckDB", median(rounds, lambda r: r["duckdb"]["seconds"]), "s", None),
        (f"{query}, memory", max(each["ours"]["memory"] for each in rounds), "MiB", "<= 256"),
        ("  DuckDB", median(rounds, lambda r: r["duckdb"]["memory"]), "MiB", None),
    ]


def large(query: str) -> list:
    ours, theirs = shipshape(query, logs), duckdb(query)
    same(query, "duckdb")
    return [
        (f"{query}, {arguments.size / 1e8:.3g} GB, memory", ours["memory"], "MiB", "<= 256"),
        ("  DuckDB", theirs["memory"], "MiB", None),
        ("  shipshape, from disk", ours["seconds"], "s", None),
        ("  DuckDB, after it", theirs["seconds"], "s", None),
    ]


def main():
    needed = arguments.size * (1.2 if arguments.quick else 12)
    free = shutil.disk_usage(folder).free
    if free < needed:
        sys.exit(f"bench: {folder} has {free} bytes left and the logs need {needed:.0f}: use --quick or --size")
    part, rows = folder / "part.log", []
    try:
        write(arguments.size)
        with open(logs / "audit-0.log") as whole, open(part, "w") as file:
            while file.tell() < size["jq"] and (line := whole.readline()):
                file.write(line)
        rows = [row for query in ("one object", "mutations") for row in compare(query, part)]
        if not arguments.quick:
            write(10 * arguments.size)
            rows += [row for query in ("one object", "mutations") for row in large(query)]
    finally:
        shutil.rmtree(logs, ignore_errors=True)
    table(rows)


parser = argparse.ArgumentParser()
parser.add_argument("shipshape")
parser.add_argument("--size", type=int, default=1_000_000_000)
parser.add_argument("--quick", action="store_true")
arguments = parser.parse_args()
size = {"rounds": 3, "jq": 50_000_000} if arguments.quick else {"rounds": 5, "jq": 100_000_000}
program("jq")
folder = TARGET / "audit"
folder.mkdir(parents=True, exist_ok=True)
logs = folder / "logs"
main()
