#!/usr/bin/env python3
"""Runs the real cfs-operator and prints its log as kubectl logs --timestamps does: cfs_operator.py SRC GONE SECONDS

SRC is the folder src of its repository, GONE how many sessions are created and deleted before it gets to
them, after 20 s. With GONE=1 a session that is there follows every 25 s. KUBECONFIG names an API server with
the controller manager; namespaces, ServiceAccount and Service are created. Needs kubernetes, requests, ujson.
Not real: CFS, Kafka, the pods (each succeeds after 45 s), and the modules of HPE that no registry has.
"""
import datetime, http.server, json, os, queue, random, runpy, sys, threading, time, traceback, types, urllib.parse, uuid
import pkg_resources, requests, urllib3
from kubernetes import client, config

SRC, GONE, SECONDS = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
NAMESPACE = os.environ.setdefault("CRAY_CFS_NAMESPACE", "services")
names = random.Random(GONE)
topic, sessions, begin = queue.Queue(), {}, time.time()


def module(name, **content):
    sys.modules[name] = types.ModuleType(name)
    vars(sys.modules[name]).update(content)


class Stamped:
    """The time of the kubelet before each line."""
    fresh = True

    def write(self, text):
        for line in text.splitlines(keepends=True):
            if self.fresh:
                now = time.time_ns()
                sys.stdout.write(time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(now // 10**9)) + ".%09dZ " % (now % 10**9))
            sys.stdout.write(line)
            self.fresh = line.endswith("\n")

    def flush(self):
        sys.stdout.flush()


# Kafka: one topic, and what is produced comes again.
class Consumer:
    def __init__(self, *_, value_deserializer, **__):
        self.read = value_deserializer

    def __iter__(self):
        while True:
            yield types.SimpleNamespace(value=self.read(topic.get()))

    def commit(self):
        pass


class Producer:
    def __init__(self, *_, value_serializer, **__):
        self.written = value_serializer

    def send(self, _, event):
        topic.put(self.written(event))

    def flush(self, **_):
        pass


def create(gone):
    name = "batcher-" + str(uuid.UUID(int=names.getrandbits(128), version=4))
    data = {"name": name, "ansible": {"config": "cfs-default-ansible-cfg", "limit": "x3000c0s19b4n0", "verbosity": 0},
            "configuration": {"name": "compute", "limit": ""}, "debug_on_failure": False, "tags": {},
            "target": {"definition": "dynamic", "groups": []},
            "status": {"artifacts": [], "session": {"status": "pending", "succeeded": "none", "job": None}}}
    if not gone:
        sessions[name] = data
    topic.put(json.dumps({"type": "CREATE", "data": data}).encode())


def events():
    for at, gone, count in [(8, False, 1), (12, False, 1), (20, True, GONE)] + [(at, False, 1) for at in range(32, SECONDS, 25) if GONE == 1]:
        time.sleep(max(0, begin + at - time.time()))
        for _ in range(count):
            create(gone)


# CFS: what the operator asks of it goes through this proxy.
def merge(into, patch):
    for key, value in patch.items():
        if isinstance(value, dict):
            merge(into.setdefault(key, {}), value)
        else:
            into[key] = value


class Cfs(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        url = urllib.parse.urlsplit(self.path)
        version, kind, name = (url.path.split("/")[1:] + ["", ""])[:3]
        code, answer = 200, []
        if kind == "options":
            answer = {"session_ttl": "7d", "additional_inventory_url": "", "additional_inventory_source": "", "logging_level": "INFO",
                      "debug_wait_time": 3600, "default_ansible_config": "cfs-default-ansible-cfg", "default_playbook": "site.yml"}
        elif kind == "configurations":
            address = "https://api-gw-service-nmn.local/vcs/cray/csm-config-management.git"
            answer = {"layers": [{"cloneUrl": address, "clone_url": address, "commit": "0a38dc0", "playbook": "site.yml"}]}
        elif kind == "sessions" and not name:
            answer = list(sessions.values()) if version == "v2" else {"sessions": list(sessions.values()), "next": None}
        elif kind == "sessions" and name in sessions:
            answer = sessions[name]
            merge(answer, json.loads(body) if self.command == "PATCH" else {})
        elif kind == "sessions":
            code, answer = 404, {"title": "Session not found.", "status": 404, "detail": f"Session {name} could not be found"}
        text = json.dumps(answer).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_PATCH = do_DELETE = do_GET


def pods():
    core = client.CoreV1Api()
    while True:
        for pod in core.list_namespaced_pod(NAMESPACE).items:
            age = datetime.datetime.now(datetime.timezone.utc) - pod.metadata.creation_timestamp
            if pod.status.phase == "Pending" and age.total_seconds() > 45:
                core.patch_namespaced_pod_status(pod.metadata.name, NAMESPACE, {"status": {"phase": "Succeeded"}})
        time.sleep(5)


def retrying(protocol="http", **_):
    session = requests.Session()
    session.mount(protocol + "://", requests.adapters.HTTPAdapter(max_retries=urllib3.Retry(
        total=10, read=10, connect=10, backoff_factor=0.5, status_forcelist=(500, 502, 503, 504))))
    return session


def prepare():
    core = client.CoreV1Api()
    for namespace in {"services", NAMESPACE}:
        for each in (lambda: core.create_namespace({"metadata": {"name": namespace}}),
                     lambda: core.create_namespaced_service_account(namespace, {"metadata": {"name": "cray-cfs"}}),
                     lambda: core.create_namespaced_service("services", {"metadata": {"name": "cray-shared-kafka-kafka-bootstrap"}, "spec": {"ports": [{"port": 9092}]}})):
            try:
                each()
            except client.ApiException as e:
                if e.status != 409:
                    raise


config.load_kube_config()
prepare()
module("kafka", KafkaConsumer=Consumer, KafkaProducer=Producer)
module("kafka.errors", KafkaTimeoutError=type("KafkaTimeoutError", (Exception,), {}))
module("liveness")
module("liveness.timestamp", Timestamp=object)
module("csm_utils")
module("csm_utils.logging", exc_type_msg=lambda e: "".join(traceback.format_exception_only(type(e), e)))
module("requests_retry_session", requests_retry_session=retrying)
pkg_resources.get_distribution = lambda _: types.SimpleNamespace(version="")
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Cfs)
os.environ |= {"http_proxy": f"http://127.0.0.1:{server.server_address[1]}", "no_proxy": "127.0.0.1", "CFS_OPERATOR_LOG_LEVEL": "INFO"}
os.environ |= {"CRAY_CFS_" + name: "x" for name in (
    "UTIL_IMAGE", "AEE_IMAGE", "IMS_IMAGE", "CONFIGMAP_PUBLIC_KEY", "CA_PUBLIC_KEY", "TRUST_CERT_SECRET", "TRUST_KEY_SECRET")}
os.environ |= {"CRAY_CFS_SERVICE_ACCOUNT": "cray-cfs", "CRAY_CFS_ANSIBLE_CONTAINER_LIMITS": "{}", "CRAY_CFS_ANSIBLE_CONTAINER_REQUESTS": "{}"}
for task in server.serve_forever, events, pods:
    threading.Thread(target=task, daemon=True).start()
threading.Timer(SECONDS, lambda: (sys.stdout.flush(), os._exit(0))).start()
sys.stderr = Stamped()
sys.path.insert(0, SRC)
runpy.run_module("cray.cfs.operator", run_name="__main__")
