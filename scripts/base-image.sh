#!/bin/sh
# Makes a base image for the Dockerfile where no registry can be reached: Debian's packages, the Node that package.json
# pins and this machine's npm. Needs root, debootstrap, podman or docker, and packages that are installed here.
#   sh scripts/base-image.sh pocketwatch-base && podman build --format docker --build-arg BASE=pocketwatch-base .
set -eu
name=${1:?usage: sh scripts/base-image.sh NAME [ENGINE]}
engine=${2:-podman}
cd "$(dirname "$0")/.."
node=$(node -p '`node_modules/node-${process.platform}-${process.arch}/bin/node`')
npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

debootstrap --variant=minbase bookworm "$folder/root"
cp "$node" "$folder/root/usr/local/bin/node"
mkdir -p "$folder/root/usr/local/lib/node_modules"
cp -r "$npm" "$folder/root/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$folder/root/usr/local/bin/npm"
tar -C "$folder/root" -c . | "$engine" import - "$name"
