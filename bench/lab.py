"""What the benches share: a control plane, the servers that are measured, the load generator, a table."""

import base64
import http.client
import json
import os
import re
import shutil
import socket
import ssl
import statistics
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "bench/target"
GROUP = "network.schiff.telekom.de"
NODE_CONFIGS = f"/apis/{GROUP}/v1alpha1/nodeconfigs"


def network(number: int, variant: int) -> dict:
    return {
        "id": 100 + number,
        "vni": 1 + variant * 1000 + number,
        "mtu": 9000,
        "vrf": f"cluster-vrf-{number % 7}",
        "anycastMac": "02:54:00:00:00:01",
        "anycastGateways": [f"fd00:{number:x}::1/64", f"10.{number // 250}.{number % 250}.1/24"],
        "neighSuppression": True,
        "nodeSelector": {"matchLabels": {"kubernetes.io/hostname": f"node-{number}"}},
    }


def spec(networks: int, variant: int) -> dict:
    """A configuration with so many layer 2 networks in no order; another VARIANT is another configuration."""
    return {"layer2": [network(at * 37 % networks, variant) for at in range(networks)], "vrf": [], "routingTable": []}


def node_config(name: str, of: dict) -> dict:
    return {"apiVersion": f"{GROUP}/v1alpha1", "kind": "NodeConfig", "metadata": {"name": name}, "spec": of}


def review(name: str, operation: str, of: dict) -> bytes:
    """An AdmissionReview as the API server writes it; an UPDATE changes nothing."""
    group_version = {"group": GROUP, "version": "v1alpha1"}
    request = {
        "uid": "705ab4f5-6393-11e8-b7cc-42010a800002",
        "kind": {**group_version, "kind": "NodeConfig"},
        "resource": {**group_version, "resource": "nodeconfigs"},
        "name": name,
        "operation": operation,
        "userInfo": {"username": "admin", "groups": ["system:authenticated"]},
        "object": node_config(name, of),
        "oldObject": node_config(name, of) if operation == "UPDATE" else None,
        "dryRun": False,
    }
    whole = {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request}
    return json.dumps(whole, sort_keys=True, separators=(",", ":")).encode()


class Cluster:
    """A control plane of its own that knows NodeConfigs, spoken to as an administrator."""

    def __init__(self):
        self.sandbox = subprocess.Popen([ROOT / "sandbox/run"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.kubeconfig = self.sandbox.stdout.readline().strip() or sys.exit("bench: no control plane")
        text = Path(self.kubeconfig).read_text()
        self.address = re.search(r"server: https://(\S+)", text)[1]
        files = {}
        for name in ("certificate-authority", "client-certificate", "client-key"):
            files[name] = Path(self.kubeconfig).with_name(f"bench-{name}.pem")
            files[name].write_bytes(base64.b64decode(re.search(f"{name}-data: (\\S+)", text)[1]))
        self.tls = ssl.create_default_context(cafile=files["certificate-authority"])
        self.tls.load_cert_chain(files["client-certificate"], files["client-key"])
        definition = ROOT / "sandbox/src/main/resources/dev/shipshape/sandbox/nodeconfigs.yaml"
        path = f"/apis/apiextensions.k8s.io/v1/customresourcedefinitions/nodeconfigs.{GROUP}?fieldManager=bench"
        self.send("PATCH", path, definition.read_bytes(), "application/apply-patch+yaml", 201)
        wait(lambda: self.send("GET", NODE_CONFIGS)[0] == 200, "NodeConfigs are served")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.sandbox.stdin.close()
        self.sandbox.wait()

    def connect(self) -> http.client.HTTPSConnection:
        return http.client.HTTPSConnection(self.address, context=self.tls)

    def send(self, method, path, body=None, kind="application/json", expected=None, connection=None):
        """Gives status and text; a body that is no bytes is JSON."""
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        connection = connection or self.connect()
        connection.request(method, path, data, {"Content-Type": kind})
        answer = connection.getresponse()
        text = answer.read().decode()
        if expected and answer.status != expected:
            sys.exit(f"bench: the API server answered {method} {path} with {answer.status}: {text}")
        return answer.status, text

    def mark_invalid(self, name: str):
        status = {"status": {"configStatus": "invalid"}}
        self.send("PATCH", f"{NODE_CONFIGS}/{name}/status", status, "application/merge-patch+json", 200)

    def learn(self, networks: int, variants):
        """Creates configurations that their own status calls invalid."""
        for variant in variants:
            self.send("POST", NODE_CONFIGS, node_config(f"known-{variant}", spec(networks, variant)), expected=201)
            self.mark_invalid(f"known-{variant}")

    def processor_seconds(self) -> float:
        """Of the API server: the process that has this control plane's folder on its command line."""
        folder = os.path.dirname(self.kubeconfig).encode()
        for process in Path("/proc").glob("[0-9]*"):
            try:
                command = (process / "cmdline").read_bytes()
            except OSError:
                continue
            if command.split(b"\0")[0].endswith(b"/kube-apiserver") and folder in command:
                return processor_seconds(process.name)
        sys.exit("bench: no API server is running")


def processor_seconds(pid) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait(condition, what: str, seconds=60, pause=0.05):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            sys.exit(f"bench: in vain: {what}")
        time.sleep(pause)


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return listening.getsockname()[1]


class Server:
    """A server in a process of its own; SECONDS is how long it took to be ready."""

    def __init__(self, name: str, command: list, port: int, bundle: Path, ready):
        self.url, self.bundle = f"https://127.0.0.1:{port}/validate", bundle
        with open(TARGET / f"{name}.log", "wb") as log:
            begin = time.monotonic()
            # As the image's environment has it.
            environment = os.environ | {"MALLOC_ARENA_MAX": "1"}
            self.process = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
        wait(ready, f"{name} is ready", pause=0.005)
        self.seconds = time.monotonic() - begin

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def processor_seconds(self) -> float:
        return processor_seconds(self.process.pid)

    def resident(self) -> float:
        """MiB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024

    def load(self, body: Path, requests: int, rate=0) -> dict:
        """With 8 connections, as fast as answers come or RATE a second; latencies in milliseconds."""
        command = [TARGET / "bin/load", "-url", self.url, "-body", body, "-requests", str(requests), "-rate", str(rate)]
        seen = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
        return seen if not seen["failed"] else sys.exit(f"bench: requests to {self.url} failed: {seen}")

    def caller(self):
        """A function that says whether a review is allowed."""
        # Authority and certificate have one name, which OpenSSL takes for a certificate that signed itself.
        tls = ssl._create_unverified_context()
        connection = http.client.HTTPSConnection(self.url.split("/")[2], context=tls)

        def allows(body: bytes) -> bool:
            connection.request("POST", "/validate", body, {"Content-Type": "application/json"})
            return json.load(connection.getresponse())["response"]["allowed"]

        return allows


def webhook(cluster: Cluster, dist=os.environ.get("BENCH_DIST", ROOT / "packaging/target/dist")) -> Server:
    """As the image starts it, in the memory that the chart gives."""
    runtime, port, management = Path(dist) / "runtime", free_port(), free_port()
    name = f"webhook-{port}"
    settings, bundle = TARGET / f"{name}.yaml", TARGET / f"{name}.pem"
    settings.write_text(
        f"apiVersion: shipshape.dev/v1\nlisten: {{host: 127.0.0.1, port: {port}}}\n"
        f"management: {{host: 127.0.0.1, port: {management}}}\ndrain: 0s\ndrainConnections: 0s\n"
        "guards: [{preset: nodeconfig}]\n"
    )

    def ready() -> bool:
        try:
            return urllib.request.build_opener(urllib.request.ProxyHandler({})).open(f"http://127.0.0.1:{management}/readyz").status == 200
        except (urllib.error.URLError, ConnectionError):
            return False

    # A cache that does not fit, such as beside a jar copied without its time, would be left out without a word.
    command = [runtime / "bin/java", "-XX:MaxRAM=256m", f"-XX:AOTCache={runtime}/lib/webhook.aot", "-XX:AOTMode=on"]
    command += [f"@{runtime}/options/common", f"@{runtime}/options/webhook", "--enable-native-access=ALL-UNNAMED"]
    command += ["-cp", runtime / "lib/shipshape.jar", "dev.shipshape.plugin.command.Shipshape", "webhook"]
    command += ["--settings", settings, "--kubeconfig", cluster.kubeconfig, "--ca-bundle", bundle]
    return Server(name, command, port, bundle, ready)


def peer() -> Server:
    """The Go webhook."""
    folder, port = TARGET / "peer", free_port()
    folder.mkdir(exist_ok=True)
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
        + ["-keyout", folder / "tls.key", "-out", folder / "tls.crt", "-subj", "/CN=peer"]
        + ["-addext", "subjectAltName=IP:127.0.0.1"],
        check=True,
        stderr=subprocess.DEVNULL,
    )

    def listens() -> bool:
        with socket.socket() as asking:
            return asking.connect_ex(("127.0.0.1", port)) == 0

    command = [TARGET / "bin/webhook", "-certs", folder, "-port", str(port)]
    return Server("peer", command, port, folder / "tls.crt", listens)


def median(rounds: list, figure) -> float:
    return statistics.median(figure(each) for each in rounds)


def table(rows: list):
    """Prints rows of: what, figure, unit, target (a text such as "<= 2.5"; None if it only explains another)."""
    for what, figure, unit, target in rows:
        verdict = ""
        if target:
            relation, limit = target.split()
            met = figure >= float(limit) if relation == ">=" else figure <= float(limit)
            verdict = f"{target:9} {'met' if met else 'MISSED'}"
        print(f"{what:62} {figure:10.3g} {unit:7} {verdict}".rstrip())


def program(name: str) -> str:
    return shutil.which(name) or sys.exit(f"bench: needs {name}")
