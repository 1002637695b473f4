#!/usr/bin/env python3
"""Records the logs of real clients while a real API server fails: record.py BIN OUT CLIENT...

BIN has etcd and kube-apiserver. Each CLIENT is NAME=COMMAND; it gets KUBECONFIG, and talks to the API
server through a proxy of its own. After 15 s the fault begins; OUT/NAME.FAULT.stuck.log is its log after
75 s of it, OUT/NAME.FAULT.healed.log that of 35 s of it and 100 s without. Faults: 500, 429, cut (each answer ends
within a chunk), restart (of the API server itself, once; only "healed", after which it works well).
"""
import http.client, http.server, os, shutil, socket, ssl, subprocess, sys, tempfile, threading, time

BIN, OUT, CLIENTS = sys.argv[1], sys.argv[2], dict(each.split("=", 1) for each in sys.argv[3:])
STATUS = '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"%s","reason":"%s","code":%d}'
FAULTS = {"500": (500, "etcdserver: request timed out", "InternalError"),
          "429": (429, "too many requests, please try again later", "TooManyRequests")}
work = tempfile.mkdtemp()
tls = ssl._create_unverified_context()


def free():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


etcd, peer, api = free(), free(), free()


def start(name, *command):
    return subprocess.Popen([f"{BIN}/{name}", *command], stdout=open(f"{work}/{name}.log", "ab"), stderr=subprocess.STDOUT)


def apiserver():
    return start("kube-apiserver", f"--etcd-servers=http://127.0.0.1:{etcd}", f"--secure-port={api}", "--bind-address=127.0.0.1",
                 f"--cert-dir={work}/certs", "--service-account-issuer=https://a", f"--service-account-key-file={work}/sa",
                 f"--service-account-signing-key-file={work}/sa", f"--token-auth-file={work}/tokens", "--authorization-mode=RBAC",
                 "--service-cluster-ip-range=10.0.0.0/24", "--disable-admission-plugins=ServiceAccount")


def call(method, path, body=None):
    c = http.client.HTTPSConnection("127.0.0.1", api, context=tls, timeout=5)
    c.request(method, path, body, {"Authorization": "Bearer t", "Content-Type": "application/json"})
    r = c.getresponse()
    return r.status, r.read()


def ready():
    while True:
        try:
            if call("GET", "/readyz")[0] == 200:
                return
        except OSError:
            pass
        time.sleep(0.5)


def proxy(mode):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def do_GET(self):
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            watched = "configmaps" in self.path
            if mode[0] in FAULTS and watched:
                code, message, reason = FAULTS[mode[0]]
                text = (STATUS % (message, reason, code)).encode()
                self.send_response(code)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)
                return
            try:
                c = http.client.HTTPSConnection("127.0.0.1", api, context=tls, timeout=400)
                headers = {k: v for k, v in self.headers.items() if k.lower() not in ("host", "authorization", "accept-encoding", "upgrade", "connection")
                           and not k.lower().startswith("sec-websocket")}
                c.request(self.command, self.path, body, headers | {"Authorization": "Bearer t"})
                # A watch that is under way is cut when a fault begins.
                open_ones.append((mode, c, self.connection))
                r = c.getresponse()
                self.send_response(r.status)
                self.send_header("Content-Type", r.headers["Content-Type"] or "text/plain")
                self.send_header("Transfer-Encoding", "chunked")
                self.end_headers()
                while part := r.read1(65536):
                    if mode[0] == "cut" and watched:
                        self.wfile.write(b"zz")
                        break
                    self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
                    self.wfile.flush()
                else:
                    self.wfile.write(b"0\r\n\r\n")
                    return
            except (OSError, http.client.HTTPException, ValueError, AttributeError):
                pass
            self.close_connection = True
            try:
                self.connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

        do_POST = do_PUT = do_PATCH = do_DELETE = do_GET

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


open_ones = []


def begin(mode, fault):
    mode[0] = fault
    for other, _, connection in [each for each in open_ones if each[0] is mode]:
        try:
            connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def client(name, command, suffix):
    mode = [""]
    kubeconfig = f"{work}/{name}.{suffix}.yaml"
    with open(kubeconfig, "w") as f:
        f.write(f"""apiVersion: v1
kind: Config
current-context: a
contexts: [{{name: a, context: {{cluster: a, user: a, namespace: default}}}}]
clusters: [{{name: a, cluster: {{server: "http://127.0.0.1:{proxy(mode)}"}}}}]
users: [{{name: a, user: {{token: t}}}}]
""")
    log = open(f"{OUT}/{name}.{suffix}.log", "wb")
    process = subprocess.Popen(command, shell=True, stdout=log, stderr=log, env=os.environ | {"KUBECONFIG": kubeconfig}, start_new_session=True)
    return mode, process


def end(processes):
    for process in processes:
        os.killpg(process.pid, 9)


def events():
    number = 0
    while True:
        number += 1
        try:
            call("PUT", "/api/v1/namespaces/default/configmaps/a", '{"metadata":{"name":"a"},"data":{"n":"%d"}}' % number)
            call("PUT", "/api/v1/namespaces/default/secrets/b", '{"metadata":{"name":"b"},"stringData":{"n":"%d"}}' % number)
        except OSError:
            pass
        time.sleep(4)


os.makedirs(OUT, exist_ok=True)
subprocess.run(["openssl", "genrsa", "-out", f"{work}/sa", "2048"], check=True, stderr=subprocess.DEVNULL)
open(f"{work}/tokens", "w").write('t,admin,1,"system:masters"\n')
store = start("etcd", f"--data-dir={work}/etcd", f"--listen-client-urls=http://127.0.0.1:{etcd}",
              f"--advertise-client-urls=http://127.0.0.1:{etcd}", f"--listen-peer-urls=http://127.0.0.1:{peer}")
server = apiserver()
try:
    ready()
    for kind, name in (("configmaps", "a"), ("secrets", "b")):
        call("POST", f"/api/v1/namespaces/default/{kind}", '{"metadata":{"name":"%s"}}' % name)
    threading.Thread(target=events, daemon=True).start()
    for fault in os.environ.get("FAULTS", "500 429 cut restart").split():
        kinds = ["healed"] if fault == "restart" else ["stuck", "healed"]
        running = [(kind, *client(name, command, f"{fault}.{kind}")) for name, command in CLIENTS.items() for kind in kinds]
        time.sleep(15)
        print(fault, flush=True)
        if fault == "restart":
            server.kill()
            server.wait()
            for other in list(open_ones):
                begin(other[0], "")
            time.sleep(20)
            server = apiserver()
        for _, mode, _ in running:
            begin(mode, fault)
        time.sleep(35)
        for kind, mode, _ in running:
            if kind == "healed":
                mode[0] = ""
        time.sleep(40)
        end([process for kind, _, process in running if kind == "stuck"])
        time.sleep(60)
        end([process for kind, _, process in running if kind == "healed"])
finally:
    server.kill()
    store.kill()
    shutil.rmtree(work)
