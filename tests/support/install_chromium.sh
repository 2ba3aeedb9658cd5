#!/bin/sh
# Installs the browser in which exported pages are opened, where it is missing (Debian and Ubuntu).
set -e
command -v chromium >/dev/null && exit 0
as_root=
[ "$(id -u)" = 0 ] || as_root=sudo
$as_root apt-get update -q
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends chromium
