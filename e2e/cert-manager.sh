# Sourced by certificates.sh: runs cert-manager's controller and cainjector outside the cluster, with its
# CRDs. 1.11 is the last version whose programs the Go modules' proxy has.
manager=1.11.5
module=github.com/cert-manager/cert-manager
manager_tools=$tools/cert-manager-$manager
if [ ! -x "$manager_tools/cainjector" ]; then
  echo "building cert-manager $manager" >&2
  rm -rf "$manager_tools.new" && mkdir -p "$manager_tools.new/crds" "$work/cert-manager"
  # "go install" refuses its module, which replaces a dependency; so a module of ours builds it.
  (
    cd "$work/cert-manager"
    go mod init shipshape.invalid/cert-manager
    go get "$module@v$manager"
    go build -mod=mod -ldflags "-s -w" -o "$manager_tools.new/" "$module/cmd/controller" "$module/cmd/cainjector"
    # The template lines that are removed are only labels.
    for definition in "$(go list -m -f '{{.Dir}}' "$module")"/deploy/crds/*.yaml; do
      sed '/{{/d' "$definition" >"$manager_tools.new/crds/${definition##*/}"
    done
  ) >&2
  rm -rf "$manager_tools" && mv "$manager_tools.new" "$manager_tools"
fi
kubectl apply --server-side -f "$manager_tools/crds" >/dev/null
kubectl wait --for condition=Established crd/certificates.cert-manager.io --timeout=30s >/dev/null
for program in controller cainjector; do
  "$manager_tools/$program" --kubeconfig "$KUBECONFIG" --leader-elect=false >"$work/$program.log" 2>&1 &
done

# renew CERTIFICATE: sets the condition that cert-manager's own command sets.
renew() {
  kubectl -n "$namespace" get certificate "$1" -o json | python3 -c '
import json, sys
certificate = json.load(sys.stdin)
certificate["status"]["conditions"].append({"type": "Issuing", "status": "True", "reason": "ManuallyTriggered",
    "message": "asked for by the run", "lastTransitionTime": sys.argv[1]})
json.dump(certificate, sys.stdout)' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" |
    kubectl replace --raw "/apis/cert-manager.io/v1/namespaces/$namespace/certificates/$1/status" -f - >/dev/null
}
authority_begins() {
  date -d "$(kubectl -n "$namespace" get secret shipshape-authority -o jsonpath='{.data.tls\.crt}' | base64 -d |
    openssl x509 -noout -startdate | cut -d= -f2)" +%s
}
