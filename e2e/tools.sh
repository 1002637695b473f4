# Sourced by run: installs the programs that a new machine may not have.

install() { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null; }
# shellcheck source=chart/checks/tools
. "$root/chart/checks/tools"
command -v python3 >/dev/null || install python3
python3 -c 'import yaml' 2>/dev/null || install python3-yaml
command -v curl >/dev/null || install curl
command -v gpg >/dev/null || install gnupg
command -v kubectl >/dev/null || install kubernetes-client
command -v go >/dev/null || wrong "needs Go 1.26, to build Helm and the player"

chart=$root/chart
helm3=$(go_tool helm 3.22.0 helm.sh/helm/v3/cmd/helm "-X helm.sh/helm/v3/internal/version.version=v3.22.0 $(helm3_cluster)")
helm4=$(go_tool helm 4.3.1 helm.sh/helm/v4/cmd/helm "-X helm.sh/helm/v4/internal/version.version=v4.3.1")
promtool=$(prometheus 2.42.0)/promtool
prometheus=$(dirname "$promtool")/prometheus

player=$work/player/player
mkdir -p "$work/player"
(cd "$here/player" && CGO_ENABLED=0 go build -trimpath -o "$player" .)
python3 "$here/image.py" localhost/player:e2e "$player" >"$work/player.tar"
