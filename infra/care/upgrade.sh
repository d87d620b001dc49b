#!/usr/bin/env bash
set -euo pipefail
# shellcheck source=infra/care/compose.sh
source "$(dirname "${BASH_SOURCE[0]}")/compose.sh"

usage() {
  cat <<'USAGE'
Usage: infra/care/upgrade.sh

Brings a running deployment to the image that is built or pulled by now, without a request failing:
  1. secrets are handed out and the tables migrated, while the version before serves;
  2. for each process, as many new containers as there are old ones are started, and once all of them are healthy the old
     ones are asked to stop.
New containers that do not become healthy are removed, and the version before serves on. Rolling back is the same with the
image before. Postgres, NATS and the balancer stay as they are. Not for a live deployment without a backup.

Environment (or .env, as for docker-compose):
  COMPOSE_PROJECT_NAME  the compose project; default: the folder's name
  PAYROLL_IMAGE         the image; default payroll:local
USAGE
}

case ${1:-} in
-h | --help) usage && exit 0 ;;
?*) usage >&2 && exit 1 ;;
esac

HEALTHY_WITHIN_S=120

# wait_until_healthy CONTAINER...
wait_until_healthy() {
  local deadline=$((SECONDS + HEALTHY_WITHIN_S))
  until [ "$(docker inspect --format '{{.State.Health.Status}}' "$@" | sort -u)" = healthy ]; do
    [ "$SECONDS" -lt "$deadline" ] || return 1
    sleep 1
  done
}

upgrade() {
  local process=$1 before new
  before=$(containers running "$process")
  compose up --detach --no-deps --no-recreate --scale "$process=$((2 * $(wc -w <<<"$before")))" "$process" >/dev/null 2>&1
  new=$(containers running "$process" | grep -vxF "$before")
  # shellcheck disable=SC2086
  if ! wait_until_healthy $new; then
    docker logs --tail 5 "$(head -n 1 <<<"$new")" >&2
    docker rm --force $new >/dev/null
    die "$process is not healthy within $HEALTHY_WITHIN_S s and was removed again: its version before serves on"
  fi
  # shellcheck disable=SC2086
  docker stop $before >/dev/null && docker rm $before >/dev/null
  say "$process: $(wc -w <<<"$new") of the new version, the old ones have finished what they took"
}

processes="workspaces contracts review payments gateway rest-facade mcp"
for process in $processes; do
  [ -n "$(containers running "$process")" ] || die "$process does not run in the project $project: docker-compose up -d"
done
compose run --rm --no-deps -T set-up
compose run --rm --no-deps -T migrate
for process in $processes; do upgrade "$process"; done
