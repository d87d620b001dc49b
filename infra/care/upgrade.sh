#!/usr/bin/env bash
set -euo pipefail
# shellcheck source=infra/care/compose.sh
source "$(dirname "${BASH_SOURCE[0]}")/compose.sh"

usage() {
  cat <<'USAGE'
Usage: infra/care/upgrade.sh

Brings a running deployment to the image that is built or pulled by now, while it goes on serving:
  1. secrets are handed out and the tables migrated, while the version before serves;
  2. for each container of ours in turn, a new one is started, and once that is healthy the old one is asked to stop.
A new container that does not become healthy is removed, and the version before serves on. Rolling back is the same with the
image before. NATS reads its users anew; Postgres, NATS and the balancer stay as they are. Not for a live deployment without a backup.

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
    [ "$SECONDS" -lt "$deadline" ] || return 1
    sleep 1
  done
}

# One container at a time: the balancer hears of a new one before that one answers, and then asks another.
upgrade() {
  local process=$1 before old known new
  before=$(containers running "$process")
  for old in $before; do
    known=$(containers running "$process")
    compose up --detach --no-deps --no-recreate --scale "$process=$(($(wc -w <<<"$before") + 1))" "$process" >/dev/null 2>&1
    new=$(containers running "$process" | grep -vxF "$known")
    if ! wait_until_healthy "$new"; then
      docker logs --tail 5 "$new" >&2
      docker rm --force "$new" >/dev/null
      die "$process is not healthy within $HEALTHY_WITHIN_S s and was removed again: its version before serves on"
    fi
    docker stop "$old" >/dev/null && docker rm "$old" >/dev/null
  done
  say "$process: $(wc -w <<<"$before") of the new version, the old ones have finished what they took"
}

processes="workspaces contracts review payments gateway rest-facade mcp"
for process in $processes; do
  [ -n "$(containers running "$process")" ] || die "$process does not run in the project $project: docker-compose up -d"
done
compose run --rm --no-deps -T set-up
compose run --rm --no-deps -T migrate
# Who may say what may have changed: NATS reads its users again, without ending a connection that may stay.
for nats in $(containers running nats); do docker kill --signal HUP "$nats" >/dev/null; done
for process in $processes; do upgrade "$process"; done
