# Shared by backup.sh, restore.sh and upgrade.sh: finds containers of the compose project. Sourced, not run.

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

# Compose's default name for the project.
project=${COMPOSE_PROJECT_NAME:-$(basename "$root" | tr '[:upper:]' '[:lower:]' | tr -cd 'a-z0-9_-')}

# The settings of .env that matter here; the environment comes first, as it does for compose.
setting() {
  local name=$1
  if [ -n "${!name:-}" ]; then printf '%s' "${!name}"; return; fi
  [ -f "$root/.env" ] || return 0
  sed -n "s/^$name=//p" "$root/.env" | tail -n 1
}

# containers running|any SERVICE...: ids of the project's containers of these services.
containers() {
  local status=() service
  [ "$1" = any ] || status=(--filter "status=$1")
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
  (cd "$root" && COMPOSE_PROJECT_NAME=$project "${command[@]}" "$@")
}

# Postgres' programs: those of its container, or with DATABASE_URL those on the PATH. The server's major version or newer.
# postgres PROGRAM DATABASE ARGUMENT...
postgres() {
  local program=$1 database=$2 container
  shift 2
  if [ -n "${DATABASE_URL:-}" ]; then
    "$program" --dbname "$(url_of "$database")" "$@"
    return
  fi
  container=$(containers running postgres | head -n 1)
  [ -n "$container" ] || die "the project $project runs no postgres: start it, or set DATABASE_URL (--help)"
  docker exec --interactive "$container" "$program" --username "${POSTGRES_USER:-postgres}" --dbname "$database" "$@"
}

# The superuser's URL for another database of the same server.
url_of() {
  local address=${DATABASE_URL%%\?*} query=
  [ "$address" = "$DATABASE_URL" ] || query="?${DATABASE_URL#*\?}"
  printf '%s/%s%s' "${address%/*}" "$1" "$query"
}

# The place of the secrets: a folder, or the volume that a test deployment creates for them.
secrets_mount() {
  local folder
  folder=$(setting SECRETS_DIR)
  if [ -n "$folder" ]; then (cd "$root" && realpath "$folder"); else printf '%s_secrets' "$project"; fi
}

# in_secrets COMMAND...: runs it as root in a container without a network, in the folder of the secrets.
in_secrets() {
  docker run --rm --interactive --network none --user root --workdir /secrets --volume "$(secrets_mount):/secrets" \
    --entrypoint "$1" "$(setting PAYROLL_IMAGE | grep . || printf 'payroll:local')" "${@:2}"
}
