#!/bin/sh
# Installs what makes Python's virtual environments, where it is missing (Debian and Ubuntu).
set -e
python3 -c 'import ensurepip, venv' 2>/dev/null && exit 0
as_root=
[ "$(id -u)" = 0 ] || as_root=sudo
$as_root apt-get update -q
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends python3 python3-venv
