#!/bin/bash
# Builds the Dockerfile without a container engine or a registry: Debian's debootstrap and the npm packages of Node and
# npm make the base under the name that FROM asks for, and buildah builds upon it. It needs Debian, root, buildah,
# debootstrap and the installed packages of the project. WORK takes about 1 GB: delete it afterwards.
#
#     test/support/build-image.sh WORK [TAG]
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$1 tag=${2:-signalbox} root=$1/base
buildah=(buildah --root "$work/store" --runroot "$work/run" --storage-driver vfs)
from=$(sed -n 's/^FROM \([^ ]*\).*/\1/p' Dockerfile | head -1)
node=$(echo node_modules/node/node_modules/node-*/bin/node)
[ "$from" = "node:$("$node" -p process.versions.node)-slim" ] || { echo "$from is not the Node of package.json"; exit 1; }

# What the base image has besides Debian: Node, npm, libatomic, and the user node.
mkdir -p "$work"
debootstrap --variant=minbase --include=libatomic1 "$(. /etc/os-release; echo "$VERSION_CODENAME")" "$root"
rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/* "$root"/usr/share/{doc,man,locale}/*
install -D "$node" "$root/usr/local/bin/node"
PATH=$root/usr/local/bin:$PATH npm install --global --prefix "$root/usr/local" --no-audit --no-fund npm@11
chroot "$root" groupadd --gid 1000 node
chroot "$root" useradd --uid 1000 --gid node --shell /bin/bash --create-home node

container=$("${buildah[@]}" from scratch)
"${buildah[@]}" copy -q "$container" "$root" / >/dev/null
# How this machine reaches the packages' registry: for the local base image only.
"${buildah[@]}" copy -q "$container" "${NODE_EXTRA_CA_CERTS:-/etc/ssl/certs/ca-certificates.crt}" /etc/ssl/build-ca.crt >/dev/null
"${buildah[@]}" config --env PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin --env NODE_EXTRA_CA_CERTS=/etc/ssl/build-ca.crt \
  --env "npm_config_registry=$(npm config get registry)" "$container"
"${buildah[@]}" commit -q --rm "$container" "docker.io/library/$from" >/dev/null
rm -rf "$root"

"${buildah[@]}" bud --isolation chroot --pull=never --format docker --layers=false --network host -t "$tag" .
