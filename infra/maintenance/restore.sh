#!/usr/bin/env bash
set -euo pipefail
# shellcheck source=infra/maintenance/compose.sh
source "$(dirname "${BASH_SOURCE[0]}")/compose.sh"

usage() {
  cat <<'USAGE'
Usage: infra/maintenance/restore.sh newest|TIME [ARGUMENT...]

Brings the database back from the backups, on this machine or on an empty one that has the secrets and the settings, starts the
system and reconciles it: exit code 0 means that the data are consistent.
  newest     all that was archived
  TIME       as of then, such as 2026-11-22T10:15:00Z; the last change that was archived must be later
  ARGUMENT   for docker-compose up, such as --scale review=2

The data that Postgres had stay in its volume, in a folder whose name ends with .left-…, until you remove them. Before its first payout,
payments compares the orders of the payout provider: where the work of one is lost, its worker is not paid until two people have
said what it was for (docs/runbook.md, PayoutAlarm), and reconcile names it.

Environment (or .env, as for docker-compose):
  COMPOSE_PROJECT_NAME  the compose project; default: the folder's name
  WAIT                  how many seconds events on their way may take before reconcile reports them (default 60)
USAGE
}

case ${1:---help} in
-h | --help) usage && exit 0 ;;
-*) die "there is no option \"$1\"; try --help" ;;
esac
need_docker
to=$1
shift
[ "$to" = newest ] || date -u -d "$to" >/dev/null 2>&1 || die "\"$to\" is neither newest nor a moment such as 2026-11-22T10:15:00Z"
# shellcheck disable=SC2086
alive=$(containers alive postgres backups $services $edges)
[ -z "$alive" ] || die "containers of $project run: stop them first (docker-compose stop)"

wait_s=$(setting WAIT)
started=$SECONDS
# Builds the image where there is none. Not together with set-up: compose 1.29 would wait until that has run.
compose up --no-start --no-deps postgres
compose run --rm --no-deps -T set-up
compose run --rm --no-deps -T backups restore "$to"
say "the data are back after $((SECONDS - started)) s"
compose up --detach --no-deps postgres
remedy=
[ "$to" = newest ] || remedy='
If nothing as late as that was archived: docker-compose stop, then  infra/maintenance/restore.sh newest'
# It answers reads once its data are consistent, and goes on until it has what it was asked for.
until [ "$(compose exec -T postgres psql --no-psqlrc --tuples-only --no-align --command 'select pg_is_in_recovery()' 2>/dev/null)" = f ]; do
  [ -n "$(containers running postgres)" ] || die "Postgres does not recover: $(compose logs --tail 5 postgres 2>&1)$remedy"
  sleep 1
done
say "Postgres has recovered after $((SECONDS - started)) s"
# The restored superuser has the password of that moment. The migrations, which set those of the other roles, need the present one.
compose exec -T postgres psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 <<'SQL'
\set password `cat /run/payroll/password`
alter role postgres password :'password';
SQL
compose up --detach "$@"
say "the system runs after $((SECONDS - started)) s"
if [ -n "$(containers any prometheus)" ] && [ -z "$(containers running prometheus)" ]; then
  say 'the monitoring is still stopped: docker-compose --profile monitoring up --detach'
fi
compose run --rm -T --no-deps -e "DATABASE_URL=postgres://postgres@postgres:5432/payroll" migrate \
  node --env-file=/run/payroll/environment tools/dist/operate/reconcile.js --wait "${wait_s:-60}"
