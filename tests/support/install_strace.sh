#!/bin/sh
# Installs what shows the system calls of a program, where it is missing (Debian and Ubuntu).
set -e
command -v strace >/dev/null && exit 0
as_root=
[ "$(id -u)" = 0 ] || as_root=sudo
$as_root apt-get update -q
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends strace
