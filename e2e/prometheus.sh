# Sourced by operator.sh: a Prometheus outside the cluster, with the rules that the chart renders. It
# scrapes the pods through the API server. Debian's build cannot discover pods, so a file lists them.
python3 - "$work" <<'P'
import base64, json, sys
work = sys.argv[1]
read = json.load(open(work + "/kubeconfig.json"))
cluster, user = read["clusters"][0]["cluster"], read["users"][0]["user"]
def put(name, data):
    open(f"{work}/{name}", "wb").write(base64.b64decode(data))
    return f"{work}/{name}"
access = {"tls_config": {"ca_file": put("ca.crt", cluster["certificate-authority-data"])}}
if "token" in user:
    access["authorization"] = {"credentials": user["token"]}
else:
    access["tls_config"] |= {"cert_file": put("client.crt", user["client-certificate-data"]), "key_file": put("client.key", user["client-key-data"])}
job = {"job_name": "shipshape", "scheme": "https", **access,
       "file_sd_configs": [{"files": [work + "/targets.json"], "refresh_interval": "2s"}]}
json.dump({"global": {"scrape_interval": "2s", "evaluation_interval": "2s"},
           "rule_files": [work + "/rules.yaml"], "scrape_configs": [job]}, open(work + "/prometheus.yaml", "w"))
P
targets() {
  kubectl -n "$namespace" get pods -l app.kubernetes.io/part-of=shipshape -o json | python3 -c '
import json, sys
server = json.load(open(sys.argv[1] + "/kubeconfig.json"))["clusters"][0]["cluster"]["server"]
targets = []
for pod in json.load(sys.stdin)["items"]:
    meta = pod["metadata"]
    ports = [port for container in pod["spec"]["containers"] for port in container.get("ports", [])]
    for port in (port for port in ports if port["name"].endswith("metrics") and pod["status"]["phase"] == "Running"):
        path = "/api/v1/namespaces/%s/pods/%s:%d/proxy/metrics" % (meta["namespace"], meta["name"], port["containerPort"])
        targets.append({"targets": [server.removeprefix("https://")], "labels": {
            "__metrics_path__": path, "namespace": meta["namespace"], "pod": meta["name"],
            "instance": "%s:%d" % (meta["name"], port["containerPort"])}})
json.dump(targets, sys.stdout)' "$work" >"$work/targets.new"
  mv "$work/targets.new" "$work/targets.json"
}
targets
while sleep 2; do targets || true; done &
"$helm" template shipshape "$chart" -n "$namespace" --set monitoring.rules.enabled=true --api-versions monitoring.coreos.com/v1 \
  --show-only templates/monitoring.yaml >"$work/monitoring.yaml"
python3 - "$work" <<'P'
import sys, yaml
work = sys.argv[1]
for document in yaml.safe_load_all(open(work + "/monitoring.yaml")):
    if document and document["kind"] == "PrometheusRule":
        yaml.safe_dump(document["spec"], open(work + "/rules.yaml", "w"))
P
"$promtool" check rules "$work/rules.yaml"
"$prometheus" --config.file="$work/prometheus.yaml" --storage.tsdb.path="$work/tsdb" \
  --web.listen-address="127.0.0.1:$prometheus_port" >"$work/prometheus.log" 2>&1 &
until_true "Prometheus scrapes webhook and janitor" 60 eval '
  curl -sf "http://127.0.0.1:$prometheus_port/api/v1/query" --data-urlencode "query=count(up==1)" | tee /dev/stderr | grep -q "\"4\""'
