# Sourced by run: no admission fails while the webhook's pods are replaced and its certificates renewed.

step "Rolling restarts of the webhook under 100 writes a second"
# So many at once that 100 a second can be reached, and no more: what queues only waits.
for n in $(seq 0 9); do
  printf '{"apiVersion": "network.schiff.telekom.de/v1alpha1", "kind": "NodeConfig", "metadata": {"name": "load-%s"}, "spec": {"layer2": [], "vrf": [], "routingTable": []}}\n' "$n"
done | kubectl apply -f - >/dev/null
writing() {
  mkfifo "$work/stop-$1"
  "$player" write -config "$work/kubeconfig.json" -path /apis/network.schiff.telekom.de/v1alpha1/nodeconfigs/load- -objects 10 -rate 100 -for 10m <"$work/stop-$1" >"$work/written-$1" &
  writer=$!
  exec 7>"$work/stop-$1"
}
written() {
  exec 7>&-
  wait "$writer"
  cat "$work/written-$1"
  python3 -c 'import json,sys
result = json.load(open(sys.argv[1]))
due = result["writes"] + result["missed"]
print("   %d of %d writes that 100 a second would have been" % (result["writes"], due))
sys.exit(result["failed"] != 0 or result["writes"] < 500)' "$work/written-$1" || wrong "writes failed, or there were hardly any"
}
writing restarts
for _ in 1 2 3; do
  kubectl -n "$namespace" rollout restart deployment/shipshape
  kubectl -n "$namespace" rollout status deployment/shipshape --timeout=180s
done
written restarts
ok "three rolling restarts, no write failed"

step "Certificate rotation under load, three times running"
. "$here/rotation.sh"
