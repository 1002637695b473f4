"""The storm: storm.py KUBECONFIG.json CLUSTER-FOLDER NAMESPACE CLOCKS-FOLDER JANITORS.log [--seed N] [--minutes M]

Writers send known-invalid configurations and good ones; sessions pile up; faults follow a schedule from the seed.
Afterwards, it checks in the API server's audit log and the janitors' audit lines:

- no known-invalid configuration was stored;
- no other configuration was refused as known invalid, and without a fault no write failed;
- only sessions that are complete and old were deleted, each with uid and resourceVersion, each after its `begin` line;
- no two restarts of the operator are closer than its cooldown;
- a minute after the last fault all replicas are ready and know the same.
"""

import argparse
import base64
import collections
import datetime
import glob
import http.client
import json
import os
import pathlib
import random
import re
import signal
import ssl
import subprocess
import threading
import time
import urllib.parse
import uuid

NODE_CONFIGS = "/apis/network.schiff.telekom.de/v1alpha1/nodeconfigs"
SESSIONS = "/apis/cms.cray.com/v1/namespaces/services/cfsessions"
COOLDOWN = 120
DENIED = "this configuration is known invalid"


class Api:
    """A client of the API server with a connection of its own."""

    def __init__(self, file):
        config = json.load(open(file))
        cluster, user = config["clusters"][0]["cluster"], config["users"][0]["user"]
        self.host = urllib.parse.urlparse(cluster["server"]).netloc
        self.trust = ssl.create_default_context(
            cadata=base64.b64decode(cluster["certificate-authority-data"]).decode()
        )
        self.headers = {"Authorization": "Bearer " + user["token"]}
        self.connection = None

    def call(self, method, path, body=None, kind="application/json"):
        """Status and text; status 0 without a response."""
        try:
            if self.connection is None:
                self.connection = http.client.HTTPSConnection(self.host, context=self.trust, timeout=35)
            data = None if body is None else json.dumps(body)
            self.connection.request(method, path, data, {**self.headers, "Content-Type": kind})
            answer = self.connection.getresponse()
            return answer.status, answer.read().decode()
        except (OSError, http.client.HTTPException) as e:
            if self.connection is not None:
                self.connection.close()
            self.connection = None
            return 0, str(e)


def spec(vni):
    return {
        "layer2": [{"id": 300, "mtu": 1500, "vni": vni}, {"id": 400, "mtu": 1500, "vni": 10400}],
        "vrf": [{"vrf": "m2m", "seq": 10, "import": [{"cidr": "10.200.0.0/16", "action": "permit"}], "export": []}],
        "routingTable": [],
    }


def node_config(name, content, uid):
    owner = {"apiVersion": "v1", "kind": "Node", "name": "node1", "uid": uid}
    meta = {"name": name, "ownerReferences": [owner]}
    return {"apiVersion": "network.schiff.telekom.de/v1alpha1", "kind": "NodeConfig", "metadata": meta, "spec": content}


BAD = 66666


class Storm:
    def __init__(self, arguments):
        self.arguments = arguments
        self.chance = random.Random(arguments.seed)
        self.folder = pathlib.Path(arguments.cluster)
        self.api = Api(arguments.kubeconfig)
        self.quiet = False
        self.over = False
        self.wrong = []
        self.counts = collections.Counter()
        self.mayGo = set()
        self.lines = {}
        self.uid = json.loads(self.api.call("GET", "/api/v1/nodes/node1")[1])["metadata"]["uid"]

    def failed(self, what):
        self.wrong.append(what)
        print("   WRONG:", what, flush=True)

    # Writers.

    def learn(self):
        """The configuration fails on the node: the operator records it."""
        self.api.call("POST", NODE_CONFIGS, node_config("node1", spec(BAD), self.uid))
        self.api.call("POST", NODE_CONFIGS, node_config("node1-invalid", spec(BAD), self.uid))
        end = time.time() + 60
        while time.time() < end:
            status, text = self.api.call("POST", NODE_CONFIGS + "?dryRun=All", node_config("x", spec(BAD), self.uid))
            if DENIED in text:
                return
            time.sleep(0.5)
        raise SystemExit("it did not learn what is known invalid: " + text)

    def offer_bad(self):
        api, chance = Api(self.arguments.kubeconfig), random.Random(1)
        while not self.over:
            content = spec(BAD)
            chance.shuffle(content["layer2"])
            name = f"storm-bad-{chance.randrange(20)}"
            status, text = api.call("POST", NODE_CONFIGS, node_config(name, content, self.uid))
            self.counts[f"bad {'denied' if DENIED in text else status}"] += 1
            if 200 <= status < 300:
                self.failed(f"{now()}: {name} was stored")
                api.call("DELETE", f"{NODE_CONFIGS}/{name}")
            time.sleep(0.2)

    def offer_good(self):
        api, number = Api(self.arguments.kubeconfig), 0
        while not self.over:
            number += 1
            name = f"storm-good-{number % 10}"
            path = f"{NODE_CONFIGS}/{name}?fieldManager=storm&force=true"
            content = node_config(name, spec(100_000 + number), self.uid)
            quiet = self.quiet
            status, text = api.call("PATCH", path, content, "application/apply-patch+yaml")
            self.counts[f"good {status}"] += 1
            if DENIED in text or (quiet and not 200 <= status < 300):
                self.failed(f"{now()}: {name} was refused: {status} {text[:300]}")
            time.sleep(0.1)

    def pile_up(self):
        api = Api(self.arguments.kubeconfig)
        while not self.over:
            for name, state, days, goes in (
                (f"batcher-{uuid.uuid4()}", "complete", 30, True),
                (f"batcher-{uuid.uuid4()}", "complete", 30, True),
                (f"batcher-{uuid.uuid4()}", "complete", 1, False),
                (f"batcher-{uuid.uuid4()}", "running", 30, False),
                (f"someones-own-{uuid.uuid4()}", "complete", 30, False),
            ):
                then = (datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%SZ")
                session = {"job": "cfs-" + name[-36:], "status": state, "succeeded": "true", "startTime": then}
                if state == "complete":
                    session["completionTime"] = then
                if goes:
                    self.mayGo.add(name)
                meta = {"name": name, "namespace": "services"}
                body = {"apiVersion": "cms.cray.com/v1", "kind": "ConfigFrameworkSession", "metadata": meta,
                        "spec": {"repo": {"cloneUrl": "https://example.invalid/config.git"}, "target": {"definition": "dynamic", "groups": []}, "status": {"session": session}}}
                status = api.call("POST", SESSIONS, body)[0]
                self.counts[f"session {status}"] += 1
            time.sleep(5)

    def keep_lines(self):
        """Collects the janitors' lines, also of ended containers: the kubelet keeps only the last."""
        while not self.over:
            self.collect()
            time.sleep(0.2)

    def collect(self):
        for file in glob.glob(f"/var/log/pods/{self.arguments.namespace}_*/janitor/*.log"):
            try:
                with open(file, "rb") as log:
                    key = (file, os.fstat(log.fileno()).st_ino)
                    log.seek(len(self.lines.get(key, b"")))
                    self.lines[key] = self.lines.get(key, b"") + log.read()
            except FileNotFoundError:
                pass

    # Faults.

    def pids(self, program):
        found = subprocess.run(["pgrep", "-u", "65532", "-f", f"command.Shipshape {program}"], capture_output=True, text=True)
        return [int(each) for each in found.stdout.split()]

    def pods(self):
        """The pods of the release; empty while the API server cannot say."""
        status, text = self.api.call("GET", f"/api/v1/namespaces/{self.arguments.namespace}/pods")
        return json.loads(text)["items"] if status == 200 else []

    def pid(self, name):
        return int((self.folder / f"{name}.pid").read_text())

    def one(self, program):
        pids = self.pids(program)
        return self.chance.choice(sorted(pids)) if pids else None

    def signalled(self, pid, seconds=None):
        """Kills a process, or stops it for some seconds."""
        try:
            os.kill(pid, signal.SIGSTOP if seconds else signal.SIGKILL)
            if seconds:
                time.sleep(seconds)
                os.kill(pid, signal.SIGCONT)
        except (ProcessLookupError, TypeError):
            pass

    def restart_api_server(self):
        pid = self.pid("apiserver")
        command = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")[:-1]
        os.kill(pid, signal.SIGKILL)
        time.sleep(self.chance.uniform(1, 8))
        with open(self.folder / "apiserver.log", "ab") as log:
            started = subprocess.Popen(command, cwd=self.folder, stdout=log, stderr=log, start_new_session=True)
        (self.folder / "apiserver.pid").write_text(f"{started.pid}\n")

    def compact(self):
        """Drops the history of etcd: a watch or list from an earlier version is answered 410."""
        host = re.search(r"--etcd-servers\0http://([^\0]+)", pathlib.Path(f"/proc/{self.pid('apiserver')}/cmdline").read_text())[1]
        etcd = http.client.HTTPConnection(host, timeout=30)

        def ask(path, body):
            etcd.request("POST", f"/v3/kv/{path}", json.dumps(body))
            return json.loads(etcd.getresponse().read())

        key = base64.b64encode(b"compact").decode()
        ask("compaction", {"revision": ask("range", {"key": key})["header"]["revision"], "physical": True})

    def reject_us(self):
        """For some seconds, the API server takes one request of our pods at a time, and answers 429 to the others."""
        flow = "/apis/flowcontrol.apiserver.k8s.io/v1/"
        about = {"name": "storm"}
        group = f"system:serviceaccounts:{self.arguments.namespace}"
        level = {"type": "Limited", "limited": {"nominalConcurrencyShares": 0, "lendablePercent": 0, "borrowingLimitPercent": 0,
                                                "limitResponse": {"type": "Reject"}}}
        rules = [{"verbs": ["*"], "apiGroups": ["*"], "resources": ["*"], "clusterScope": True, "namespaces": ["*"]}]
        subjects = [{"kind": "Group", "group": {"name": group}}]
        api = flow.split("/apis/")[1].rstrip("/")
        for kind, spec in (
            ("PriorityLevelConfiguration", level),
            ("FlowSchema", {"priorityLevelConfiguration": about, "matchingPrecedence": 2,
                            "rules": [{"subjects": subjects, "resourceRules": rules}]}),
        ):
            body = {"apiVersion": api, "kind": kind, "metadata": about, "spec": spec}
            self.insist("POST", f"{flow}{kind.lower()}s", body, (201, 409))
        time.sleep(self.chance.uniform(5, 20))
        for kind in ("flowschemas", "prioritylevelconfigurations"):
            self.insist("DELETE", f"{flow}{kind}/storm", None, (200, 404))

    def insist(self, method, path, body, expected):
        end = time.time() + 60
        while (answer := self.api.call(method, path, body))[0] not in expected:
            if time.time() > end:
                raise RuntimeError(f"{method} {path} was answered {answer[0]}: {answer[1][:300]}")
            time.sleep(1)

    def lose_network(self):
        """Drops all packets of one pod for some seconds."""
        addresses = [pod["status"]["podIP"] for pod in self.pods() if pod["status"].get("podIP")]
        if not addresses:
            return
        address = self.chance.choice(sorted(addresses))
        rules = [["INPUT", "-s", address], ["OUTPUT", "-d", address], ["FORWARD", "-s", address], ["FORWARD", "-d", address]]
        for rule in rules:
            subprocess.run(["iptables", "-I", *rule, "-j", "DROP"], check=True)
        try:
            time.sleep(self.chance.uniform(5, 25))
        finally:
            for rule in rules:
                subprocess.run(["iptables", "-D", *rule, "-j", "DROP"], check=True)

    def turn_clock(self):
        """Sets the clock of one pod wrong, at once, and right again after some seconds."""
        names = sorted(pod["metadata"]["name"] for pod in self.pods())
        if not names:
            return
        file = pathlib.Path(self.arguments.clocks) / self.chance.choice(names)
        days = 24 * 60 * 60
        wrong = self.chance.choice((-40 * days, -7200, -30, 30, 7200, 40 * days, 1000 * days))
        print(f"     {wrong} s: {file.name}", flush=True)
        file.write_text(str(wrong))
        time.sleep(self.chance.uniform(5, 40))
        file.unlink()

    def stick(self):
        path = "/api/v1/namespaces/services/configmaps"
        trouble = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "operator-trouble"},
                   "data": {"since": now()}}
        self.api.call("DELETE", path + "/operator-trouble")
        self.api.call("POST", path, trouble)

    def roll_out(self):
        path = f"/apis/apps/v1/namespaces/{self.arguments.namespace}/deployments/shipshape"
        stamp = {"spec": {"template": {"metadata": {"annotations": {"storm": now()}}}}}
        self.api.call("PATCH", path, stamp, "application/merge-patch+json")

    def faults(self):
        here = f"/namespaces/{self.arguments.namespace}"
        return {
            "kill a webhook": lambda: self.signalled(self.one("webhook")),
            "kill both webhooks": lambda: [self.signalled(pid) for pid in self.pids("webhook")],
            "kill a janitor": lambda: self.signalled(self.one("janitor")),
            "stop a webhook": lambda: self.signalled(self.one("webhook"), self.chance.uniform(2, 12)),
            "stop a janitor": lambda: self.signalled(self.one("janitor"), self.chance.uniform(5, 40)),
            "stop the API server": lambda: self.signalled(self.pid("apiserver"), self.chance.uniform(2, 8)),
            "stop etcd, so 500 and 504 for all": lambda: self.signalled(self.pid("etcd"), self.chance.uniform(5, 25)),
            "restart the API server": self.restart_api_server,
            "restart the API server, 410 for the past": lambda: [self.compact(), self.restart_api_server()],
            "429 for most we ask": self.reject_us,
            "no network for a pod": self.lose_network,
            "a wrong clock for a pod": self.turn_clock,
            "delete the certificates": lambda: self.api.call("DELETE", f"/api/v1{here}/secrets/shipshape-webhook-certificates"),
            "delete the Lease": lambda: self.api.call("DELETE", f"/apis/coordination.k8s.io/v1{here}/leases/shipshape-janitor"),
            "roll out anew": self.roll_out,
            "a stuck operator": self.stick,
        }

    # The run.

    def run(self):
        self.learn()
        threads = [threading.Thread(target=each, daemon=True) for each in (self.offer_bad, self.offer_good, self.pile_up, self.keep_lines)]
        for each in threads:
            each.start()
        faults, end = self.faults(), time.time() + self.arguments.minutes * 60
        while time.time() < end:
            name = self.chance.choice(sorted(faults))
            print(f"   {now()} {name}", flush=True)
            faults[name]()
            time.sleep(self.chance.uniform(3, 20))
        self.api.call("DELETE", "/api/v1/namespaces/services/configmaps/operator-trouble")
        self.settle()
        self.quiet = True
        time.sleep(15)
        self.over = True
        for each in threads:
            each.join(40)
        self.audit()
        print("   " + ", ".join(f"{key}: {value}" for key, value in sorted(self.counts.items())))
        if self.wrong:
            raise SystemExit(f"seed {self.arguments.seed}: {len(self.wrong)} times wrong")
        print(f"   seed {self.arguments.seed}: all held")

    def settle(self):
        """Checks that all replicas are ready and know the same, within a minute after the last fault."""
        begun = time.time()
        seen = None
        while time.time() < begun + 60:
            pods = [pod for pod in self.pods() if not pod["metadata"].get("deletionTimestamp") and pod["status"].get("phase") == "Running"]
            ready = [all(each["ready"] for each in pod["status"].get("containerStatuses", [])) for pod in pods]
            known = [self.metric(pod["metadata"]["name"], "shipshape_webhook_index_known_invalid") for pod in pods]
            seen = (ready, known)
            if len(ready) == 2 and all(ready) and known[0] and known[0] == known[1]:
                print(f"   of one mind {time.time() - begun:.0f} s after the last fault: {known[0]}")
                return
            time.sleep(1)
        self.failed(f"a minute after the last fault: ready {seen[0]}, known {seen[1]}")

    def metric(self, pod, name):
        path = f"/api/v1/namespaces/{self.arguments.namespace}/pods/{pod}:8080/proxy/metrics"
        return sorted(line for line in self.api.call("GET", path)[1].splitlines() if line.startswith(name + "{"))

    def audit(self):
        account = f"system:serviceaccount:{self.arguments.namespace}:"
        restarts, deleted = [], {}
        for line in (line for file in sorted(self.folder.glob("audit*.log")) for line in open(file)):
            event = json.loads(line)
            about, code = event.get("objectRef", {}), event.get("responseStatus", {}).get("code", 0)
            if event["stage"] != "ResponseComplete" or not 200 <= code < 300 or "dryRun" in event["requestURI"]:
                continue
            name = about.get("name") or event.get("responseObject", {}).get("metadata", {}).get("name", "")
            if about.get("resource") == "nodeconfigs" and name.startswith("storm-bad") and event["verb"] in ("create", "update", "patch"):
                self.failed(f"audit log: {event['auditID']}: {name} was stored")
            if not event["user"]["username"].startswith(account):
                continue
            if about.get("resource") == "cfsessions" and event["verb"] == "delete":
                preconditions = event.get("requestObject", {}).get("preconditions", {})
                if name not in self.mayGo:
                    self.failed(f"audit log: {event['auditID']}: {name} was deleted, which was not to go")
                if not preconditions.get("uid") or not preconditions.get("resourceVersion"):
                    self.failed(f"audit log: {event['auditID']}: {name} was deleted without preconditions")
                deleted[event["auditID"]] = (name, preconditions.get("uid"))
            if about.get("resource") == "deployments" and about.get("namespace") == "services" and event["verb"] in ("patch", "update"):
                if "template" in event.get("requestObject", {}).get("spec", {}):
                    restarts.append(datetime.datetime.fromisoformat(event["requestReceivedTimestamp"]))
        # Only now: the janitors go on while the audit log is read.
        self.collect()
        lines = b"".join(self.lines.values()).decode().splitlines()
        pathlib.Path(self.arguments.lines).write_text("\n".join(lines))
        begun = {json.loads(line.split(" ", 3)[3])["uid"] for line in lines if '"event":"begin"' in line}
        for audit, (name, uid) in deleted.items():
            if uid not in begun:
                self.failed(f"audit log: {audit}: {name} was deleted without a begin line")
        for before, after in zip(restarts, restarts[1:]):
            if (after - before).total_seconds() < COOLDOWN:
                self.failed(f"restarted at {before} and at {after}")
        print(f"   {len(deleted)} sessions deleted, {len(restarts)} restarts")
        if not deleted:
            self.failed("no session was deleted")


def now():
    return datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


parser = argparse.ArgumentParser(prog="storm")
for name in ("kubeconfig", "cluster", "namespace", "clocks", "lines"):
    parser.add_argument(name)
parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000))
parser.add_argument("--minutes", type=float, default=10)
arguments = parser.parse_args()
print(f"   seed {arguments.seed}, {arguments.minutes:g} minutes", flush=True)
Storm(arguments).run()
