"""The ValidatingAdmissionPolicy that could be written instead, beside the webhook and neither: policy.py [--quick]

Ten NodeConfigs of 12 networks are updated 20 times a second. What an admission costs is the processor time of
API server and webhook for a write, beyond that with neither.
"""

import base64
import statistics
import sys
import threading
import time

from lab import GROUP, NODE_CONFIGS, Cluster, median, node_config, review, spec, table, wait, webhook

NETWORKS, NODES, RATE, FIRST_VARIANT = 12, 10, 20, 2000
ADMISSION = "/apis/admissionregistration.k8s.io/v1"
RULE = {"apiGroups": [GROUP], "apiVersions": ["v1alpha1"], "operations": ["CREATE", "UPDATE"], "resources": ["nodeconfigs"]}
ANY_ORDER = " && ".join(
    f"params.spec.{each}.size() == object.spec.{each}.size()"
    f" && params.spec.{each}.all(a, object.spec.{each}.exists(b, a == b))"
    f" && object.spec.{each}.all(b, params.spec.{each}.exists(a, a == b))"
    for each in ("layer2", "vrf", "routingTable")
)
POLICIES = {"plain": "params.spec == object.spec", "any-order": ANY_ORDER}
variants = iter(range(FIRST_VARIANT, 16_000))


def registered(kind: str, name: str, spec_or_webhooks: dict) -> dict:
    return {"apiVersion": "admissionregistration.k8s.io/v1", "kind": kind, "metadata": {"name": name}, **spec_or_webhooks}


def policy(name: str) -> dict:
    """The objects of a policy whose parameters are all NodeConfigs, by path. The cheap tests come first."""
    expression = (
        "!has(params.status) || !has(params.status.configStatus) || params.status.configStatus != 'invalid'"
        f" || params.metadata.name == object.metadata.name || !({POLICIES[name]})"
    )
    rules = {
        "failurePolicy": "Fail",
        "paramKind": {"apiVersion": f"{GROUP}/v1alpha1", "kind": "NodeConfig"},
        "matchConstraints": {"resourceRules": [RULE]},
        "validations": [{"expression": expression, "message": "known invalid"}],
    }
    bound = {"policyName": name, "validationActions": ["Deny"]}
    bound["paramRef"] = {"selector": {}, "parameterNotFoundAction": "Allow"}
    return {
        "validatingadmissionpolicies": registered("ValidatingAdmissionPolicy", name, {"spec": rules}),
        "validatingadmissionpolicybindings": registered("ValidatingAdmissionPolicyBinding", name, {"spec": bound}),
    }


def registration(server) -> dict:
    client = {"url": server.url, "caBundle": base64.b64encode(server.bundle.read_bytes()).decode()}
    entry = {"name": "validate.shipshape.dev", "admissionReviewVersions": ["v1"], "sideEffects": "None"}
    entry |= {"failurePolicy": "Fail", "rules": [RULE], "clientConfig": client}
    return {"validatingwebhookconfigurations": registered("ValidatingWebhookConfiguration", "bench", {"webhooks": [entry]})}


def paced(cluster, seconds: float) -> list:
    """Updates each node's configuration to one that was never seen, and gives what each write took (ms)."""
    took, end = [], time.monotonic() + seconds

    def node(number):
        connection, due = cluster.connect(), time.monotonic() + number / RATE
        while max(due, time.monotonic()) < end:
            time.sleep(max(0, due - time.monotonic()))
            begin, body = time.monotonic(), {"spec": spec(NETWORKS, next(variants))}
            path = f"{NODE_CONFIGS}/node-{number}"
            cluster.send("PATCH", path, body, "application/merge-patch+json", 200, connection)
            took.append((time.monotonic() - begin) * 1e3)
            due += NODES / RATE

    threads = [threading.Thread(target=node, args=(number,)) for number in range(NODES)]
    [each.start() for each in threads]
    [each.join() for each in threads]
    return took


def window(cluster, objects: dict, known: dict, server=None) -> dict:
    """Measures the writes while these objects are there, which refuse what is known invalid."""

    def allowed() -> bool:
        return cluster.send("POST", NODE_CONFIGS + "?dryRun=All", node_config("another", known))[0] == 201

    for path, each in objects.items():
        cluster.send("POST", f"{ADMISSION}/{path}", each, expected=201)
    wait(lambda: allowed() != bool(objects), "the known invalid one is refused")
    paced(cluster, size["warm"])
    used = -cluster.processor_seconds() - (server.processor_seconds() if server else 0)
    took = paced(cluster, size["seconds"])
    used += cluster.processor_seconds() + (server.processor_seconds() if server else 0)
    for path, each in reversed(objects.items()):
        cluster.send("DELETE", f"{ADMISSION}/{path}/{each['metadata']['name']}", expected=200)
    wait(allowed, "all is allowed again")
    return {"each": used / len(took) * 1e3, "p50": statistics.median(took), "rate": len(took) / size["seconds"]}


def measured(cluster, known: int) -> dict:
    same = spec(NETWORKS, known)
    reverse = {**same, "layer2": same["layer2"][::-1]}
    seen = {"nothing": window(cluster, {}, same)}
    seen["plain"] = window(cluster, policy("plain"), same)
    seen["any-order"] = window(cluster, policy("any-order"), reverse)
    with webhook(cluster) as server:
        allows = server.caller()
        for _ in range(size["reviews"]):
            allows(review("warm", "CREATE", spec(NETWORKS, 0)))
        seen["webhook"] = window(cluster, registration(server), reverse, server)
    for each in ("plain", "any-order", "webhook"):
        seen[each]["more"] = seen[each]["each"] - seen["nothing"]["each"]
    return seen


def main():
    rows, last = [], 0
    with Cluster() as cluster:
        for node in range(NODES):
            body = node_config(f"node-{node}", spec(NETWORKS, next(variants)))
            cluster.send("POST", NODE_CONFIGS, body, expected=201)
        for known in (10, 100, 1000):
            cluster.learn(NETWORKS, range(last + 1, known + 1))
            last = known
            rounds = [measured(cluster, known) for _ in range(size["rounds"])]
            for each in ("plain", "any-order", "webhook"):
                rows += [
                    (f"{known} known invalid, {each}: more, a write", median(rounds, lambda r: r[each]["more"]), "ms", None),
                    ("  / the webhook's", median(rounds, lambda r: r[each]["more"] / r["webhook"]["more"]), "x", None),
                    ("  p50 of a write", median(rounds, lambda r: r[each]["p50"]), "ms", None),
                    ("  writes", median(rounds, lambda r: r[each]["rate"]), "1/s", None),
                ]
    table(rows)


size = {"warm": 3, "seconds": 10, "reviews": 10_000, "rounds": 3}
if "--quick" in sys.argv:
    size = {"warm": 1, "seconds": 5, "reviews": 1000, "rounds": 1}
main()
