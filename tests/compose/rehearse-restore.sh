#!/usr/bin/env bash
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

case ${1:-} in
-h | --help)
  cat <<'USAGE'
Usage: tests/compose/rehearse-restore.sh

Rehearses a disaster with a system of its own (compose project COMPOSE_PROJECT_NAME, default payroll-rehearsal), which is
removed at the end: demo data, a load with approvals in flight, a backup in the midst of it, then
  1. the database taken back to the backup;
  2. everything lost (database, secrets), restored on an empty machine;
  3. the database recovered, from its archive, to a moment amid approvals.
After each the system is reconciled and must be clean. Needs docker, node, and a build (npm run build).
USAGE
  exit 0
  ;;
?*) printf 'rehearse-restore.sh: there is no option "%s"; try --help\n' "$1" >&2 && exit 1 ;;
esac
command -v docker >/dev/null || { printf 'rehearse-restore.sh: there is no docker on the PATH: install it first\n' >&2 && exit 1; }

export COMPOSE_PROJECT_NAME=${COMPOSE_PROJECT_NAME:-payroll-rehearsal} WAL_ARCHIVE=on
if docker compose version >/dev/null 2>&1; then compose=(docker compose); else compose=(docker-compose); fi
dir=$(mktemp -d)
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
reconcile() {
  "${compose[@]}" run --rm -T --no-deps -e DATABASE_URL=postgres://postgres@postgres:5432/payroll migrate \
    node --env-file=/run/payroll/environment tools/dist/operate/reconcile.js --wait 60
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

say 'A backup while people work'
STACK_DIR=$dir node tools/dist/operate/load.js --seconds 20 --rate 10 >"$dir/load.log" &
load=$!
sleep 10
infra/maintenance/backup.sh "$dir/backup"
wait "$load" || { cat "$dir/load.log"; exit 1; }
cat "$dir/load.log"

say '1. The database is taken back to the backup'
"${compose[@]}" stop balancer gateway rest-facade mcp console $(cd services && echo *) >/dev/null 2>&1
infra/maintenance/restore.sh "$dir/backup" --replace
start
reconcile
demo_key_opens

say '2. Everything is lost: database and secrets'
"${compose[@]}" down --volumes >/dev/null 2>&1
infra/maintenance/restore.sh "$dir/backup"
start
reconcile
demo_key_opens

say '3. The database is recovered to a moment amid approvals'
"${compose[@]}" exec -T postgres archive.sh base
STACK_DIR=$dir node tools/dist/operate/load.js --seconds 20 --rate 10 >"$dir/load.log" &
load=$!
sleep 10
moment=$(date -u +%FT%T.%6NZ)
wait "$load" || { cat "$dir/load.log"; exit 1; }
"${compose[@]}" stop >/dev/null 2>&1
"${compose[@]}" run --rm recover "$moment"
start
reconcile
demo_key_opens

say 'Backup, wipe, restore, reconcile: clean'
