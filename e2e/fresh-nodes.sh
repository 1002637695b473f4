# Sourced by run: all nodes lose their network and all replicas are gone, while the guard is armed on a
# resource that nodes need to start. On one node, only one replica finds free ports.

step "Fresh nodes: all tainted, all replicas gone"
own_network='{"hostNetwork": true, "ports": {"https": 18443, "metrics": 18080}, "tolerations": [{"key": "e2e.example.com/no-network", "operator": "Exists"}]}'
"$helm" upgrade shipshape "$root/chart" -n "$namespace" --reset-then-reuse-values --set guard.acknowledgedGroups=null \
  --set-json "webhook=$own_network" --set janitor.ports.metrics=18081 >/dev/null
on_the_nodes() { kubectl -n "$namespace" get pods -l app.kubernetes.io/component=webhook -o jsonpath='{range .items[?(@.spec.hostNetwork==true)]}{.status.conditions[?(@.type=="Ready")].status}{"\n"}{end}' | grep -x True; }
until_true "a replica is ready on the node's own network" 300 on_the_nodes
node=$(kubectl get nodes -l '!e2e' -o jsonpath='{.items[0].metadata.name}')
kubectl taint node "$node" e2e.example.com/no-network=:NoSchedule
kubectl -n "$namespace" delete pods -l app.kubernetes.io/component=webhook --force --grace-period=0 >/dev/null 2>&1
kubectl get validatingwebhookconfiguration shipshape -o jsonpath='{.webhooks[0].failurePolicy}' | grep -qx Fail || wrong "losing all replicas disarmed the guard"
# Not by a replica that is being killed.
until_true "a replica comes back by itself" 180 on_the_nodes
until_true "and refuses" 60 would_refuse
# A replica that is being killed holds the node's ports for a moment, and answers instead of the new one.
passes() { manifest good | sed s/e2e-1/e2e-new/ | kubectl apply --dry-run=server -f -; }
until_true "and lets others pass" 60 passes
kubectl taint node "$node" e2e.example.com/no-network-
"$helm" upgrade shipshape "$root/chart" -n "$namespace" --reset-then-reuse-values --set guard.acknowledgedGroups='{network.schiff.telekom.de}' \
  --set webhook.hostNetwork=false --set guard.drainConnectionsSeconds=5 --set janitor.ports.metrics=8081 --set webhook.ports.https=8443 --set webhook.ports.metrics=8080 >/dev/null
kubectl -n "$namespace" rollout status deployment/shipshape --timeout=300s
ok "and goes back to the pods' network"
