"""How long a user waits, from the installed archive: startup.py SHIPSHAPE [RUNS]

The cluster that is asked is a stand-in with empty lists, so that our time is measured and not the API server's.
"""
import http.server
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time

LIMITS = [("--help", 0.25), ("offline command", 0.5), ("asks the cluster", 0.8)]


class EmptyCluster(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    disable_nagle_algorithm = True

    def do_GET(self):
        self.answer({"kind": "List", "apiVersion": "v1", "metadata": {"resourceVersion": "1"}, "items": []})

    def answer(self, body):
        data = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *arguments):
        pass


def measure(command, expected, runs):
    waits, works = [], []
    for _ in range(runs + 1):
        before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if ran.returncode != expected:
            sys.exit(f"{command} ended with {ran.returncode}: {ran.stdout.decode()}")
        waits.append(time.monotonic() - begin)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        works.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return waits[1:], works[1:]  # the first one reads the files from the disk


def main():
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 15
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), EmptyCluster)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        settings = pathlib.Path(folder, "webhook.yaml")
        settings.write_text("apiVersion: shipshape.dev/v1\nguards: [{preset: nodeconfig}]\n")
        kubeconfig = pathlib.Path(folder, "kubeconfig")
        kubeconfig.write_text(json.dumps({
            "apiVersion": "v1", "kind": "Config", "current-context": "x",
            "clusters": [{"name": "c", "cluster": {"server": f"http://127.0.0.1:{server.server_port}"}}],
            "users": [{"name": "u", "user": {"token": "t"}}],
            "contexts": [{"name": "x", "context": {"cluster": "c", "user": "u"}}]}))
        # The cluster has no such release, which status finds.
        commands = [(0, "--help"), (0, "webhook", "--check", "--settings", str(settings)),
                    (1, "status", "--kubeconfig", str(kubeconfig))]
        print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores, {runs} runs each")
        for (what, limit), (expected, *arguments) in zip(LIMITS, commands):
            waits, works = measure([sys.argv[1], *arguments], expected, runs)
            median = statistics.median(waits)
            print(f"{what:18} median {median:.3f} s, least {min(waits):.3f} s, processor "
                  f"{statistics.median(works):.3f} s; limit {limit} s: "
                  f"{'kept' if median <= limit else 'MISSED'}")


main()
