#!/usr/bin/env bash
# A PostgreSQL server of our own on loopback for the time of one command; installed first where it is missing.
# usage: .ci/postgres.sh COMMAND...   (COMMAND sees STATISTIKLES_POSTGRES_URL)
set -euo pipefail

find_bin() { find /usr/lib/postgresql -maxdepth 2 -name bin 2>/dev/null | sort -V | tail -1; }
bin="$(find_bin)"
if [ -z "$bin" ]; then
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq postgresql >/dev/null
  bin="$(find_bin)"
fi
[ -x "$bin/initdb" ] || { echo "PostgreSQL could not be installed" >&2; exit 2; }

home="$(mktemp -d)"
password="$(head -c 18 /dev/urandom | base64 | tr '+/' 'ab')"
port="$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')"
as_owner() { "$@"; }
if [ "$(id -u)" -eq 0 ]; then  # the server refuses to run as root
  as_owner() { setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; }
  chown postgres "$home"
fi
stop() {
  as_owner "$bin/pg_ctl" -D "$home/data" -m immediate stop >/dev/null 2>&1 || true
  rm -rf "$home"
}
trap stop EXIT
umask 077
printf '%s' "$password" >"$home/pw" && { [ "$(id -u)" -ne 0 ] || chown postgres "$home/pw"; }
cd "$home"
as_owner "$bin/initdb" -D "$home/data" -U owner --pwfile="$home/pw" -A scram-sha-256 -E UTF8 --no-sync >/dev/null
as_owner "$bin/pg_ctl" -D "$home/data" -w -l "$home/log" \
  -o "-h 127.0.0.1 -p $port -k $home -c fsync=off" start >/dev/null || { cat "$home/log" >&2; exit 2; }
cd "$OLDPWD"
export STATISTIKLES_POSTGRES=1 STATISTIKLES_POSTGRES_URL="postgresql://owner:$password@127.0.0.1:$port/postgres"
"$@"
