#!/usr/bin/env bash
set -euo pipefail
# shellcheck source=infra/maintenance/compose.sh
source "$(dirname "${BASH_SOURCE[0]}")/compose.sh"

usage() {
  cat <<'USAGE'
Usage: infra/maintenance/restore.sh DIR [--replace]

Brings back what backup.sh wrote to DIR: first the secrets, if there are none, then the whole database. Start the system
afterwards with docker-compose up -d: it migrates what is older, and delivers again what no service has confirmed. Before its first
payout, payments compares the orders of the payout provider: where the work of one is lost, its worker is not paid until two people have
said what it was for (docs/runbook.md, PayoutAlarm).

  --replace   the database that is there is lost; without it a database with tables is left alone

Environment: as for backup.sh. With DATABASE_URL the roles must be there (docker-compose run --rm --no-deps migrate).
USAGE
}

case ${1:---help} in
-h | --help) usage && exit 0 ;;
-*) die "there is no option \"$1\"; try --help" ;;
esac
need_docker
dir=$1
dump=$dir/payroll.dump
[ -s "$dump" ] || die "$dump is missing: name a folder that backup.sh wrote"
# shellcheck disable=SC2086
running=$(containers running $services $edges)
[ -z "$running" ] || die "processes of $project run: stop them first (docker-compose stop)"

if [ -s "$dir/secrets.tar" ] && [ -z "${NO_SECRETS:-}" ]; then
  # Labelled as compose would, so that compose can remove it.
  [ -n "$(setting SECRETS_DIR)" ] || docker volume create --label "com.docker.compose.project=$project" \
    --label com.docker.compose.volume=secrets "$(secrets_mount)" >/dev/null
  if [ -z "$(in_secrets ls -A)" ]; then
    in_secrets tar -x <"$dir/secrets.tar"
    say 'the secrets are back'
  else
    say 'there are secrets already: they stay'
  fi
fi
if [ -z "${DATABASE_URL:-}" ]; then
  # Distributes the secrets, starts Postgres and creates the roles, which own tables and rights.
  migrated=$(compose run --rm migrate 2>&1) || die "$migrated"
fi

rows() { postgres psql "$1" --no-psqlrc --tuples-only --no-align --command "$2"; }
exists=$(rows postgres "select 1 from pg_database where datname = 'payroll'")
if [ -n "$exists" ] && [ "${2:-}" != --replace ]; then
  used=$(rows payroll "select count(*) from workspaces.business" 2>/dev/null || printf 0)
  [ "$used" = 0 ] || die "the database payroll holds $used workspaces: add --replace to lose them"
fi
rows postgres 'drop database if exists payroll with (force)' >/dev/null
postgres pg_restore postgres --create --exit-on-error --no-password <"$dump"
say "the database is back as of $(date -u -r "$dump" +%FT%TZ): start the system with  docker-compose up -d"
say 'payouts begin once payments has compared the orders of the payout provider: reconcile then names those whose work is lost'
