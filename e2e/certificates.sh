# Sourced by run: the webhook serves certificates of cert-manager and of the user. rotation.sh tests self-managed ones.

written_to

step "cert-manager makes the certificates"
. "$here/cert-manager.sh"
"$helm" shipshape install -n "$namespace" -f "$here/values.yaml" --set certificates.source=cert-manager
"$helm" shipshape upgrade -n "$namespace" --arm guard
refuses
ok "the guard is armed, and refuses"
writing cert-manager
for turn in 1 2; do
  leaf=$(begins leaf | tail -n 1)
  renew shipshape-webhook
  until_true "renewal $turn: every replica serves a new leaf" 180 begin_after leaf "$leaf"
done
leaf=$(begins leaf | tail -n 1) authority=$(begins authority | tail -n 1)
renew shipshape-authority
until_true "the authority is a new one" 60 eval '[ "$(authority_begins)" -gt "$authority" ]'
renew shipshape-webhook
until_true "every replica serves a leaf of it" 180 begin_after leaf "$leaf"
until_true "and trusts it" 120 begin_after authority "$authority"
until_true "as both configurations do" 60 eval '[ "$(metric shipshape_webhook_ca_bundle_matches)" = 4 ]'
written cert-manager
kubectl patch mutatingwebhookconfiguration shipshape --type json -p '[{"op": "remove", "path": "/webhooks/0/clientConfig/caBundle"}]' >/dev/null
until_true "a bundle that was emptied is put back by the cainjector" 60 eval \
  'kubectl get mutatingwebhookconfiguration shipshape -o jsonpath="{.webhooks[0].clientConfig.caBundle}" | grep .'
"$helm" shipshape status -n "$namespace"
"$helm" shipshape uninstall -n "$namespace"
left=$(kubectl -n "$namespace" get secrets,certificates,issuers,certificaterequests -o name)
[ -z "$left" ] || wrong "left after the uninstall: $left"
ok "renewed under load, and nothing is left"

step "A Secret of one's own"
# sign NAME: makes a key, and a leaf for the webhook's Service.
sign() {
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$work/$1.key" -out "$work/$1.csr" -subj /CN=webhook 2>/dev/null
  openssl x509 -req -in "$work/$1.csr" -CA "$work/own.crt" -CAkey "$work/own.key" -CAcreateserial -days 30 -out "$work/$1.crt" \
    -extfile <(echo "subjectAltName=DNS:shipshape-webhook.$namespace.svc") 2>/dev/null
}
secret() {
  kubectl -n "$namespace" create secret generic own-certificate --dry-run=client -o yaml \
    --from-file=tls.crt="$work/$1.crt" --from-file=tls.key="$work/$1.key" --from-file=ca.crt="$work/own.crt" | kubectl apply -f - >/dev/null
}
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$work/own.key" -out "$work/own.crt" -subj /CN=own -days 60 2>/dev/null
sign first
secret first
"$helm" shipshape install -n "$namespace" -f "$here/values.yaml" --set certificates.source=existing-secret \
  --set certificates.existingSecret=own-certificate --set-file certificates.caBundle="$work/own.crt"
"$helm" shipshape upgrade -n "$namespace" --arm guard
refuses
writing own
leaf=$(begins leaf | tail -n 1)
sign second
secret second
until_true "every replica serves the new leaf" 180 begin_after leaf "$leaf"
# Certificate and key do not match: the replicas keep the former pair and log it.
kubectl -n "$namespace" patch secret own-certificate -p "{\"data\": {\"tls.key\": \"$(base64 -w 0 <"$work/first.key")\"}}" >/dev/null
until_true "a key that does not fit is refused by every replica" 180 eval \
  '[ "$(kubectl -n "$namespace" logs -l app.kubernetes.io/part-of=shipshape --all-containers --prefix --tail=-1 | grep "is not the key of the certificate" | cut -d " " -f 1 | sort -u | wc -l)" -ge 2 ]'
written own
refuses
"$helm" shipshape uninstall -n "$namespace"
kubectl -n "$namespace" get secret own-certificate -o name || wrong "the uninstall took a Secret that was not the release's"
kubectl -n "$namespace" delete secret own-certificate >/dev/null
ok "replaced under load, and not deleted"
