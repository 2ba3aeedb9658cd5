#!/bin/sh
# Installs the Rust compiler that the example for Tauri is tried with, where it is missing (Debian and Ubuntu).
set -e
command -v rustc >/dev/null && command -v cc >/dev/null && exit 0
as_root=
[ "$(id -u)" = 0 ] || as_root=sudo
$as_root apt-get update -q
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends rustc gcc libc6-dev
