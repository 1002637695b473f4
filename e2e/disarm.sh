# Sourced by run: the guard is disarmed while no replica runs, and armed again.

step "$which: the guard is stopped, with no replica alive, and armed again"
kubectl -n "$namespace" scale deployment shipshape --replicas=0 >/dev/null
until_true "guarded writes fail without a replica" 180 eval '! manifest good | sed s/e2e-1/e2e-new/ | kubectl apply --dry-run=server -f -'
"$helm" shipshape disarm --now -n "$namespace"
until_true "writes pass at once" 5 eval 'manifest permuted | kubectl apply --dry-run=server -f -'
kubectl -n "$namespace" scale deployment shipshape --replicas=2 >/dev/null
kubectl -n "$namespace" rollout status deployment/shipshape --timeout=180s
"$helm" upgrade shipshape "$root/chart" -n "$namespace" --reset-then-reuse-values >/dev/null
! kubectl get validatingwebhookconfiguration shipshape >/dev/null 2>&1 || wrong "an upgrade armed the disarmed guard"
kubectl -n "$namespace" delete configmap shipshape-disarmed
until_true "it refuses again" 20 would_refuse
