#!/bin/sh
# Installs the MariaDB server that the tests start themselves, where it is missing (Debian and Ubuntu).
set -e
PATH=$PATH:/usr/sbin
command -v mariadbd >/dev/null && command -v mariadb-install-db >/dev/null && exit 0
as_root=
[ "$(id -u)" = 0 ] || as_root=sudo
$as_root apt-get update -q
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends mariadb-server
