#!/usr/bin/env bash
# Builds and runs images on a Debian machine that has no container engine and reaches no image
# registry: as root, from packages alone. Where there is an engine, CONTAINER_TOOL can name another
# script with the same verbs (see check.sh).
set -euo pipefail

store=${IMAGE_STORE:-${TMPDIR:-/tmp}/image-store}
base=localhost/python:3.13-slim
mkdir -p "$store"
storage=(--root "$store/root" --runroot "$store/run" --storage-driver vfs)
podman() { command podman "${storage[@]}" --cgroup-manager cgroupfs --runtime runc "$@"; }

install_packages() {
  type -P buildah podman runc debootstrap >/dev/null && return
  apt-get update -q
  DEBIAN_FRONTEND=noninteractive apt-get install -yq --no-install-recommends \
    buildah podman runc debootstrap uidmap
}

make_base() { # Debian's Python under the paths of the official image
  podman image exists "$base" && return
  local root=$store/rootfs mirror
  mirror=$(apt-get indextargets --format '$(REPO_URI)' | awk '/\/debian\// && !n++')
  rm -rf "$root"
  debootstrap --variant=minbase --include=python3,python3-venv,python3-pip,ca-certificates \
    trixie "$root" "$mirror"
  rm -rf "$root"/usr/lib/python3*/EXTERNALLY-MANAGED "$root"/var/cache/apt/archives/*.deb
  ln -s /usr/bin/python3 "$root/usr/local/bin/python"
  tar -C "$root" --exclude='./dev/*' -c . | podman import -q - "$base"
  rm -rf "$root"
}

build() { # DIR IMAGE
  install_packages
  make_base
  # How this machine reaches its packages: needed while building, and no part of the image.
  local given=() file
  for file in /etc/ssl/certs /etc/pip.conf; do
    if [ -e "$file" ]; then given+=(-v "$file:$file:ro"); fi
  done
  buildah "${storage[@]}" bud --isolation chroot --format docker --pull-never "${given[@]}" \
    -t "localhost/$2" "$1"
}

verb=$1
shift
case $verb in
  build) build "$@" ;;
  run-nonet) # the limits are the machine's: it may not allow the engine's defaults
    podman run -d --rm --replace --network none --name "$2" --health-interval disable \
      --ulimit "nofile=$(ulimit -Hn):$(ulimit -Hn)" --ulimit nproc=4096:4096 \
      "${@:3}" "localhost/$1" ;;
  health) podman healthcheck run "$1" ;;
  stop) podman stop -t 5 "$1" ;;
  *) podman "$verb" "$@" ;;
esac
