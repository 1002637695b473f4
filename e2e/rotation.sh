# Sourced by load.sh: the webhook makes a deleted Secret again, with a new authority at once and with a new
# leaf when all API servers may trust it.

writing rotation
# With --more, each further rotation replaces the authority of the one before.
for turn in 1 ${more:+2 3}; do
  leaf=$(begins leaf | tail -n 1) authority=$(begins authority | tail -n 1)
  kubectl -n "$namespace" delete secret shipshape-webhook-certificates >/dev/null
  until_true "rotation $turn: every replica serves a new leaf" 180 begin_after leaf "$leaf"
  until_true "rotation $turn: of a new authority" 60 begin_after authority "$authority"
  until_true "rotation $turn: and both configurations trust what both serve" 60 eval '[ "$(metric shipshape_webhook_ca_bundle_matches)" = 4 ]'
done
written rotation
ok "no write failed"
