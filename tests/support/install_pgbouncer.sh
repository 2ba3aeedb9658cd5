#!/bin/sh
# Installs the pooler that the PostgreSQL tests start themselves, where it is missing (Debian and Ubuntu).
set -e
PATH=$PATH:/usr/sbin
command -v pgbouncer >/dev/null && exit 0
as_root=
[ "$(id -u)" = 0 ] || as_root=sudo
$as_root apt-get update -q
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends pgbouncer
