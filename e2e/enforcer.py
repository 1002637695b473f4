"""Enforces NetworkPolicies on this node, by iptables: enforcer.py CHAIN

What the shared cluster's network plugin does not do, as the API's reference has it (networking.k8s.io/v1):
a pod that a policy selects takes, or makes, only the connections that some policy allows; calls from the
node itself pass. What the chart does not use ends it with a word. Asks kubectl every two seconds, until it is ended.
"""

import ipaddress
import json
import signal
import subprocess
import sys
import time

chain = sys.argv[1]
hooks = ("FORWARD", "INPUT")


def listed(kind):
    return json.loads(subprocess.check_output(["kubectl", "get", kind, "-A", "-o", "json"]))["items"]


def selects(selector, labels):
    def holds(expression):
        there = expression["key"] in labels
        among = labels.get(expression["key"]) in expression.get("values", [])
        return {"In": among, "NotIn": not among, "Exists": there, "DoesNotExist": not there}[expression["operator"]]

    wanted = selector.get("matchLabels", {})
    return all(labels.get(key) == value for key, value in wanted.items()) and all(
        map(holds, selector.get("matchExpressions", []))
    )


def labels(thing):
    return thing["metadata"].get("labels", {})


def peers(rule, namespace, pods, spaces):
    """The addresses that a rule names."""
    if not rule:
        return ["0.0.0.0/0"]
    found = []
    for peer in rule:
        block = peer.get("ipBlock")
        if block:
            if "except" in block:
                sys.exit("ipBlock with except: not known here")
            if ipaddress.ip_network(block["cidr"]).version == 4:
                found.append(block["cidr"])
            continue
        for pod in pods:
            space = pod["metadata"]["namespace"]
            if "namespaceSelector" in peer:
                near = selects(peer["namespaceSelector"], spaces[space])
            else:
                near = space == namespace
            if near and selects(peer.get("podSelector", {}), labels(pod)):
                found.append(pod["status"]["podIP"])
    return found


def numbers(port, called):
    """The ports that a rule names, as iptables writes them."""
    if isinstance(port["port"], int):
        return [str(port["port"]) + (":%d" % port["endPort"] if "endPort" in port else "")]
    if not called:
        sys.exit("a port of others by its name: not known here")
    return [
        str(each["containerPort"])
        for container in called["spec"]["containers"] + called["spec"].get("initContainers", [])
        for each in container.get("ports", [])
        if each.get("name") == port["port"] and each.get("protocol", "TCP") == port.get("protocol", "TCP")
    ]


def ports_of(rule, called):
    if "ports" not in rule:
        return [""]
    return [
        "-p %s --dport %s" % (port.get("protocol", "TCP").lower(), number)
        for port in rule["ports"]
        for number in numbers(port, called)
    ]


def allowed(pod, policies, direction, pods, spaces):
    """The rules of one pod in one direction; none at all where no policy selects it."""
    key, side = {"Ingress": ("from", "-s"), "Egress": ("to", "-d")}[direction]
    called = pod if direction == "Ingress" else None
    space = pod["metadata"]["namespace"]
    selecting = [
        policy["spec"]
        for policy in policies
        if policy["metadata"]["namespace"] == space
        and direction in policy["spec"]["policyTypes"]
        and selects(policy["spec"]["podSelector"], labels(pod))
    ]
    if not selecting:
        return []
    found = [
        f"{side} {address} {port} -j RETURN"
        for policy in selecting
        for rule in policy.get(direction.lower(), [])
        for address in peers(rule.get(key), space, pods, spaces)
        for port in ports_of(rule, called)
    ]
    return [*found, "-j DROP"]


def rules():
    policies, pods = listed("networkpolicies"), listed("pods")
    pods = [pod for pod in pods if pod["status"].get("podIP") and not pod["spec"].get("hostNetwork")]
    spaces = {space["metadata"]["name"]: labels(space) for space in listed("namespaces")}
    chains, calls = [":%s - [0:0]" % chain], ["-A %s -m conntrack --ctstate ESTABLISHED,RELATED -j RETURN" % chain]
    for number, pod in enumerate(pods):
        if pod["status"]["phase"] not in ("Pending", "Running"):
            continue
        for direction, side in (("Egress", "-s"), ("Ingress", "-d")):
            own = "%s-%s-%d" % (chain, direction[0], number)
            found = allowed(pod, policies, direction, pods, spaces)
            if found:
                chains.append(":%s - [0:0]" % own)
                calls += ["-A %s %s" % (own, rule) for rule in found]
                calls.append("-A %s %s %s -j %s" % (chain, side, pod["status"]["podIP"], own))
    return "\n".join(["*filter", *chains, *calls, "COMMIT", ""])


def put(text):
    subprocess.run(["iptables-restore", "--noflush", "-w"], input=text.encode(), check=True)


def leave(*_):
    for hook in hooks:
        subprocess.run(["iptables", "-w", "-D", hook, "-j", chain], check=False)
    put("*filter\n:%s - [0:0]\nCOMMIT\n" % chain)
    sys.exit(0)


put("*filter\n:%s - [0:0]\nCOMMIT\n" % chain)
for hook in hooks:
    subprocess.run(["iptables", "-w", "-I", hook, "1", "-j", chain], check=True)
signal.signal(signal.SIGTERM, leave)
before = None
while True:
    now = rules()
    if now != before:
        put(now)
        before = now
    time.sleep(2)
