# Sourced by run: image, chart and plugin come from a registry, by the README's two commands. Only a node
# of this machine can pull from it.
step "$which: from a registry"
crane=$(go_tool crane 0.22.1 github.com/google/go-containerregistry/cmd/crane)
"$crane" registry serve --address 127.0.0.1:0 >"$work/registry.log" 2>&1 &
until_true "a registry serves" 10 grep 'port [0-9]' "$work/registry.log"
registry=127.0.0.1:$(grep -o 'port [0-9]*' "$work/registry.log" | head -n 1 | cut -d' ' -f2)
DIST=$dist HELM_BIN=$helm PATH=$(dirname "$crane"):$PATH "$root/packaging/publish" "$registry" --plain-http 2>"$work/publish.log" ||
  { cat "$work/publish.log" >&2; wrong "nothing was published"; }
version=$(sed -n 's/^version: //p' "$root/plugin.yaml")
"$helm" install shipshape "oci://$registry/charts/shipshape" --plain-http -n "$namespace" --create-namespace --set "image.registry=$registry" --wait --timeout 3m
kubectl -n "$namespace" get pods -o jsonpath='{.items[*].spec.containers[*].image}' | tr ' ' '\n' | sort -u >"$work/images"
grep -qx "$registry/shipshape@sha256:[0-9a-f]*" "$work/images" && [ "$(wc -l <"$work/images")" = 1 ] || wrong "the pods run $(cat "$work/images")"
"$helm" plugin install "oci://$registry/plugins/shipshape:$version" --plain-http --verify=false
until_true "status finds nothing wrong" 90 "$helm" shipshape status -n "$namespace"
"$helm" plugin uninstall shipshape
"$helm" uninstall shipshape -n "$namespace" --wait
# What was made at run time stays, as without the plugin.
until_true "its pods are gone" 60 eval '[ -z "$(kubectl -n "$namespace" get pods -o name)" ]'
