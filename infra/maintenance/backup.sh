#!/usr/bin/env bash
set -euo pipefail
# shellcheck source=infra/maintenance/compose.sh
source "$(dirname "${BASH_SOURCE[0]}")/compose.sh"

usage() {
  cat <<'USAGE'
Usage: infra/maintenance/backup.sh DIR

Backs up a deployment while it runs, into a new folder DIR that nobody else can read:
  payroll.dump   the whole database at one moment (pg_dump, custom format)
  secrets.tar    the secrets that open it and that every key, session and confirmation depends on
NATS keeps nothing that is worth a backup. Keep DIR encrypted, and away from this machine.

Environment (or .env, as for docker-compose):
  COMPOSE_PROJECT_NAME  the compose project; default: the folder's name
  DATABASE_URL          a superuser's URL, where Postgres runs elsewhere; then pg_dump of its version must be on the PATH
  SECRETS_DIR           where the secrets are; default: the volume that a test deployment makes
  NO_SECRETS            not empty: only the database, where the secrets are kept by something else
USAGE
}

case ${1:---help} in
-h | --help) usage && exit 0 ;;
-*) die "there is no option \"$1\"; try --help" ;;
esac
need_docker
dir=$1
[ ! -e "$dir" ] || die "$dir exists: name a new folder"
umask 077
mkdir -p "$dir"
trap 'rm -rf "$dir"; say "the backup failed: $dir was removed" >&2' ERR

postgres pg_dump payroll --format custom --no-password >"$dir/payroll.dump"
[ -n "${NO_SECRETS:-}" ] || in_secrets tar -c . >"$dir/secrets.tar"
say "backed up to $dir: $(du -h "$dir/payroll.dump" | cut -f 1) of data${NO_SECRETS:+, without the secrets}"
