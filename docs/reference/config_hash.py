#!/usr/bin/env python3
"""Recomputes shipshape's configuration hashes without shipshape.

    config_hash.py hashing-vectors.json     checks every vector; exit 0 if all agree, else 1

The file holds the rules of each guard and samples: an object, its canonical form and its hash.
docs/reference/hashing.md says in words what this says in code.
"""
import hashlib, ipaddress, json, re, sys
from decimal import Decimal


def canonical(value):
    """RFC 8785, for what Kubernetes objects hold: members by UTF-16 code units, plain integers."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
        return "{" + ",".join(canonical(n) + ":" + canonical(value[n]) for n in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e21:
        return str(int(value))
    return json.dumps(value, ensure_ascii=False)


def places(node, path):
    """The containers and keys at a path such as vrf[].import[].seq or fabricVRFs.*.vni."""
    *way, last = re.findall(r"[^.\[\]]+|\[\]", path)
    nodes = [node]
    for step in way:
        nodes = [below for at in nodes for _, below in members(at, step)]
    return [(at, key) for at in nodes for key in keys(at, last)]


def keys(at, step):
    if step == "[]":
        return range(len(at)) if isinstance(at, list) else []
    if not isinstance(at, dict):
        return []
    return list(at) if step == "*" else [step]


def members(at, step):
    return [(key, at[key]) for key in keys(at, step) if isinstance(key, int) or key in at]


def spelled(kind, text):
    if not isinstance(text, str):
        return text
    if kind == "mac":
        return text.lower() if re.fullmatch(r"[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){5}", text) else text
    if kind == "network":
        try:
            network = ipaddress.ip_network(text, strict=False)
        except ValueError:
            return text
        if network.version == 4:
            return str(network)
        groups = network.network_address.exploded.split(":")
        return ":".join(format(int(g, 16), "x") for g in groups) + "/%d" % network.prefixlen
    units = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9, "m": 60 * 10**9, "h": 3600 * 10**9}
    parts = re.findall(r"(\d+(?:\.\d*)?)(ns|us|ms|s|m|h)", text)
    if not parts or "".join(n + u for n, u in parts) != text:
        return text
    return "%dns" % sum(Decimal(number) * units[unit] for number, unit in parts)


def numbered(rule, elements):
    """Brings elements into the order of their numbers, made effective."""
    field, effective = rule["field"], []
    for position, element in enumerate(elements, 1):
        number = element.get(field, 0)
        if number <= 0 and rule["absent"] == "position":
            element, number = {**element, field: position}, position
        effective.append((number, element))
    return [element for _, element in sorted(effective, key=lambda entry: entry[0])]


def order(value):
    """Absent, then flags, then numbers, then texts."""
    if isinstance(value, bool):
        return (1, value)
    if isinstance(value, int):
        return (2, value)
    return (0,) if value is None else (3, value.encode("utf-16-be", "surrogatepass"))


def sorted_by(rule, elements):
    by, agreeing = rule.get("by", []), rule.get("agreeing")
    first = {}
    for element in elements if agreeing else []:
        if first.setdefault(element.get(by[0]), element.get(agreeing)) != element.get(agreeing):
            return elements
    if not by:
        return sorted(elements, key=order)
    return sorted(elements, key=lambda element: [order(element.get(key)) for key in by])


def without_absent(node, absent):
    if isinstance(node, list):
        return [without_absent(element, absent) for element in node]
    if not isinstance(node, dict):
        return node
    kept = {name: without_absent(value, absent) for name, value in node.items()}
    empty = {"null": None, "empty-list": [], "empty-object": {}}
    return {n: v for n, v in kept.items() if not any(v == empty[kind] for kind in absent)}


def normalised(rules, content):
    for path in rules.get("drop", []) + rules.get("secret", []):
        for at, key in places(content, path):
            at.pop(key, None)
    content = without_absent(content, rules.get("absent", []))
    for path, value in rules.get("defaults", {}).items():
        for at, key in places(content, path):
            at.setdefault(key, value)
    for path, value in rules.get("sameAsAbsent", {}).items():
        for at, key in places(content, path):
            if key in at and at[key] == value and type(at[key]) is type(value):
                del at[key]
    for path, kind in rules.get("spelling", {}).items():
        for at, key in places(content, path):
            if isinstance(key, int) or key in at:
                at[key] = spelled(kind, at[key])
    # A list within a list's elements is put in order before the outer one.
    for change, field in ((numbered, "sequences"), (sorted_by, "sorted")):
        for rule in sorted(rules.get(field, []), key=lambda rule: -rule["list"].count("[]")):
            for at, key in places(content, rule["list"]):
                if isinstance(key, int) or key in at:
                    at[key] = change(rule, at[key])
    return content


def main(file):
    with open(file, encoding="utf-8") as stream:
        vectors = json.load(stream)
    wrong = 0
    for vector in vectors["vectors"]:
        rules = vectors["rules"][vector["guard"]]
        text = canonical(normalised(rules, json.loads(json.dumps(vector["object"][rules["content"]]))))
        found = "v1:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        if (text, found) != (vector["canonical"], vector["hash"]):
            wrong += 1
            print("%s: got %s %s, want %s %s" % (vector["name"], found, text, vector["hash"], vector["canonical"]))
    print("%d vectors, %d wrong" % (len(vectors["vectors"]), wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
