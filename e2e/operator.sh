# Sourced by run: sessions are pruned, the stuck operator is restarted, and Prometheus fires the alerts.

step "Prometheus, with the chart's own rules"
. "$here/prometheus.sh"

step "Sessions are pruned, with their Jobs and pods"
old=(); for _ in 1 2 3; do old+=("batcher-$(cat /proc/sys/kernel/random/uuid)"); done
young=batcher-$(cat /proc/sys/kernel/random/uuid)
for name in "${old[@]}"; do session "$name" 30 >/dev/null; done
session "$young" 1 >/dev/null
session someones-own 30 >/dev/null
until_true "the sessions' pods have run" 60 eval '[ "$(kubectl -n services get pods -l cfsession --field-selector status.phase=Succeeded -o name | wc -l)" = 5 ]'
until_true "report-only: a run chose 3 and deleted none" 90 eval 'at_least 3 shipshape_janitor_sessions_eligible && [ "$(kubectl -n services get cfsessions -o name | wc -l)" = 5 ]'
"$helm" shipshape upgrade -n "$namespace" --arm pruning,restarts --set guard.drainConnectionsSeconds=95
until_true "the aged sessions are gone" 120 eval 'left=$(kubectl -n services get cfsessions -o name) && ! grep -F "$(printf "%s\n" "${old[@]}")" <<<"$left"'
until_true "and their Jobs and pods" 60 eval '[ "$(kubectl -n services get jobs,pods -l cfsession -o name | wc -l)" = 4 ]'
kubectl -n services get cfsessions "$young" someones-own >/dev/null || wrong "one was deleted that was not to go"
until_true "the prune alert fires" 120 firing ShipshapeCfsSessionsPruned

step "A stuck operator is restarted once, and by cooldown not twice"
stick() { kubectl -n services create configmap operator-trouble --from-literal=since="$(date -u -d "+1 second" +%Y-%m-%dT%H:%M:%SZ)" --dry-run=client -o yaml | kubectl apply -f - >/dev/null; }
before=$(kubectl -n services get pods -l app.kubernetes.io/name=cray-cfs-operator -o name)
stick
until_true "the operator was restarted" 240 eval 'at_least 1 shipshape_janitor_restarts_total'
kubectl -n services rollout status deployment/cray-cfs-operator --timeout=60s
[ "$before" != "$(kubectl -n services get pods -l app.kubernetes.io/name=cray-cfs-operator -o name)" ] || wrong "it is the same pod"
until_true "the restart alert fires" 120 firing ShipshapeOperatorRestarted
stick
until_true "stuck again, it is refused by cooldown" 120 eval 'at_least 1 shipshape_janitor_restart_refusals_total "reason=\"cooldown\""'
[ "$(metric shipshape_janitor_restarts_total)" = 1 ] || wrong "it was restarted twice"
kubectl -n services delete configmap operator-trouble >/dev/null
