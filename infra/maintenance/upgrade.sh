#!/usr/bin/env bash
set -euo pipefail
# shellcheck source=infra/maintenance/compose.sh
source "$(dirname "${BASH_SOURCE[0]}")/compose.sh"

usage() {
  cat <<'USAGE'
Usage: infra/maintenance/upgrade.sh

Brings a running deployment to the image that is built or pulled by now, while it goes on serving:
  1. secrets are handed out, the tables migrated, and NATS reads its users and their permissions again;
  2. in a test deployment the sandbox provider is replaced or started; payouts wait for it meanwhile;
  3. for each container of a service in turn, a new one is started, and once that is healthy the old one is asked to stop;
     a process that is new is started, before the balancer sends it anybody;
  4. the balancer is replaced if its image is another one: for a few seconds nobody is let in;
  5. the edges are replaced as the services were.
A new container that does not become healthy is removed, and the version before serves on. Rolling back is the same with the
images before. Postgres and the NATS server stay as they are. Not for a live deployment without a backup.

Environment (or .env, as for docker-compose):
  COMPOSE_PROJECT_NAME  the compose project; default: the folder's name
  PAYROLL_IMAGE         the image; default payroll:local
USAGE
}

case ${1:-} in
-h | --help) usage && exit 0 ;;
?*) die "there is no option \"$1\"; try --help" ;;
esac
need_docker

HEALTHY_WITHIN_S=120

wait_until_healthy() {
  local deadline=$((SECONDS + HEALTHY_WITHIN_S))
  until [ "$(docker inspect --format '{{.State.Health.Status}}' "$1")" = healthy ]; do
    [ "$SECONDS" -lt "$deadline" ] && [ "$(docker inspect --format '{{.RestartCount}}' "$1")" -lt 3 ] || return 1
    sleep 1
  done
}

# Shows the output only if the command fails.
quietly() {
  local said
  said=$("$@" 2>&1) || die "$* failed: $said"
}

# The new container that is not healthy yet: it goes if this script ends before, or the next upgrade would keep one more.
starting=
trap '[ -z "$starting" ] || docker rm --force "$starting" >/dev/null' EXIT

wait_for_new() { # wait_for_new PROCESS CONTAINER WHAT-HOLDS-WITHOUT-IT
  starting=$2
  if ! wait_until_healthy "$2"; then
    docker logs --tail 5 "$2" >&2
    die "$1 fails, or is not healthy within $HEALTHY_WITHIN_S s, and is removed again: $3"
  fi
  starting=
}

# One container at a time: until a new one is ready, the balancer uses another.
upgrade() {
  local process=$1 before old known new
  before=$(containers running "$process")
  # compose would start a stopped one, of an upgrade that was interrupted, in place of a new one.
  for old in $(containers any "$process" | grep -vxF "$before"); do docker rm --force "$old" >/dev/null; done
  for old in $before; do
    known=$(containers any "$process")
    quietly compose up --detach --no-deps --no-recreate --scale "$process=$(($(wc -w <<<"$before") + 1))" "$process"
    # One that fails at once is already restarting, or has ended.
    new=$(containers any "$process" | grep -vxF "$known") || die "$process: docker-compose has made no new container"
    wait_for_new "$process" "$new" 'its version before serves on'
    docker stop "$old" >/dev/null
    docker rm "$old" >/dev/null
  done
  say "$process: $(wc -w <<<"$before") of the new version, the old ones have finished what they took"
}

start_new() {
  local process=$1
  quietly compose up --detach --no-deps "$process"
  wait_for_new "$process" "$(containers any "$process")" 'nothing of it runs'
  say "$process: is new, and was started"
}

upgrade_or_start() {
  local process
  for process; do
    if [ -n "$(containers running "$process")" ]; then upgrade "$process"; else start_new "$process"; fi
  done
}

# Pages that move to another edge are served there once the balancer knows of it.
start_new_edges() {
  local process
  for process in $edges; do
    [ -n "$(containers running "$process")" ] || start_new "$process"
  done
}

# Established connections stay open as long as their user keeps its password and permissions.
reload_nats() {
  local nats since deadline
  for nats in $(containers running nats); do
    since=$(date +%s)
    deadline=$((SECONDS + 10))
    docker kill --signal HUP "$nats" >/dev/null
    until docker logs --since "$since" "$nats" 2>&1 | grep -q 'Reloaded server configuration'; do
      [ "$SECONDS" -lt "$deadline" ] || die "NATS did not take its users: $(docker logs --tail 3 "$nats" 2>&1)"
      sleep 0.2
    done
    say 'nats: has read its users and their permissions again'
  done
}

replace_balancer() {
  local before after
  before=$(containers running balancer)
  quietly compose up --detach --no-deps balancer
  after=$(containers running balancer)
  if [ "$after" = "$before" ]; then return; fi
  wait_until_healthy "$after" || die "the new balancer is not healthy within $HEALTHY_WITHIN_S s: docker logs $after"
  say 'balancer: replaced'
}

for process in $services $edges; do
  # A service without any container is new; one with stopped containers must not be started by an upgrade.
  [ -z "$(containers any "$process")" ] || [ -n "$(containers running "$process")" ] ||
    die "$process does not run in the project $project: docker-compose up -d"
done
[ -n "$(containers running balancer)" ] || die "nothing runs in the project $project: docker-compose up -d"
compose run --rm --no-deps -T set-up
compose run --rm --no-deps -T migrate
reload_nats
# Called by old and new payments processes; its books are in a file with one writer at a time.
if [ "$(setting DEPLOYMENT)" != live ]; then quietly compose up --detach --no-deps "$provider"; fi
# shellcheck disable=SC2086
upgrade_or_start $services
start_new_edges
replace_balancer
# shellcheck disable=SC2086
upgrade_or_start $edges
