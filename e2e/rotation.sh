# Sourced by load.sh: a deleted Secret is made anew, which renews authority and leaf.

writing rotation
for turn in 1 2 3; do
  before=$(metric shipshape_webhook_certificate_reloads_total)
  kubectl -n "$namespace" delete secret shipshape-webhook-certificates >/dev/null
  until_true "rotation $turn: every replica serves the new certificate" 120 eval 'at_least $((before + 2)) shipshape_webhook_certificate_reloads_total'
  until_true "rotation $turn: and both configurations trust what both serve" 60 eval '[ "$(metric shipshape_webhook_ca_bundle_matches)" = 4 ]'
done
written rotation
ok "three rotations, no write failed"
