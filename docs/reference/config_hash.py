#!/usr/bin/env python3
"""Recomputes shipshape's configuration hashes without shipshape.

    config_hash.py hashing-vectors.json     checks every vector; exit 0 if all agree, else 1

The file holds the rules of each guard and samples: an object, its canonical form and its hash.
docs/reference/hashing.md says in words what this says in code.
"""
import decimal, hashlib, ipaddress, json, re, sys
from decimal import Decimal

decimal.getcontext().prec = 100  # no duration's digits are rounded


def read_number(text):
    """A number with a fraction or an exponent: an int where canonical JSON writes it as one."""
    double = float(text)
    if double in (float("inf"), float("-inf")):
        sign, digits, exponent = Decimal(text).as_tuple()
        zeroes = len(digits) - len("".join(map(str, digits)).rstrip("0"))
        return Decimal((sign, digits[: len(digits) - zeroes], exponent + zeroes))
    if double.is_integer() and abs(double) < 1e21:
        return int(Decimal(repr(double)))
    return double


def canonical(value):
    """RFC 8785, and what hashing.md says where that gives up."""
    if isinstance(value, dict):
        names = sorted(value, key=utf16)
        return "{" + ",".join(canonical(name) + ":" + canonical(value[name]) for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, str):
        text = json.dumps(value, ensure_ascii=False)
        return re.sub("[\ud800-\udfff]", lambda half: "\\u%04x" % ord(half[0]), text)
    if isinstance(value, float):
        if 1e-6 <= abs(value) < 1e-4:
            return format(Decimal(repr(value)), "f")
        return repr(value).replace("e-0", "e-")
    return str(value) if isinstance(value, Decimal) else json.dumps(value)


def utf16(text):
    return text.encode("utf-16-be", "surrogatepass")


class Place:
    """The rules that hold at one place, by their sections' names, and the places below it."""

    def __init__(self):
        self.rules, self.below = {}, {}

    def add(self, path, section, rule):
        place = self
        for step in re.findall(r"[^.\[\]]+|\[\]", path):
            place = place.below.setdefault(None if step == "[]" else step, Place())
        place.rules[section] = rule

    def member(self, name):
        return self.below.get(name) or self.below.get("*") or Place()

    def element(self):
        return self.below.get(None) or Place()


def places(identity):
    root = Place()
    for path in identity.get("drop", []) + identity.get("secret", []):
        root.add(path, "drop", True)
    for section in ("defaults", "sameAsAbsent", "spelling"):
        for path, rule in identity.get(section, {}).items():
            root.add(path, section, rule)
    for section in ("sequences", "sorted"):
        for rule in identity.get(section, []):
            root.add(rule["list"], section, rule)
    return root


def normalised(value, place, absent):
    if isinstance(value, dict):
        return normalised_members(value, place, absent)
    if isinstance(value, list):
        elements = [normalised(element, place.element(), absent) for element in value]
        if "sequences" in place.rules:
            elements = numbered(place.rules["sequences"], elements)
        return in_order(place.rules["sorted"], elements) if "sorted" in place.rules else elements
    if isinstance(value, str) and "spelling" in place.rules:
        return SPELLINGS[place.rules["spelling"]](value)
    return value


def normalised_members(value, place, absent):
    empty = {"null": None, "empty-list": [], "empty-object": {}}

    def means_none(member):
        return any(member == empty[kind] for kind in absent)

    kept = {}
    for name, member in value.items():
        if "drop" not in place.member(name).rules:
            kept[name] = normalised(member, place.member(name), absent)
    for name, below in place.below.items():
        if "defaults" in below.rules and (name not in kept or means_none(kept[name])):
            kept[name] = below.rules["defaults"]
    for name in list(kept):
        rules = place.member(name).rules
        if "sameAsAbsent" in rules and canonical(kept[name]) == canonical(rules["sameAsAbsent"]):
            del kept[name]
    return {name: member for name, member in kept.items() if not means_none(member)}


def numbered(rule, elements):
    """Brings elements into the order of their numbers, made effective."""
    field, effective = rule["field"], []
    for position, element in enumerate(elements, 1):
        number = element.get(field, 0) if isinstance(element, dict) else None
        if type(number) is not int or not -(2**63) <= number < 2**63:
            return elements
        if number <= 0 and rule.get("absent", "position") == "position":
            element, number = {**element, field: position}, position
        effective.append((number, element))
    return [element for _, element in sorted(effective, key=lambda entry: entry[0])]


def in_order(rule, elements):
    by, agreeing, keyed, first = rule.get("by", []), rule.get("agreeing"), [], {}
    for element in elements:
        if by and not isinstance(element, dict):
            return elements
        keys = [order(element[name]) if name in element else (0,) for name in by] or [order(element)]
        if None in keys:
            return elements
        keyed.append((keys, element))
        if agreeing:
            told = [canonical(element[name]) if name in element else "" for name in (by[0], agreeing)]
            if first.setdefault(told[0], told[1]) != told[1]:
                return elements
    return [element for _, element in sorted(keyed, key=lambda entry: entry[0])]


def order(value):
    """Absent, then flags, then integers, then texts; None for what has no order."""
    if isinstance(value, bool):
        return (1, value)
    if isinstance(value, int):
        return (2, value)
    return (3, utf16(value)) if isinstance(value, str) else None


def mac(text):
    return text.lower() if re.fullmatch("[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){5}", text) else text


def network(text):
    octet = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
    if not re.fullmatch(r"(%s(\.%s){3}|[0-9A-Fa-f:]+)/(0|[1-9][0-9]{0,2})" % (octet, octet), text):
        return text
    try:
        address = ipaddress.ip_address(text.split("/")[0])
        masked = ipaddress.ip_network(text, strict=False)
    except ValueError:
        return text
    if address.version == 4:
        return str(masked)
    if address.ipv4_mapped:
        return text
    groups = masked.network_address.exploded.split(":")
    return ":".join("%x" % int(group, 16) for group in groups) + "/%d" % masked.prefixlen


def duration(text):
    units = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9, "m": 60 * 10**9, "h": 3600 * 10**9}
    units.update({"µs": 10**3, "μs": 10**3})  # U+00B5 and U+03BC
    part = r"([0-9]{1,18}(?:\.[0-9]{0,18})?|\.[0-9]{1,18})(ns|us|µs|μs|ms|s|m|h)"
    if text == "0":
        return "0ns"
    if not re.fullmatch("[+-]?(%s){1,16}" % part, text):
        return text
    total = sum(Decimal(number) * units[unit] for number, unit in re.findall(part, text))
    return format((-total if text[0] == "-" else total).normalize(), "f") + "ns"


SPELLINGS = {"mac": mac, "network": network, "duration": duration}


def main(file):
    with open(file, encoding="utf-8") as stream:
        vectors = json.load(stream, parse_float=read_number)
    wrong = 0
    for vector in vectors["vectors"]:
        rules = vectors["rules"][vector["guard"]]
        content = vector["object"].get(rules["content"])
        text = canonical(normalised(content, places(rules), rules.get("absent", [])))
        found = "v1:" + hashlib.sha256(text.encode("utf-8")).hexdigest()
        if (text, found) != (vector["canonical"], vector["hash"]):
            wrong += 1
            wanted = (vector["hash"], vector["canonical"])
            print("%s: got %s %a, want %s %a" % (vector["name"], found, text, *wanted))
    print("%d vectors, %d wrong" % (len(vectors["vectors"]), wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
