"""Installs, upgrades and uninstalls the chart on the cluster of KUBECONFIG, a disposable one.

install.py HELM3 HELM4. It needs no node: it plays the kubelet for the hooks, and says which replicas
are ready. These are two programs beside it, with the rights of the chart's account, that the API server
cannot reach by their Service.
"""

import base64
import json
import os
import pathlib
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

import yaml
from common import CHART, ROOT, Report, load

NAMESPACE = "shipshape"
REGISTRATION = "/apis/admissionregistration.k8s.io/v1/"
CONFIGURATIONS = ("mutatingwebhookconfigurations", "validatingwebhookconfigurations")
MUTATING, VALIDATING = (f"{REGISTRATION}{plural}/shipshape" for plural in CONFIGURATIONS)
DISARMED = f"/api/v1/namespaces/{NAMESPACE}/configmaps/shipshape-disarmed"
NODE_CONFIGS = "/apis/network.schiff.telekom.de/v1alpha1/nodeconfigs"
report = Report()


class Api:
    def __init__(self, kubeconfig, headers=None):
        config = load(kubeconfig)
        cluster, user = config["clusters"][0]["cluster"], config["users"][0]["user"]
        self.server = cluster["server"]
        self.context = ssl.create_default_context(
            cafile=self.file(cluster, "certificate-authority")
        )
        if "token" not in user:
            self.context.load_cert_chain(
                self.file(user, "client-certificate"), self.file(user, "client-key")
            )
        self.headers = {"Authorization": "Bearer " + user["token"]} if "token" in user else {}
        self.headers |= headers or {}

    @staticmethod
    def file(section, name):
        if name in section:
            return section[name]
        with tempfile.NamedTemporaryFile(delete=False) as file:
            file.write(base64.b64decode(section[name + "-data"]))
        return file.name

    def call(self, method, path, body=None, content="application/json"):
        request = urllib.request.Request(
            self.server + path, method=method, headers=self.headers | {"Content-Type": content}
        )
        request.data = None if body is None else json.dumps(body).encode()
        try:
            with urllib.request.urlopen(request, context=self.context, timeout=60) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as e:
            text = e.read().decode()
            return e.code, json.loads(text) if text.startswith("{") else {"message": text}

    def get(self, path):
        return self.call("GET", path)

    def apply(self, path, body, manager):
        return self.call(
            "PATCH",
            f"{path}?fieldManager={manager}&force=true",
            body,
            "application/apply-patch+yaml",
        )


def until(condition, what, seconds=60):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.2)
    report.expect(False, f"not within {seconds} s: {what}")
    return False


def node_config(name, **metadata):
    return {
        "apiVersion": "network.schiff.telekom.de/v1alpha1",
        "kind": "NodeConfig",
        "metadata": {"name": name, **metadata},
        "spec": {"layer2": [], "routingTable": [], "vrf": []},
    }


def helm(program, *arguments, fails=False):
    ran = subprocess.run(
        [program, *arguments, "--namespace", NAMESPACE], capture_output=True, text=True, check=False
    )
    report.expect(
        (ran.returncode != 0) == fails, f"helm {' '.join(arguments)}: {ran.stdout}{ran.stderr}"
    )
    return ran.stdout + ran.stderr


def everything(api):
    """All objects that a release could make, by path."""
    namespaced = {
        "/api/v1": ("serviceaccounts", "services", "configmaps", "secrets"),
        "/apis/apps/v1": ("deployments",),
        "/apis/batch/v1": ("jobs",),
        "/apis/policy/v1": ("poddisruptionbudgets",),
        "/apis/rbac.authorization.k8s.io/v1": ("roles", "rolebindings"),
        "/apis/networking.k8s.io/v1": ("networkpolicies",),
        "/apis/coordination.k8s.io/v1": ("leases",),
    }
    clusterwide = {
        "/apis/rbac.authorization.k8s.io/v1": ("clusterroles", "clusterrolebindings"),
        REGISTRATION.rstrip("/"): (
            *CONFIGURATIONS,
            "validatingadmissionpolicies",
            "validatingadmissionpolicybindings",
        ),
    }
    found = set()
    for base, kinds in list(namespaced.items()) + list(clusterwide.items()):
        for kind in kinds:
            for item in api.get(f"{base}/{kind}")[1].get("items", []):
                if "shipshape" in item["metadata"]["name"]:
                    found.add(
                        f"{kind}/{item['metadata'].get('namespace', '')}/{item['metadata']['name']}"
                    )
    return found


def kubeconfig_of(api, account):
    """A file by which a program is this account."""
    path = f"/api/v1/namespaces/{NAMESPACE}/serviceaccounts/{account}/token"
    body = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {}}
    config = load(os.environ["KUBECONFIG"])
    config["users"][0]["user"] = {"token": api.call("POST", path, body)[1]["status"]["token"]}
    config["contexts"][0]["context"]["namespace"] = NAMESPACE
    return written("kubeconfig", config)


def written(name, content):
    file = pathlib.Path(tempfile.mkdtemp()) / name
    file.write_text(yaml.safe_dump(content))
    return str(file)


def free_port():
    with socket.socket() as found:
        found.bind(("", 0))
        return found.getsockname()[1]


def address():
    """One of this machine's that an endpoint may have; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as found:
        found.connect(("198.51.100.1", 9))
        return found.getsockname()[0]


class Replicas:
    """Two replicas, by the settings in the cluster. Whether they are ready is said by hand."""

    slices = f"/apis/discovery.k8s.io/v1/namespaces/{NAMESPACE}/endpointslices"

    def __init__(self, api):
        self.api = api
        self.programs = []
        self.ports = []

    def __enter__(self):
        settings = f"/api/v1/namespaces/{NAMESPACE}/configmaps/shipshape-settings"
        rendered = yaml.safe_load(self.api.get(settings)[1]["data"]["webhook.yaml"])
        kubeconfig = kubeconfig_of(self.api, "shipshape")
        for _ in range(2):
            port = free_port()
            own = {"listen": {"port": port}, "management": {"port": free_port()}}
            own |= {"drain": "1s", "drainConnections": "0s"}
            command = [ROOT / "plugin/bin/shipshape", "webhook", "--kubeconfig", kubeconfig]
            command += ["--settings", written("webhook.yaml", rendered | own)]
            log = open(tempfile.mkstemp(suffix=".log")[1], "w+")  # noqa: SIM115
            self.programs.append((subprocess.Popen(command, stdout=log, stderr=log), log))
            self.ports.append(port)
        return self

    def ready(self):
        for node, port in enumerate(self.ports):
            name = f"replica-{node}"
            body = {
                "apiVersion": "discovery.k8s.io/v1",
                "kind": "EndpointSlice",
                "metadata": {
                    "name": name,
                    "labels": {"kubernetes.io/service-name": "shipshape-webhook"},
                },
                "addressType": "IPv4",
                "ports": [{"name": "https", "port": port}],
                "endpoints": [
                    {
                        "addresses": [address()],
                        "conditions": {"ready": True},
                        "nodeName": f"node-{node}",
                        "targetRef": {"kind": "Pod", "name": name},
                    }
                ],
            }
            self.api.apply(f"{self.slices}/{name}", body, "install-check")

    def lost(self):
        for node in range(len(self.ports)):
            self.api.call("DELETE", f"{self.slices}/replica-{node}")

    def say(self, text):
        def said():
            return any(text in pathlib.Path(log.name).read_text() for _, log in self.programs)

        if not until(said, f"a replica says: {text}"):
            for _, log in self.programs:
                print(pathlib.Path(log.name).read_text(), file=sys.stderr)

    def renew(self):
        """As an upgrade does it: both with the settings that are in the cluster now."""
        self.__exit__()
        self.programs, self.ports = [], []
        self.__enter__()

    def __exit__(self, *_):
        self.lost()
        for program, log in self.programs:
            program.terminate()
            program.wait(30)
            log.close()


def expect_guards(api, when, **wanted):
    """Waits until the guards are as they should be: Fail or Ignore, by name."""

    def found():
        entries = api.get(VALIDATING)[1].get("webhooks", [])
        paths = {"Fail": {"/validate", "/validate-override"}, "Ignore": {"/audit"}}
        return {
            guard: policy
            for guard in {w["name"].split(".")[0] for w in entries}
            for policy in paths
            if {
                (w["failurePolicy"], w["clientConfig"]["service"]["path"])
                for w in entries
                if w["name"].split(".")[0] == guard
            }
            == {(policy, path) for path in paths[policy]}
        }

    wanted = {guard.replace("_", "-"): policy for guard, policy in wanted.items()}
    if not until(lambda: found() == wanted, f"{when}: {wanted}", 20):
        print(f"{when}: found {found()}", file=sys.stderr)


def expect_bundle(api, when):
    """The service writes it into the one, from which the other has it."""

    def same():
        bundles = {
            webhook["clientConfig"].get("caBundle")
            for path in (MUTATING, VALIDATING)
            for webhook in api.get(path)[1].get("webhooks", [])
        }
        return len(bundles) == 1 and None not in bundles

    until(same, f"{when}: the same caBundle everywhere", 20)


def create(api, body):
    return api.call("POST", NODE_CONFIGS + "?dryRun=All", body)


def the_guard_fails_closed_and_narrow(api, kubeconfig):
    """Armed, without a single replica: guarded writes fail, and nothing else does."""

    def refused():
        status, said = create(api, node_config("worker-1"))
        return status == 500 and "failed calling webhook" in said["message"]

    until(refused, "an armed guard without replicas refuses")
    repair = Api(
        kubeconfig, {"Impersonate-User": "somebody", "Impersonate-Group": "cluster-repair"}
    )
    api.call(
        "POST",
        "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
        {
            "metadata": {"name": "install-check"},
            "roleRef": {
                "apiGroup": "rbac.authorization.k8s.io",
                "kind": "ClusterRole",
                "name": "cluster-admin",
            },
            "subjects": [
                {"apiGroup": "rbac.authorization.k8s.io", "kind": "Group", "name": "cluster-repair"}
            ],
        },
    )
    until(
        lambda: create(repair, node_config("worker-1"))[0] == 201, "who repairs clusters can write"
    )
    writes = {
        "/api/v1/nodes": {"metadata": {"name": "install-check"}},
        f"/api/v1/namespaces/{NAMESPACE}/configmaps": {"metadata": {"name": "install-check"}},
        "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases": {
            "metadata": {"name": "install-check"},
            "spec": {},
        },
        "/api/v1/namespaces/kube-system/pods": {
            "metadata": {"name": "install-check"},
            "spec": {"containers": [{"name": "c", "image": "i"}]},
        },
    }
    for path, body in writes.items():
        status, said = api.call("POST", path + "?dryRun=All", body)
        report.expect(
            status == 201, f"with the guard armed and no replica, {path} cannot be written: {said}"
        )
    status, said = api.call(
        "PATCH",
        NODE_CONFIGS + "/leaving",
        {"spec": {"routingTable": [{"tableId": 7}]}},
        "application/merge-patch+json",
    )
    report.expect(
        status == 500, f"an object that is being deleted gets another configuration: {said}"
    )
    status, said = api.call(
        "PATCH",
        NODE_CONFIGS + "/leaving",
        {"metadata": {"finalizers": None}},
        "application/merge-patch+json",
    )
    report.expect(status == 200, f"an object that is being deleted is held up: {said}")
    report.expect(
        api.get(NODE_CONFIGS + "/leaving")[0] == 404,
        "the object that is being deleted is still there",
    )
    status, said = api.call(
        "PATCH",
        NODE_CONFIGS + "/staying",
        {"metadata": {"labels": {"mine": "yes"}}},
        "application/merge-patch+json",
    )
    report.expect(status == 200, f"a label waits for a replica: {said}")
    api.call("DELETE", NODE_CONFIGS + "/staying")


def leaving(api):
    """An object that waits for its finalizer, and one that stays."""
    api.call("POST", NODE_CONFIGS, node_config("staying"))
    status, said = api.call(
        "POST", NODE_CONFIGS, node_config("leaving", finalizers=["example.com/wait"])
    )
    report.expect(status == 201, f"unarmed, a NodeConfig cannot be written: {said}")
    api.call("DELETE", NODE_CONFIGS + "/leaving")


def pods(api, component, count):
    """The namespace is restricted: pods are there only if pod security lets them be."""
    path = f"/api/v1/namespaces/{NAMESPACE}/pods?labelSelector=app.kubernetes.io%2Fcomponent%3D{component}"
    until(lambda: len(api.get(path)[1]["items"]) >= count, f"{count} pods of the {component}")


def helm_test(api, program):
    """The probe's account may ask by dry run; that its pod succeeds is played."""
    pod = f"/api/v1/namespaces/{NAMESPACE}/pods/shipshape-test-probe"

    def play():
        if until(lambda: api.get(pod)[0] == 200, "the pod of helm test"):
            allowed = may(
                api,
                "shipshape-test-probe",
                "",
                "create",
                "network.schiff.telekom.de",
                "nodeconfigs",
            )
            report.expect(allowed, "the account of helm test may not create nodeconfigs")
            api.call(
                "PATCH",
                pod + "/status",
                {"status": {"phase": "Succeeded"}},
                "application/merge-patch+json",
            )

    kubelet = threading.Thread(target=play, daemon=True)
    kubelet.start()
    said = helm(program, "test", "shipshape", "--timeout", "60s")
    kubelet.join(60)
    report.expect("Succeeded" in said, f"helm test: {said}")


def plays_the_kubelet(api, done):
    """Does what the hook's program does, with the rights of its account, and lets its pod succeed."""
    jobs = f"/apis/batch/v1/namespaces/{NAMESPACE}/jobs/shipshape-uninstall-hook"
    if not until(lambda: api.get(jobs)[0] == 200, "the uninstall hook's Job"):
        return
    account = f"/api/v1/namespaces/{NAMESPACE}/serviceaccounts/shipshape-uninstall-hook/token"
    token = api.call(
        "POST",
        account,
        {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {}},
    )[1]["status"]["token"]
    hook = Api(os.environ["KUBECONFIG"])
    hook.headers = {"Authorization": "Bearer " + token}
    for plural in CONFIGURATIONS:
        status, said = hook.call("DELETE", f"{REGISTRATION}{plural}/shipshape")
        report.expect(status in (200, 404), f"the hook's account may not delete {plural}: {said}")
        status, _ = hook.call("DELETE", f"{REGISTRATION}{plural}/another")
        report.expect(status == 403, f"the hook's account may delete other {plural}")
    pods = f"/api/v1/namespaces/{NAMESPACE}/pods"

    def pod():
        items = api.get(pods + "?labelSelector=job-name%3Dshipshape-uninstall-hook")[1]["items"]
        return items and items[0]["metadata"]["name"]

    until(pod, "the uninstall hook's pod")
    status, said = api.call(
        "PATCH",
        f"{pods}/{pod()}/status",
        {"status": {"phase": "Succeeded"}},
        "application/merge-patch+json",
    )
    report.expect(status == 200, f"the hook's pod: {said}")
    done.set()


def uninstall(api, program):
    done = threading.Event()
    kubelet = threading.Thread(target=plays_the_kubelet, args=(api, done), daemon=True)
    kubelet.start()
    helm(program, "uninstall", "shipshape", "--timeout", "90s")
    kubelet.join(90)
    report.expect(done.is_set(), "the uninstall hook did not run")


def may(api, account, namespace, verb, group, resource, name=""):
    resource, _, sub = resource.partition("/")
    body = {
        "apiVersion": "authorization.k8s.io/v1",
        "kind": "SubjectAccessReview",
        "spec": {
            "user": f"system:serviceaccount:{NAMESPACE}:{account}",
            "groups": ["system:serviceaccounts", "system:authenticated"],
            "resourceAttributes": {
                "verb": verb,
                "group": group,
                "resource": resource,
                "subresource": sub,
                "namespace": namespace,
                "name": name,
            },
        },
    }
    return api.call("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", body)[1][
        "status"
    ]["allowed"]


def rights_follow_the_arming(api, armed):
    questions = [
        ("delete", "cms.cray.com", "cfsessions", "", armed),
        ("list", "cms.cray.com", "cfsessions", "", True),
        ("patch", "apps", "deployments", "cray-cfs-operator", armed),
        ("get", "apps", "deployments", "cray-cfs-operator", True),
        ("get", "", "pods/log", "", True),
        ("list", "batch", "jobs", "", armed),
        ("watch", "", "pods", "", False),
        ("watch", "cms.cray.com", "cfsessions", "", False),
        ("delete", "batch", "jobs", "", False),
        ("patch", "apps", "deployments", "other", False),
        ("delete", "", "pods", "", False),
        ("get", "", "secrets", "", False),
        ("create", "events.k8s.io", "events", "", True),
    ]
    for verb, group, resource, name, expected in questions:
        allowed = may(api, "shipshape", "services", verb, group, resource, name)
        report.expect(
            allowed == expected,
            f"armed={armed}: may the janitor {verb} {resource} {name}: {allowed}",
        )


def a_stolen_token_opens_nothing(api, kubeconfig):
    """With the rights of everything armed: the work goes on, and nothing else does."""
    thief = Api(
        kubeconfig,
        {
            "Impersonate-User": f"system:serviceaccount:{NAMESPACE}:shipshape",
            "Impersonate-Group": "system:serviceaccounts",
        },
    )
    deployments = "/apis/apps/v1/namespaces/services/deployments"
    operator = deployments + "/cray-cfs-operator"
    container = {"name": "cray-cfs-operator", "image": "example.com/operator"}
    labels = {"app": "operator"}
    api.call(
        "POST",
        deployments,
        {
            "metadata": {"name": "cray-cfs-operator"},
            "spec": {
                "replicas": 0,
                "selector": {"matchLabels": labels},
                "template": {"metadata": {"labels": labels}, "spec": {"containers": [container]}},
            },
        },
    )
    webhook = api.get(MUTATING)[1]["webhooks"][0]
    everything_else = webhook | {
        "rules": [{**webhook["rules"][0], "apiGroups": ["*"], "resources": ["*"]}]
    }
    secrets = webhook | {
        "rules": [{**webhook["rules"][0], "apiGroups": [""], "resources": ["secrets"]}]
    }
    elsewhere = webhook | {"clientConfig": {"url": "https://example.com"}}
    another = {"service": {"name": "another", "namespace": NAMESPACE}}

    def pods(**change):
        return {"spec": {"template": change}}

    attacks = [
        (operator, pods(spec={"containers": [container | {"image": "example.com/mine"}]})),
        (operator, pods(spec={"hostPID": True})),
        (operator, pods(spec={"serviceAccountName": "admin"})),
        (operator, pods(metadata={"labels": {"mine": "yes"}})),
        (operator, pods(metadata={"annotations": {"inject.example.com/sidecar": "mine"}})),
        (operator, {"spec": {"replicas": 9}}),
        (operator, {"spec": {"paused": True}}),
        (operator, {"metadata": {"labels": {"mine": "yes"}}}),
        (operator, {"metadata": {"annotations": {"example.com/mine": "yes"}}}),
        (operator, {"metadata": {"finalizers": ["example.com/mine"]}}),
        (MUTATING, {"webhooks": [everything_else]}),
        (MUTATING, {"webhooks": [secrets]}),
        (MUTATING, {"webhooks": [elsewhere]}),
        (MUTATING, {"webhooks": [webhook | {"clientConfig": another}]}),
    ]
    for path, change in attacks:

        def denied(path=path, change=change):
            status, said = thief.call(
                "PATCH", path + "?dryRun=All", change, "application/merge-patch+json"
            )
            return status == 403 and "ValidatingAdmissionPolicy" in said["message"]

        until(denied, f"a stolen token may not write {change} to {path}", 10)
    restart = pods(
        metadata={"annotations": {"kubectl.kubernetes.io/restartedAt": "2026-01-01T00:00:00Z"}}
    ) | {"metadata": {"annotations": {"shipshape.dev/restarts": "2026-01-01T00:00:00Z"}}}
    for _ in range(2):
        status, said = thief.call("PATCH", operator, restart, "application/merge-patch+json")
        report.expect(status == 200, f"the janitor cannot restart the operator: {said}")
    api.call("DELETE", operator)
    # The API server itself counts a DaemonSet's templates, in an annotation.
    agents = "/apis/apps/v1/namespaces/services/daemonsets"
    template = {"metadata": {"labels": labels}, "spec": {"containers": [container]}}
    spec = {"selector": {"matchLabels": labels}, "template": template}
    api.call("POST", agents, {"metadata": {"name": "node-agent"}, "spec": spec})
    status, said = thief.call(
        "PATCH", agents + "/node-agent", restart, "application/merge-patch+json"
    )
    report.expect(status == 200, f"the janitor cannot restart a DaemonSet: {said}")
    api.call("DELETE", agents + "/node-agent")
    mine = api.get(VALIDATING)[1] | {"metadata": {"name": "mine"}}
    path = REGISTRATION + "validatingwebhookconfigurations?dryRun=All"
    status, said = thief.call("POST", path, mine)
    report.expect(status == 403, f"a stolen token registers a webhook: {said}")
    release = {"owner": "helm", "name": "shipshape", "status": "deployed", "version": "99"}
    for kind, metadata in (
        ("secrets", {"name": "sh.helm.release.v1.shipshape.v99"}),
        ("secrets", {"name": "shipshape-janitor-status", "labels": release}),
        ("configmaps", {"name": "shipshape-disarmed"}),
    ):
        path = f"/api/v1/namespaces/{NAMESPACE}/{kind}?dryRun=All"
        status, said = thief.call("POST", path, {"metadata": metadata})
        report.expect(status == 403, f"a stolen token makes {kind} {metadata}: {said}")


def round_trip(api, installer, upgrader):
    """Installed, armed, upgraded, rolled back, healed and stopped: a guard is armed in one way."""
    kubeconfig = os.environ["KUBECONFIG"]
    before = everything(api)
    helm(installer, "install", "shipshape", str(CHART))
    rights_follow_the_arming(api, False)
    pods(api, "webhook", 2)
    helm_test(api, upgrader)
    with Replicas(api) as replicas:
        expect_guards(api, "installed", nodeconfig="Ignore")
        leaving(api)
        values = ["--values", str(CHART / "ci/armed-values.yaml")]
        helm(upgrader, "upgrade", "shipshape", str(CHART), *values)
        replicas.renew()
        all_of = ("nodeconfig", "schiff_revisions", "t_caas")
        armed, unarmed = dict.fromkeys(all_of, "Fail"), dict.fromkeys(all_of, "Ignore")
        expect_guards(api, "to be armed, with no replica ready", **unarmed)
        replicas.say("0 replicas are ready, 2 are needed")
        replicas.ready()
        expect_guards(api, "with two replicas ready", **armed)
        expect_bundle(api, "armed")
        rights_follow_the_arming(api, True)
        a_stolen_token_opens_nothing(api, kubeconfig)
        replicas.lost()
        the_guard_fails_closed_and_narrow(api, kubeconfig)
        only_their_writers_write_records(api, kubeconfig)
        apart = ["--values", str(CHART / "ci/separate-values.yaml")]
        apart += ["--set", "monitoring.serviceMonitor.enabled=false"]
        helm(upgrader, "upgrade", "shipshape", str(CHART), *apart)
        pods(api, "janitor", 2)
        expect_guards(api, "no longer to be armed", nodeconfig="Ignore")
        expect_bundle(api, "upgraded")
        report.expect(
            not may(api, "shipshape", "services", "list", "cms.cray.com", "cfsessions"),
            "the webhook kept the janitor's rights",
        )
        report.expect(
            may(api, "shipshape-janitor", "services", "list", "cms.cray.com", "cfsessions"),
            "the separate janitor has no rights",
        )
        helm(upgrader, "rollback", "shipshape", "2")
        expect_guards(api, "rolled back to armed, with no replica ready", **unarmed)
        replicas.ready()
        expect_guards(api, "rolled back, with two replicas ready", **armed)
        break_glass_holds(api, upgrader, values, replicas, armed)
        uninstall(api, upgrader)
        until(lambda: api.get(VALIDATING)[0] == 404, "no replica registers what is uninstalled")
    until(
        lambda: everything(api) - before == {f"secrets/{NAMESPACE}/shipshape-webhook-certificates"},
        f"left behind: {everything(api) - before}",
        30,
    )
    api.call("DELETE", f"/api/v1/namespaces/{NAMESPACE}/secrets/shipshape-webhook-certificates")


def only_their_writers_write_records(api, kubeconfig):
    """Armed, and with the webhook away. An unchanged configuration may be written by anybody."""
    operator = Api(
        kubeconfig,
        {
            "Impersonate-User": "system:serviceaccount:network:operator",
            "Impersonate-Group": "system:masters",
        },
    )
    repair = Api(
        kubeconfig, {"Impersonate-User": "somebody", "Impersonate-Group": "cluster-repair"}
    )

    def refused(name):
        status, said = create(api, node_config(name))
        return status in (403, 422) and "guard.recordWriters" in said["message"]

    for name in ("worker-1-invalid", "worker-1-backup"):
        until(lambda name=name: refused(name), f"{name} is written by anybody", 20)
    status, said = create(api, node_config("worker-1-backups"))
    report.expect("guard.recordWriters" not in said.get("message", ""), f"no record: {said}")
    owner = {"apiVersion": "v1", "kind": "Node", "name": "db-backup", "uid": "x"}
    status, said = create(api, node_config("db-backup", ownerReferences=[owner]))
    report.expect("guard.recordWriters" not in said.get("message", ""), f"a node's own: {said}")
    for owners in ([owner | {"apiVersion": "v2"}], [owner, owner | {"name": "db"}]):
        status, said = create(api, node_config("db-backup", ownerReferences=owners))
        report.expect("guard.recordWriters" in said.get("message", ""), f"{owners}: {said}")
    status, said = create(operator, node_config("worker-1-backup"))
    report.expect(
        status == 500 and "failed calling webhook" in said["message"], f"the operator's: {said}"
    )
    status, said = repair.call("POST", NODE_CONFIGS, node_config("worker-1-backup"))
    report.expect(status == 201, f"who repairs clusters may not write a record: {said}")
    record, merge = NODE_CONFIGS + "/worker-1-backup", "application/merge-patch+json"
    for change, wanted in (
        ({"metadata": {"labels": {"a": "b"}}}, False),
        ({"spec": {"routingTable": [{"tableId": 7}]}}, True),
    ):
        status, said = api.call("PATCH", record, change, merge)
        report.expect(
            ("guard.recordWriters" in said.get("message", "")) == wanted, f"{change}: {said}"
        )
    repair.call("DELETE", record)
    # The finalizer keeps it, for there is no such node.
    own = node_config("db-backup", ownerReferences=[owner], finalizers=["example.com/keep"])
    repair.call("POST", NODE_CONFIGS, own)
    for caller, wanted in ((api, True), (repair, False)):
        change = {"metadata": {"ownerReferences": None, "finalizers": None}}
        status, said = caller.call("PATCH", NODE_CONFIGS + "/db-backup", change, merge)
        report.expect(
            ("guard.recordWriters" in said.get("message", "")) == wanted,
            f"a node's own becomes a record: {said}",
        )
    repair.call("DELETE", NODE_CONFIGS + "/db-backup")


def break_glass_holds(api, program, values, replicas, armed):
    """What somebody deletes comes back, unless it was stopped: not even by what heals a release."""
    api.call("DELETE", VALIDATING)
    expect_guards(api, "deleted, and not stopped", **armed)
    api.call("POST", DISARMED.rsplit("/", 1)[0], {"metadata": {"name": "shipshape-disarmed"}})
    api.call("DELETE", VALIDATING)
    replicas.say("nothing is registered: disarmed by the ConfigMap shipshape-disarmed")
    until(lambda: api.get(VALIDATING)[0] == 404, "stopped")
    until(
        lambda: create(api, node_config("worker-1-invalid"))[0] == 201,
        "stopped, the policy of records refuses nothing either",
    )
    rendered = helm(program, "template", "shipshape", str(CHART), *values)
    for one in yaml.safe_load_all(rendered):
        if one and one["kind"] == "MutatingWebhookConfiguration":
            api.apply(MUTATING, one, "gitops")
        if one and one["kind"] == "ConfigMap":
            path = f"/api/v1/namespaces/{NAMESPACE}/configmaps/{one['metadata']['name']}"
            api.apply(path, one, "gitops")
    helm(program, "upgrade", "shipshape", str(CHART), *values)
    report.expect(api.get(VALIDATING)[0] == 404, "what was stopped came back")
    api.call("DELETE", DISARMED)
    expect_guards(api, "no longer stopped", **armed)


def change_of_source(api, installer, upgrader, *flags):
    """As docs/reference/certificates.md says it: with Helm 4 by force."""
    helm(installer, "install", "shipshape", str(CHART))
    with Replicas(api) as replicas:
        replicas.ready()
        upgrade = ["upgrade", "shipshape", str(CHART), "--set", "guard.armed=true"]
        upgrade += ["--set", "guard.acknowledgedGroups={network.schiff.telekom.de}"]
        helm(upgrader, *upgrade)
        expect_guards(api, "armed", nodeconfig="Fail")
        mine = load(CHART / "ci/existing-secret-values.yaml")["certificates"]["caBundle"]
        values = {"source": "existing-secret", "existingSecret": "mine", "caBundle": mine}
        changed = [*upgrade, "--set-json", f"certificates={json.dumps(values)}"]
        if flags:
            said = helm(upgrader, *changed, fails=True)
            report.expect('conflict with "shipshape-certificates"' in said, f"not forced: {said}")
        helm(upgrader, *changed, *flags)

        def trusted():
            guards = [w for w in api.get(VALIDATING)[1]["webhooks"] if w["name"] != "proof.shipshape.dev"]
            bundles = {w["clientConfig"]["caBundle"] for w in guards}
            return {base64.b64decode(b).decode().endswith(mine) for b in bundles} == {True} and all(
                len(base64.b64decode(b)) > len(mine) for b in bundles
            )

        until(trusted, "while old replicas serve, both authorities are trusted", 20)
        expect_guards(api, "armed all the while", nodeconfig="Fail")
        bundle = api.get(MUTATING)[1]["webhooks"][0]["clientConfig"]["caBundle"]
        report.expect(base64.b64decode(bundle).decode() == mine, "an old replica put its own back")
        helm(upgrader, "uninstall", "shipshape", "--no-hooks")
        until(lambda: api.get(VALIDATING)[0] == 404, "nothing is armed without a release")
    api.call("DELETE", f"/api/v1/namespaces/{NAMESPACE}/secrets/shipshape-webhook-certificates")


def a_guard_of_ones_own_is_armed_by_its_name(api, program):
    """As "upgrade --arm guard=NAME" does it: the values of the last time stay."""
    resource = {"group": "example.com", "version": "v1", "plural": "widgets", "kind": "Widget"}
    invalid = {"field": "status.state", "equals": "invalid"}
    guard = {"resource": resource, "invalidWhen": invalid, "identity": {"content": "spec"}}
    custom = json.dumps({"widgets": guard, "gears": guard | {"resource": resource | {"plural": "gears"}}})
    helm(program, "install", "shipshape", str(CHART), "--set-json", f"guard.custom={custom}")

    def policies(*sets):
        helm(program, "upgrade", "shipshape", str(CHART), "--reset-then-reuse-values", *sets)
        path = f"/api/v1/namespaces/{NAMESPACE}/configmaps/shipshape-guard"
        wish = yaml.safe_load(api.get(path)[1]["data"]["validating.yaml"])
        return {
            each["name"].split(".")[0]: each["failurePolicy"]
            for each in wish["webhooks"]
            if each["name"].endswith(".validate.shipshape.dev")
        }

    for value, policy in (("true", "Fail"), ("false", "Ignore")):
        found = policies("--set", f"guard.custom.widgets.armed={value}")
        wanted = {"nodeconfig": "Ignore", "widgets": policy, "gears": "Ignore"}
        report.expect(found == wanted, f"guard=widgets, armed={value}: {found}")
    found = policies("--set", "guard.custom.gears=null")
    report.expect(set(found) == {"nodeconfig", "widgets"}, f"gears is taken away: {found}")
    said = helm(
        program, "upgrade", "shipshape", str(CHART), "--set", "guard.custom.nodes.armed=true", fails=True
    )
    report.expect("nodes" in said and "missing properties" in said, f"no guard of this name: {said}")
    helm(program, "uninstall", "shipshape", "--no-hooks")


def main():
    helm3, helm4 = sys.argv[1:]
    api = Api(os.environ["KUBECONFIG"])
    # From a checkout it builds itself, once.
    subprocess.run([ROOT / "plugin/bin/shipshape", "--version"], capture_output=True, check=True)
    for namespace in (NAMESPACE, "services"):
        body = {
            "metadata": {
                "name": namespace,
                "labels": {"pod-security.kubernetes.io/enforce": "restricted"},
            }
        }
        api.call("POST", "/api/v1/namespaces", body)
    definition = load(ROOT / "sandbox/src/main/resources/dev/shipshape/sandbox/nodeconfigs.yaml")
    api.call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition)
    until(lambda: api.get(NODE_CONFIGS)[0] == 200, "the CustomResourceDefinition")
    for installer, upgrader in ((helm4, helm4), (helm3, helm3), (helm3, helm4)):
        round_trip(api, installer, upgrader)
    change_of_source(api, helm4, helm4, "--force-conflicts")
    change_of_source(api, helm3, helm4)
    for program in (helm3, helm4):
        a_guard_of_ones_own_is_armed_by_its_name(api, program)
    said = helm(helm4, "install", "shipshape", str(CHART), "--set", "sessions.namespace=nowhere")
    report.expect("The namespace nowhere does not exist" in said, f"a missing namespace: {said}")
    helm(helm4, "uninstall", "shipshape", "--no-hooks")
    report.end("install")


if __name__ == "__main__":
    main()
