# Prints the folder of the Kubernetes programs in the cache "$1". If they are not there, it fills the cache first:
# from the official release, or else by Go, from the module in the folder "$2".
set -eu
cache=$1 module=$2
released=1.36.0 built=1.36.3
incomplete=$cache/incomplete

print_if_there() {
  for version in $released $built; do
    folder=$cache/v$version
    if [ -x "$folder/etcd" ] && [ -x "$folder/kube-apiserver" ] && [ -x "$folder/kube-controller-manager" ]; then
      echo "$folder"
      exit
    fi
  done
}

# Prints one archive a line: address, checksum, folder in it, programs. These are the newest patch releases whose
# published checksums could be verified (CHANGELOG-1.36.md of kubernetes/kubernetes; for etcd, checksums.yml of
# kubernetes-sigs/kubespray, which does not have 3.6 yet). They are older than the versions that Go builds.
archives() {
  case $(uname -s)-$(uname -m) in
    Linux-x86_64)
      lines amd64 \
        1c64da92575451c2c7ff97c79b772e603995f8e76da1371a6b0746aaa27b65dce81c4d734cbb50f40e71486a8e08df36f14e12974f97d4d29e41f23a172a6a25 \
        0aad9a9e4e0817a021e933f9806a2b2960a62f949ad5a3d6436d8886945cb1bc
      ;;
    Linux-aarch64)
      lines arm64 \
        7f95e451baedd9368a2fa637afa84c9ed1b958736540ca27a379e5e292e1a10c5d9a29539f833047574bf5d3b6f907f32dee5735acecc11aa4686f078108dcf8 \
        1277309f540c5a0329c428f95455c9f76d24f768c8d28fd2753e891c379053fa
      ;;
  esac
}

lines() {
  echo "https://dl.k8s.io/v$released/kubernetes-server-linux-$1.tar.gz $2 kubernetes/server/bin kube-apiserver kube-controller-manager"
  etcd=etcd-v3.5.27-linux-$1
  echo "https://github.com/etcd-io/etcd/releases/download/v3.5.27/$etcd.tar.gz $3 $etcd etcd"
}

download() {
  list=${SHIPSHAPE_RELEASE:-$(archives)}
  [ -n "$list" ] || {
    echo "the release is for Linux on amd64 and arm64 only" >&2
    return 1
  }
  echo "$list" | while read -r address checksum folder programs; do
    echo "downloading $address; this takes minutes" >&2
    archive=$incomplete/archive
    curl --fail --silent --show-error --location --connect-timeout 20 --output "$archive" "$address" || exit 1
    echo "$checksum  $archive" | "sha$((${#checksum} * 4))sum" --check --status || {
      echo "$address has a wrong checksum" >&2
      exit 1
    }
    depth=$(echo "$folder" | tr / '\n' | wc -l)
    # shellcheck disable=SC2086 # The programs are words.
    (cd "$incomplete" && tar -xzf "$archive" "--strip-components=$depth" $(printf "$folder/%s " $programs)) || exit 1
    rm "$archive"
  done
}

# Sets the version like the official build. Does not use the user's Go settings or a C compiler.
build() {
  flags="-s -w -X k8s.io/component-base/version.gitVersion=v$built -X k8s.io/client-go/pkg/version.gitVersion=v$built"
  flags="$flags -X k8s.io/component-base/version.gitMajor=1 -X k8s.io/component-base/version.gitMinor=36"
  for package in go.etcd.io/etcd/server/v3 k8s.io/kubernetes/cmd/kube-apiserver k8s.io/kubernetes/cmd/kube-controller-manager; do
    case $package in */etcd/*) program=etcd ;; *) program=${package##*/} ;; esac
    echo "building $program with Go; this takes minutes" >&2
    (cd "$module" && GOFLAGS=-mod=readonly GOWORK=off CGO_ENABLED=0 \
      go build -trimpath "-ldflags=$flags" -o "$incomplete/$program" "$package") || return 1
  done
}

keep() {
  rm -rf "$cache/v$1"
  mv "$incomplete" "$cache/v$1"
  print_if_there
}

mkdir -p "$cache"
print_if_there
# Only one process downloads or builds; others wait for it.
if command -v flock >/dev/null; then
  exec 9>"$cache/lock"
  flock --nonblock 9 || {
    echo "waiting for another process that is getting the Kubernetes programs" >&2
    flock 9
  }
  print_if_there
fi
trap 'rm -rf "$incomplete"' EXIT
rm -rf "$incomplete" && mkdir "$incomplete"
if download; then keep $released; fi
rm -rf "$incomplete" && mkdir "$incomplete"
if build; then keep $built; fi
echo "Do one of these: set SHIPSHAPE_KUBE_BIN to a folder with etcd, kube-apiserver and kube-controller-manager;" \
  "install Go 1.26 or newer; or allow access to the release." >&2
exit 1
