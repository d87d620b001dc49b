#!/usr/bin/env bash
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

case ${1:-} in
-h | --help)
  cat <<'USAGE'
Usage: tests/compose/rehearse-restore.sh

Rehearses a disaster with a system of its own (compose project COMPOSE_PROJECT_NAME, default payroll-rehearsal), which is
removed at the end: demo data, a load with approvals in flight, a backup in the midst of it, then
  1. the machine is lost: the newest state is restored on an empty one, from the folder of the backups and a copy of the secrets;
  2. the data are broken and moved away, and the newest state is restored beside them;
  3. the database is restored to a moment amid approvals.
After each the system is reconciled and must be clean. Needs docker, and what npm start installs.
USAGE
  exit 0
  ;;
?*) printf 'rehearse-restore.sh: there is no option "%s"; try --help\n' "$1" >&2 && exit 1 ;;
esac
command -v docker >/dev/null || { printf 'rehearse-restore.sh: there is no docker on the PATH: install it first\n' >&2 && exit 1; }

export COMPOSE_PROJECT_NAME=${COMPOSE_PROJECT_NAME:-payroll-rehearsal}
if docker compose version >/dev/null 2>&1; then compose=(docker compose); else compose=(docker-compose); fi
dir=$(mktemp -d)
# Beside the operator's own settings.
export ENV_FILE=$dir/no-settings
touch "$ENV_FILE"
compose+=(--env-file "$ENV_FILE")
export BACKUPS_DIR=$dir/backups SECRETS_DIR=$dir/secrets
# User 999 of the containers enters and writes.
chmod 711 "$dir"
mkdir "$SECRETS_DIR"
mkdir -m 1777 "$BACKUPS_DIR"
say() { printf '\n== %s\n' "$*"; }
clean_up() {
  "${compose[@]}" down --volumes --remove-orphans >/dev/null 2>&1 || true
  rm -rf "$dir"
}
trap clean_up EXIT

start() {
  # On a busy machine a slow start may be reported once as unhealthy.
  for _ in 1 2 3; do "${compose[@]}" up --detach >"$dir/compose.log" 2>&1 && return; done
  tail -n 20 "$dir/compose.log"
  "${compose[@]}" logs --tail 10
  exit 1
}
demo_key_opens() {
  node --input-type=module - "$dir/stack.json" <<'JS'
import { readFileSync } from 'node:fs';
const { rest, workspaces } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const { status } = await fetch(`${rest.url}/business`, { headers: { authorization: `Bearer ${workspaces[0].apiKeys.viewer}` } });
console.log(`a key from before the disaster answers ${status}`);
process.exitCode = status === 200 ? 0 : 1;
JS
}

say 'A system with demo data'
start
"${compose[@]}" run --rm -T demo >"$dir/stack.json"

works_for_20_s() {
  STACK_DIR=$dir npm run --silent load -- --seconds 20 --rate 10 >"$dir/load.log" || { cat "$dir/load.log"; exit 1; }
  cat "$dir/load.log"
}

say 'A backup while people work'
works_for_20_s &
load=$!
sleep 10
"${compose[@]}" exec -T backups backups.sh make
wait "$load"

say '1. The machine is lost'
# What Postgres has not archived yet is lost with it: at most a minute.
sleep 65
"${compose[@]}" down --volumes >/dev/null 2>&1
infra/maintenance/restore.sh newest
demo_key_opens

say '2. The data are broken'
"${compose[@]}" stop >/dev/null 2>&1
data=/var/lib/postgresql/18/docker
"${compose[@]}" run --rm --no-deps --entrypoint mv backups $data $data.broken
infra/maintenance/restore.sh newest
demo_key_opens

say '3. The database is restored to a moment amid approvals'
works_for_20_s &
load=$!
sleep 10
moment=$(date -u +%FT%T.%6NZ)
wait "$load"
"${compose[@]}" stop >/dev/null 2>&1
infra/maintenance/restore.sh "$moment"
demo_key_opens

say 'Backup, loss, restore, reconcile: clean'
