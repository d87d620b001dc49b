# Shared by restore.sh, rotate-secrets.sh and upgrade.sh: finds containers of the compose project. Sourced, not run.

say() { printf '%s\n' "$*"; }
die() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

need_docker() { command -v docker >/dev/null || die 'there is no docker on the PATH: install it first'; }

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# Our processes, services first: a service must answer before the edges that call it.
services=$(cd "$root/services" && ls -d -- */ | tr -d / | xargs)
edges='gateway rest-facade mcp console'
# Replaces the payout provider; a live deployment has a real one.
provider='sandbox-provider'

# Another file than .env: the tests of compose run beside an operator's own.
env_file=${ENV_FILE:-$root/.env}

# The settings of .env that matter here, read as compose does: the environment comes first, and quotes and comments are no part of them.
setting() {
  local name=$1
  if [ -n "${!name:-}" ]; then printf '%s' "${!name}"; return; fi
  [ -f "$env_file" ] || return 0
  sed -n "s/^$name=//p" "$env_file" | tail -n 1 | sed -E "s/^([\"'])([^\"']*)\1.*/\2/; t; s/[[:space:]]+#.*//; s/[[:space:]]+$//"
}

# Compose's default name for the project.
project=$(setting COMPOSE_PROJECT_NAME)
project=${project:-$(basename "$root" | tr '[:upper:]' '[:lower:]' | tr -cd 'a-z0-9_-')}

# containers running|alive|any SERVICE...: ids of the project's containers of these services. One that fails again and again is alive.
containers() {
  local status=() service
  case $1 in
  alive) status=(--filter status=running --filter status=restarting) ;;
  running) status=(--filter status=running) ;;
  esac
  shift
  for service; do
    docker ps --all --quiet "${status[@]}" --filter "label=com.docker.compose.project=$project" \
      --filter "label=com.docker.compose.service=$service" --filter label=com.docker.compose.oneoff=False
  done
}

compose() {
  local command
  if [ -n "${COMPOSE:-}" ]; then read -ra command <<<"$COMPOSE"
  elif docker compose version >/dev/null 2>&1; then command=(docker compose); else command=(docker-compose); fi
  [ -z "${ENV_FILE:-}" ] || command+=(--env-file "$ENV_FILE")
  (cd "$root" && COMPOSE_PROJECT_NAME=$project "${command[@]}" "$@")
}
