# Functions that all steps use. Sourced, with -euo pipefail set.

step() { printf '\n== %s (%ss)\n' "$*" "$SECONDS"; current=$*; }
ok() { printf '   ok: %s\n' "$*"; }
wrong() { printf '   WRONG: %s\n' "$*" >&2; exit 1; }

# until WHAT SECONDS COMMAND…: waits until the command succeeds.
until_true() {
  local what=$1 limit=$(($SECONDS + $2)); shift 2
  until "$@" >"$work/last" 2>&1; do
    [ "$SECONDS" -lt "$limit" ] || { cat "$work/last" >&2; wrong "timed out: $what"; }
    sleep 1
  done
  ok "$what"
}

# says TEXT FILE: the file has the text.
says() { grep -qF -- "$1" "$2" || { cat "$2" >&2; wrong "does not say: $1"; }; }

# refuses: the guard refuses its built-in known-invalid configuration, with this message.
refuses() {
  if kubectl apply -f "$work/bad.yaml" 2>"$work/refused"; then wrong "the known-invalid configuration was admitted"; fi
  says 'denied the request: this configuration is known invalid' "$work/refused"
}
# would_refuse: the same by a dry run, for until_true.
would_refuse() {
  ! kubectl apply --dry-run=server -f "$work/bad.yaml" >"$work/tried" 2>&1 &&
    grep 'denied the request: this configuration is known invalid' "$work/tried"
}

# Prints what helps to find the cause of a failure.
post_mortem() {
  printf '\n== It failed in: %s\n' "${current:-the beginning}"
  kubectl get pods -A -o wide
  kubectl get events -A --sort-by=.lastTimestamp | tail -n 20
  local pod
  for pod in $(kubectl -n "$namespace" get pods -o name) ; do
    echo "-- $pod"
    kubectl -n "$namespace" logs "$pod" --all-containers --prefix --tail=25
    kubectl -n "$namespace" logs "$pod" --all-containers --prefix --previous --tail=20 2>/dev/null
  done
  kubectl -n services logs deployment/cray-cfs-operator --tail=20
} 2>/dev/null

# values_of NAME LABELS…: a metric of all pods of the release, read through the API server.
values_of() {
  local name=$1 pod port; shift
  for pod in $(kubectl -n "$namespace" get pods -l app.kubernetes.io/part-of=shipshape --field-selector status.phase=Running -o jsonpath='{.items[*].metadata.name}'); do
    for port in 8080 8081; do
      kubectl get --raw "/api/v1/namespaces/$namespace/pods/$pod:$port/proxy/metrics" 2>/dev/null || true
    done
  done | awk -v name="$name" -v labels="$*" '
    BEGIN { wanted = split(labels, label, " ") }
    index($0, name) == 1 && substr($0, length(name) + 1, 1) ~ /[ {]/ {
      for (i = 1; i <= wanted; i++) if (!index($0, label[i])) next
      print $NF
    }'
}
# metric NAME LABELS…: the sum of these values.
metric() { values_of "$@" | awk '{ sum += $1 } END { printf "%d\n", sum }'; }
at_least() { local n; n=$(metric "${@:2}"); echo "$* is $n"; [ "$n" -ge "$1" ]; }

# firing ALERT: checked through the API of Prometheus.
firing() {
  curl -sf "http://127.0.0.1:$prometheus_port/api/v1/alerts" |
    python3 -c 'import json,sys
alerts=json.load(sys.stdin)["data"]["alerts"]
print([(a["labels"]["alertname"],a["state"]) for a in alerts])
sys.exit(not any(a["labels"]["alertname"]==sys.argv[1] and a["state"]=="firing" for a in alerts))' "$1"
}

# session NAME DAYS: a complete session of that age with its Job, as the real service makes them.
session() {
  local name=$1 then id
  id=$(cat /proc/sys/kernel/random/uuid)
  then=$(date -u -d "-$2 days" +%Y-%m-%dT%H:%M:%SZ)
  kubectl create -f - <<Y
apiVersion: cms.cray.com/v1
kind: ConfigFrameworkSession
metadata: {name: $name, namespace: services}
spec:
  repo: {cloneUrl: https://example.invalid/config.git}
  target: {definition: dynamic, groups: []}
  status: {session: {job: cfs-$id, status: complete, succeeded: "true", startTime: "$then", completionTime: "$then"}}
---
apiVersion: batch/v1
kind: Job
metadata: {name: cfs-$id, namespace: services, labels: {cfsession: $name, app.kubernetes.io/name: cray-cfs-aee}}
spec:
  backoffLimit: 0
  template:
    metadata: {labels: {cfsession: $name, app.kubernetes.io/name: cray-cfs-aee}}
    spec:
      restartPolicy: Never
      containers: [{name: ansible, image: localhost/player:e2e, imagePullPolicy: IfNotPresent, args: [/player, job]}]
Y
}

# written_to: creates the objects that `writing` updates: enough for 100 writes a second, and no more,
# because further writes would only queue.
written_to() {
  for n in $(seq 0 9); do
    printf '{"apiVersion": "network.schiff.telekom.de/v1alpha1", "kind": "NodeConfig", "metadata": {"name": "load-%s"}, "spec": {"layer2": [], "vrf": [], "routingTable": []}}\n' "$n"
  done | kubectl apply -f - >/dev/null
}
# writing NAME [SECONDS]
writing() {
  mkfifo "$work/stop-$1"
  "$player" write -config "$work/kubeconfig.json" -path /apis/network.schiff.telekom.de/v1alpha1/nodeconfigs/load- -objects 10 -rate 100 -for "${2:-600}s" <"$work/stop-$1" >"$work/written-$1" &
  writer=$!
  exec 7>"$work/stop-$1"
}
# written NAME: ends the writes; none may have failed.
written() {
  exec 7>&-
  wait "$writer"
  cat "$work/written-$1"
  python3 -c 'import json,sys
result = json.load(open(sys.argv[1]))
due = result["writes"] + result["missed"]
share = result["writes"] / due
print("   %d of %d writes that 100 a second would have been" % (result["writes"], due))
sys.exit(result["failed"] != 0 or result["writes"] < 500 or share < float(sys.argv[2]))' "$work/written-$1" "${2:-0}" ||
    wrong "writes failed, or there were too few"
}

# begins CERTIFICATE: start time of the certificate of each replica (seconds since 1970).
begins() { values_of shipshape_webhook_certificate_start_timestamp_seconds "certificate=\"$1\"" | awk '{ printf "%d\n", $1 }' | sort -n; }
# begin_after CERTIFICATE THEN: both replicas serve a newer certificate.
begin_after() {
  local all; all=$(begins "$1")
  echo "$1 begins at $(echo $all), before at $2"
  [ "$(wc -l <<<"$all")" = 2 ] && [ "$(head -n 1 <<<"$all")" -gt "$2" ]
}
