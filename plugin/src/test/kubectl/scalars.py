#!/usr/bin/env python3
"""Writes what kubectl reads of YAML's scalars and keys, for KubectlScalarsTest:

    python3 plugin/src/test/kubectl/scalars.py > plugin/src/test/resources/dev/shipshape/plugin/review/kubectl.jsonl

Needs kubectl on the PATH (made with 1.32.4), and no cluster: kubectl asks this script for the discovery of one kind.
Each line has the YAML of a field `data`, and its JSON; null if kubectl refuses it.
"""

import http.server
import json
import subprocess
import threading

VALUES = """
~ null Null NULL nUll none
true True TRUE tRUE false False FALSE y Y yes Yes YES yEs n N no No NO on On ON off Off OFF oN t f
0 1 -1 +1 -0 00 01 007 010 08 09 0644 -0644 +010 0o14 0O14 -0o14 0o8 0x1F 0X1F 0x1f -0x1F +0x1f 0xg 0x 0b101 0B101 -0b101
+0b1 0b2 0b 1_000 1__0 1_ -_1 _1 0_8 0x_1F 0b1_0 1,000 12e03 1e3 1E3 1e+3 1e-3 -1e3 1e 1e3_0 e3 1.0 1. .5 -.5 +.5 . .. -
1_000.5 1.5_0 ._5 .5_0 1.50 0.1 1.0e10 1e400 -1e400 1e-400 1e21 1e20 123456789012345678 0.12345678901234567890 1.2.3 1-1 1:30 190:20:30
9223372036854775807 9223372036854775808 -9223372036854775808 -9223372036854775809 18446744073709551615 18446744073709551616
18446744073709551617 0x7fffffffffffffff 0x8000000000000000 0xffffffffffffffff 0x10000000000000000 0777777777777777777777
01777777777777777777777 02000000000000000000000 100000000000000000000000 9007199254740993 0b1111111111111111111111111111111111
0a5 0d10 0c12 -0a5 +0f1 0b5 0e5 0e10 -0e5 0a 0_a5
.inf -.inf +.Inf .nan .NaN .INF inf nan Infinity
2001-12-14 2001-12-14t21:59:43.10-05:00 2001-12-14T21:59:43Z 12:30 12:30:45 1.2.3.4 10.0.0.0/8 00:00:5e:00:01:64 0000 1e10000 0e0 -0.0 0.0
"yes" 'yes' "1" '0644' !!str⎵yes !!str⎵1 !!int⎵"3" !!int⎵3 !!float⎵3 !!bool⎵"yes" !!bool⎵y !!null⎵"" !!binary⎵aGVsbG8= !⎵12 !custom⎵12
= == << "<<" a⎵#b a#b a:b \\x 'it''s' "a\\tb" "\\u00e4" "\\x41" "\\/" "\\e"
""".split()

KEYS = """
a y Y yes no on off true True false null ~ 1 -1 +1 007 0644 010 08 0o14 0x1F 0X1F 0b101 1_000 1.0 1.5 1e3 0.1 1e400
9223372036854775807 9223372036854775808 "y" '0644' "1" !!str⎵yes 2001-12-14 12:30 1:30
""".split()

MERGES = [
    "{x: &a {p: 1, q: 2}, y: {<<: *a, q: 3}}",
    "{x: &a {p: 1, q: 2}, y: {q: 3, <<: *a}}",
    "{x: &a {p: 1}, z: &b {p: 2, r: 4}, y: {<<: [*a, *b], s: 5}}",
    "{x: &a {p: 1}, y: {<<: *a, <<: {t: 1}}}",
    '{x: &a {p: 1}, y: {"<<": *a}}',
    "{x: &a {p: 1}, y: {<<: [{u: 1}, *a]}}",
    "{x: &a 1, y: {<<: *a}}",
    "{y: {<<: null}}",
    "{x: &a {<<: {p: 1}, q: 2}, y: {<<: *a}}",
    "{x: &a [1], y: *a}",
    "{x: *a}",
    "{x: &a 0644, y: *a}",
    "{? [1] : 2}",
    "{x: }",
    "{x: , y: 1}",
    "[yes, 0644, {n: y}]",
    "\n  x: |\n    0644\n  y: >-\n    yes\n    no",
    "\n  x: 1\n    2",
    "\n  x: yes # no",
]

KIND = {"name": "things", "singularName": "thing", "namespaced": True, "kind": "Thing", "verbs": ["create"]}
DISCOVERY = {
    "/api": {"kind": "APIVersions", "versions": ["v1"]},
    "/api/v1": {"kind": "APIResourceList", "groupVersion": "v1", "resources": [KIND]},
    "/apis": {"kind": "APIGroupList", "apiVersion": "v1", "groups": []},
}


class Discovery(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        answer = DISCOVERY.get(self.path.split("?")[0])
        self.send_response(200 if answer else 404)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(answer or {}).encode())

    def log_message(self, *_: object) -> None:
        pass


def main() -> None:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Discovery)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    kubectl = ["kubectl", "--kubeconfig=/dev/null", f"--server=http://127.0.0.1:{server.server_port}", "create"]
    kubectl += ["--dry-run=client", "--validate=false", "-o", "json", "-f", "-"]
    fields = [f"\n  v: {each}" for each in VALUES] + [f"\n  {each}: 1" for each in KEYS] + MERGES
    for field in (each.replace("⎵", " ") for each in fields):
        text = f"apiVersion: v1\nkind: Thing\nmetadata: {{name: x}}\ndata: {field}\n"
        ran = subprocess.run(kubectl, input=text.encode(), capture_output=True)
        data = json.loads(ran.stdout)["data"] if ran.returncode == 0 else None
        print(json.dumps({"yaml": field, "json": data}))


main()
