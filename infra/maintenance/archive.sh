#!/usr/bin/env bash
set -euo pipefail

usage() {
  cat <<'USAGE'
Usage: infra/maintenance/archive.sh keep FILE NAME | fetch NAME FILE | base | recover TIME

The archive from which the database is brought back as it was at a moment: all that Postgres has written since a base backup. It
is run where Postgres is, by the services of docker-compose.yml; docs/operations.md says how.
  keep      archive_command: keeps a segment, which is on disk before it is confirmed, and never another one of its name
  fetch     restore_command: the segment, for a recovery
  base      a base backup of the running Postgres, while it works; the newest two are kept, with what was written since
  recover   replaces the data of the stopped Postgres by the newest base backup before TIME, such as 2026-11-22T10:15:00.5Z. Started
            after that, Postgres recovers to TIME and goes on from there. The data that it had stay beside, in PGDATA.left-…

Environment: PGDATA, ARCHIVE (default /archive); for base also what psql reads, such as PGHOST and PGUSER.
USAGE
}

die() {
  printf 'archive.sh: %s\n' "$*" >&2
  exit 1
}

archive=${ARCHIVE:-/archive}
BASES_KEPT=2
# Sorts by time.
STAMP=%Y%m%dT%H%M%S.%6NZ

keep() {
  local to=$archive/wal/$2
  if [ -e "$to" ]; then
    # Postgres stopped before it learned that this segment is archived.
    cmp -s "$1" "$to" || die "$to is there already, and is another"
    return
  fi
  mkdir -p "$archive/wal"
  cp "$1" "$to.new"
  sync "$to.new"
  mv "$to.new" "$to"
  sync "$archive/wal"
}

base() {
  local new=$archive/base/new name
  rm -rf "$new"
  mkdir -p "$new"
  # One session from start to stop: Postgres aborts a backup whose session ends.
  psql --no-psqlrc --quiet --tuples-only --no-align --set ON_ERROR_STOP=1 --dbname "${PGDATABASE:-postgres}" <<SQL
select from pg_backup_start('base', fast => true);
\! tar -C '$PGDATA' --exclude='./pg_wal/*' --exclude=./postmaster.pid --exclude=./postmaster.opts -cf '$new/data.tar' . || [ \$? = 1 ] || rm '$new/data.tar'
\o $new/backup_label
select labelfile from pg_backup_stop();
SQL
  [ -s "$new/data.tar" ] && [ -s "$new/backup_label" ] || die 'the base backup failed'
  name=$(date -u +"$STAMP")
  sync "$new"/*
  mv "$new" "$archive/base/$name"
  forget
  printf 'a base backup as of %s: every moment since then can be recovered\n' "$name"
}

# Deletes what no kept base backup needs.
forget() {
  local bases oldest first segment
  mapfile -t bases < <(ls -r "$archive/base")
  for name in "${bases[@]:BASES_KEPT}"; do rm -rf "${archive:?}/base/$name"; done
  oldest=$(ls "$archive/base" | head -n 1)
  first=$(sed -n 's/^START WAL LOCATION: .*(file \([0-9A-F]*\))$/\1/p' "$archive/base/$oldest/backup_label")
  for segment in "$archive"/wal/*; do
    segment=${segment##*/}
    # A segment's name without its timeline; timeline history files are small and stay.
    if [[ $segment =~ ^[0-9A-F]{24}(\..*backup)?$ && ${segment:8:16} < ${first:8:16} ]]; then rm "$archive/wal/$segment"; fi
  done
}

recover() {
  local to before name left
  to=$(date -u -d "$1" '+%F %T.%6N+00') || die "TIME is a moment such as 2026-11-22T10:15:00.5Z"
  before=$(date -u -d "$1" +"$STAMP")
  [ ! -e "$PGDATA/postmaster.pid" ] || die "stop Postgres first: $PGDATA/postmaster.pid is there"
  for each in "$archive"/base/*Z; do
    each=${each##*/}
    if [[ ! $each > $before ]]; then name=$each; fi
  done
  [ -n "${name:-}" ] || die "there is no base backup before $to"
  left=$PGDATA.left-$(date -u +"$STAMP")
  [ ! -d "$PGDATA" ] || mv "$PGDATA" "$left"
  mkdir -m 700 "$PGDATA"
  tar -C "$PGDATA" -xf "$archive/base/$name/data.tar"
  cp "$archive/base/$name/backup_label" "$PGDATA/"
  mkdir -p "$PGDATA/pg_wal"
  # The last segments may not have reached the archive.
  [ ! -d "$left" ] || find "$left/pg_wal" -maxdepth 1 -name '????????????????????????' -exec cp {} "$PGDATA/pg_wal/" \;
  cat >>"$PGDATA/postgresql.auto.conf" <<CONF
restore_command = 'ARCHIVE=$archive $(realpath "${BASH_SOURCE[0]}") fetch %f "%p"'
recovery_target_time = '$to'
recovery_target_action = 'promote'
CONF
  touch "$PGDATA/recovery.signal"
  printf 'start Postgres: it recovers to %s from the base backup of %s\n' "$to" "$name"
  printf 'payouts begin once payments has compared the orders of the payout provider: reconcile then names those whose work is lost\n'
  [ ! -d "$left" ] || printf 'the data that it had are in %s: remove them when nobody needs them\n' "$left"
}

case " ${*:---help} " in
*' -h '* | *' --help '*) usage && exit ;;
esac
case $1 in
keep) keep "$2" "$3" ;;
fetch) cp "$archive/wal/$2" "$3" ;;
base) base ;;
recover) [ -n "${2:-}" ] || die 'recover needs TIME'; recover "$2" ;;
*) die "there is no command \"$1\"; try --help" ;;
esac
