# Sourced by run, without a release: the janitor alone, as without a guard or on older Kubernetes.

step "$which: the janitor alone"
old=batcher-$(cat /proc/sys/kernel/random/uuid)
session "$old" 30 >/dev/null
"$helm" shipshape install -n "$namespace" -f "$here/values.yaml" --set webhook.enabled=false,pruning.armed=true,logging.format=json
[ -z "$(kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations -l app.kubernetes.io/part-of=shipshape -o name)" ] || wrong "there are webhook configurations"
until_true "the aged session is gone" 120 eval 'left=$(kubectl -n services get cfsessions -o name) && ! grep -F "$old" <<<"$left"'
kubectl -n "$namespace" logs -l app.kubernetes.io/part-of=shipshape --tail=-1 | tee "$work/lines" |
  python3 -c 'import json, sys; lines = [json.loads(line) for line in sys.stdin]; sys.exit(not any(line.get("logger") == "Janitor" for line in lines))' ||
  { cat "$work/lines" >&2; wrong "a line is not JSON, or the janitor logs nothing"; }
until_true "status finds nothing wrong" 30 eval '"$helm" shipshape status -n "$namespace" >"$work/status"'
cat "$work/status"
says 'webhook       off' "$work/status"
[ "$(kubectl -n "$namespace" get pods -o jsonpath='{.items[*].status.containerStatuses[*].restartCount}')" = 0 ] || wrong "it was restarted"
ok "in a container of $(kubectl -n "$namespace" get pods -o jsonpath='{.items[*].spec.containers[*].resources.limits.memory}')"
"$helm" shipshape uninstall -n "$namespace"
until_true "nothing is left after the uninstall" 60 nothing_left
