# Sourced by run: no admission fails while the webhook's pods are replaced and its certificates renewed.

step "Rolling restarts of the webhook under 100 writes a second"
# So many at once that 100 a second can be reached, and no more: what queues only waits.
for n in $(seq 0 9); do
  printf '{"apiVersion": "network.schiff.telekom.de/v1alpha1", "kind": "NodeConfig", "metadata": {"name": "load-%s"}, "spec": {"layer2": [], "vrf": [], "routingTable": []}}\n' "$n"
done | kubectl apply -f - >/dev/null
# The mutating entry fails open: a call that was lost there is no write that failed.
failed_open() {
  kubectl get --raw /metrics | awk '/^apiserver_admission_webhook_fail_open_count\{.*shipshape\.dev"/ { sum += $NF } END { printf "%d\n", sum }'
}
# writing NAME [SECONDS]
writing() {
  mkfifo "$work/stop-$1"
  "$player" write -config "$work/kubeconfig.json" -path /apis/network.schiff.telekom.de/v1alpha1/nodeconfigs/load- -objects 10 -rate 100 -for "${2:-600}s" <"$work/stop-$1" >"$work/written-$1" &
  writer=$!
  exec 7>"$work/stop-$1"
}
# written NAME: ends them; none may have failed.
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
lost=$(failed_open)
writing restarts
for _ in 1 2 3; do
  kubectl -n "$namespace" rollout restart deployment/shipshape
  kubectl -n "$namespace" rollout status deployment/shipshape --timeout=180s
done
written restarts
ok "three rolling restarts, no write failed"

step "Certificate rotation under load, three times running"
. "$here/rotation.sh"

# While replicas start, two cores are not enough for 100 a second; that these writers make them shows here.
step "100 writes a second while nothing starts"
writing steady 20
until_true "20 s of them" 60 test -s "$work/written-steady"
written steady 0.9
now=$(failed_open)
[ "$now" = "$lost" ] || wrong "$((now - lost)) calls of the mutating webhook failed"
ok "nor did one of the mutating webhook's calls fail"
