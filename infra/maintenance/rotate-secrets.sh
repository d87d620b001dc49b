#!/usr/bin/env bash
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=infra/maintenance/compose.sh
source "$here/compose.sh"

usage() {
  cat <<'USAGE'
Usage: infra/maintenance/rotate-secrets.sh NAME...

Replaces secrets of a running deployment by new ones, while it goes on serving. A NAME is that of a file in SECRETS_DIR, such as
nats.review, or what several begin with: database, nats, admission, actor-keys. confirmation-key is the last kind. All NAMEs of
one call are replaced together.

  1. begin   the file has <old>,<new>: every process accepts both, and the old one is used
  2. switch  the file has <new>,<old>: Postgres and NATS know the new one, and processes sign with it
  3. finish  the file has <new>: the old one is refused

After each step upgrade.sh (--help) gives every process what is in the files, one after the other, with the image that is built or
pulled by now.

A NATS elsewhere has to be given its users again before the last step: the command stops there and says so.

If it is interrupted, nothing is lost: every process accepts what the others use. Then, before you call it again:
  infra/maintenance/upgrade.sh
  sleep 300                   only for confirmation-key: so long a confirmation may be under way
  docker-compose run --rm --no-deps set-up rotate-secrets finish NAME...
  infra/maintenance/upgrade.sh
USAGE
}

case ${1:-} in
-h | --help) usage && exit 0 ;;
-*) die "there is no option \"$1\"; try --help" ;;
'') die 'name the secrets; try --help' ;;
esac
need_docker
[ -n "$(containers running balancer)" ] || die "nothing runs in the project $project: docker-compose up -d"

# Signatures with the old key must still be accepted: actor tokens for 15 s, an assistant's confirmation for five minutes.
signed_for_s=15
[[ " $* " != *" confirmation-key "* ]] || signed_for_s=300

for step in begin switch finish; do
  if [ "$step" = finish ]; then
    # Processes already use the new passwords where NATS knows them, and the old ones where it does not.
    if [[ " $*" = *" nats"* ]] && [ -z "$(containers running nats)" ]; then
      die "NATS runs elsewhere: write its users again (docs/scaling.md), have each server read them, and then
  docker-compose run --rm --no-deps set-up rotate-secrets finish $*
  infra/maintenance/upgrade.sh"
    fi
    sleep "$signed_for_s"
  fi
  compose run --rm --no-deps -T set-up rotate-secrets "$step" "$@"
  "$here/upgrade.sh"
done
say "done: keep a copy of the new secrets, and throw away those of the old ones"
