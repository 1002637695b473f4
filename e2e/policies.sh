# Sourced by run: the chart's NetworkPolicies, enforced. Calls from the node itself (the kubelet's, and here
# the API server's) pass whatever a policy says, so other pods do the calling. E2E_ENFORCED=1 says that the
# cluster's own network enforces them; where not, and on the node itself only, a stand-in does.

step "Network policies are enforced here"
[ -n "${E2E_ENFORCED:-}" ] || python3 "$here/enforcer.py" E2E-POLICIES >"$work/enforcer.log" 2>&1 &
for space in monitoring elsewhere; do
  kubectl create namespace "$space" --dry-run=client -o yaml | kubectl apply -f - >/dev/null
  kubectl -n "$space" apply -f - >/dev/null <<'Y'
apiVersion: v1
kind: Pod
metadata: {name: caller, labels: {app: caller}}
spec:
  terminationGracePeriodSeconds: 0
  containers: [{name: caller, image: localhost/player:e2e, imagePullPolicy: IfNotPresent, args: [/player, listen, ":9000"]}]
Y
  kubectl -n "$space" wait --for condition=Ready pod/caller --timeout=60s >/dev/null
done
address_of() { kubectl -n "$1" get pod "$2" -o jsonpath='{.status.podIP}'; }
# reaches NAMESPACE ADDRESS: from the caller there.
reaches() { kubectl -n "$1" exec caller -- /player dial "$2"; }
stays_out() { if reaches "$1" "$2" >"$work/reached" 2>&1; then wrong "$1 $(cat "$work/reached")"; fi; says 'i/o timeout' "$work/reached"; }
reaches monitoring "$(address_of elsewhere caller):9000"
kubectl -n elsewhere apply -f - >/dev/null <<'Y'
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: nothing}
spec: {podSelector: {}, policyTypes: [Ingress]}
Y
until_true "a policy of nothing keeps the one from the other" 60 eval '! reaches monitoring "$(address_of elsewhere caller):9000"'
kubectl -n elsewhere delete networkpolicy nothing >/dev/null
until_true "until it is gone" 60 reaches monitoring "$(address_of elsewhere caller):9000"

step "The chart's policies"
of_server() { kubectl get endpointslices -l kubernetes.io/service-name=kubernetes -o jsonpath="{.items[0].$1}"; }
server=$(of_server 'endpoints[0].addresses[0]') server_port=$(of_server 'ports[0].port')
"$helm" shipshape install -n "$namespace" -f "$here/values.yaml" --set networkPolicy.enabled=true \
  --set "networkPolicy.apiServer.cidrs={$server/32}" --set "networkPolicy.apiServer.ports={$server_port}"
"$helm" shipshape upgrade -n "$namespace" --arm guard
refuses
"$helm" shipshape status -n "$namespace"
until_true "the janitor reads its sessions" 60 eval '[ "$(metric shipshape_janitor_prune_runs_total)" -ge 1 ]'
ok "webhook and janitor reach the API server, and it them"
pod=$(kubectl -n "$namespace" get pods -l app.kubernetes.io/component=webhook -o jsonpath='{.items[0].metadata.name}')
pod_address=$(address_of "$namespace" "$pod")
reaches elsewhere "$pod_address:8443"
for port in 8080 8081; do
  reaches monitoring "$pod_address:$port"
  stays_out elsewhere "$pod_address:$port"
done
ok "the webhook's port is open to all, the management ports to monitoring alone"
# from_within NAME ADDRESS: dialled in the webhook's own network, by a container that is put into its pod.
from_within() {
  kubectl -n "$namespace" debug "$pod" --image=localhost/player:e2e --image-pull-policy=IfNotPresent --container="$1" --profile=restricted -- /player dial "$2" >/dev/null 2>&1
  until_true "$1 has ended" 60 eval 'kubectl -n "$namespace" get pod "$pod" -o jsonpath="{.status.ephemeralContainerStatuses[?(@.name==\"'"$1"'\")].state.terminated.reason}" | grep .'
  kubectl -n "$namespace" logs "$pod" -c "$1" >"$work/dialled"
}
from_within to-the-api-server "$server:$server_port"
says reached "$work/dialled"
from_within to-elsewhere "$(address_of elsewhere caller):9000"
says 'i/o timeout' "$work/dialled"
ok "and it reaches nothing but the API server"
"$helm" test shipshape -n "$namespace" --timeout 2m
"$helm" uninstall shipshape -n "$namespace" --wait
"$helm" shipshape uninstall -n "$namespace"
left=$(kubectl -n "$namespace" get networkpolicies -o name)
[ -z "$left" ] || wrong "left after the uninstall: $left"
kubectl delete namespace monitoring elsewhere --wait=false >/dev/null
