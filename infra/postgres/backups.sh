#!/usr/bin/env bash
set -euo pipefail

usage() {
  cat <<'USAGE'
Usage: infra/postgres/backups.sh daily | check | make | restore newest|TIME

Base backups of Postgres by pgBackRest, in the container "backups" of docker-compose.yml. Together with what Postgres archives they
restore any moment since the oldest one.
  daily     runs check every ten minutes, until it is stopped
  check     makes the backup of the day, unless there is one, and writes the age of the newest one for the exporter of metrics
  make      makes a backup now: of everything once a week, else of what has changed since that one
  restore   brings the data of the stopped Postgres back: all that is archived, or as of TIME, such as 2026-11-22T10:15:00.5Z.
            Started after that, Postgres recovers and goes on from there. The data that it had stay beside, in PGDATA.left-…

Environment: BACKUP_HOUR (UTC, default 2), PGDATA, and the address of Postgres as libpq reads it.
USAGE
}

die() {
  printf 'backups.sh: %s\n' "$*" >&2
  exit 1
}

FIGURES=${FIGURES:-/figures}
CHECK_EVERY_S=600
# Less than seven days, because a backup begins some seconds later than the one a week before.
FULL_EVERY_S=$((6 * 86400 + 43200))

now() { date -u +%s; }

# The newest backup, empty if there is none: its label, such as 20261122-020000F_20261128-020000D, which begins with that of the
# whole one; when it ended, in seconds; whether Postgres has gone on from a restore since, which began another timeline.
read_newest() {
  local info timelines
  info=$(pgbackrest info --output=json) || return
  label=$(grep -o '"label":"[^"]*"' <<<"$info" | tail -n 1 | cut -d'"' -f4) || label=
  ended=$(grep -o '"stop":[0-9]*' <<<"$info" | tail -n 1 | cut -d: -f2) || ended=0
  timelines=$(grep -oE '"(max|stop)":"[0-9A-F]{24}"' <<<"$info" | cut -d'"' -f4 | cut -c1-8 | sort -u | tail -n 1)
  was_restored=
  [ -z "$label" ] || [[ $(grep -oE '"stop":"[0-9A-F]{24}"' <<<"$info" | tail -n 1) = *"\"$timelines"* ]] || was_restored=1
}

# The last moment at which a backup was due.
due() {
  local due today
  today=$(date -u -d "@$(now)" +%F)
  due=$(date -u -d "$today ${BACKUP_HOUR:-2}:00" +%s)
  [ "$due" -le "$(now)" ] || due=$((due - 86400))
  printf '%s' "$due"
}

make() {
  local whole type=full
  read_newest || return
  whole=${label%%F*}
  if [ -n "$label" ]; then
    [ $(($(now) - $(date -u -d "${whole%-*} ${whole:9:2}:${whole:11:2}:${whole:13:2}" +%s))) -ge "$FULL_EVERY_S" ] || type=diff
  fi
  # Half of the processors: requests are served meanwhile.
  pgbackrest backup --type=$type --process-max=$((($(nproc) + 1) / 2)) --log-level-stderr=info
}

check() {
  [ -e "$FIGURES/backups.prom" ] || figure 0 || return
  # Repeatable. Refused if the repository has the backups of another database, which it keeps from being replaced.
  pgbackrest stanza-create && read_newest || return
  # Otherwise none would be due until then, and no alert would say so.
  if [ "$ended" -gt $(($(now) + 3600)) ]; then
    figure 0
    printf 'backups.sh: %s ended at %s, so a clock is or was wrong; if it was: pgbackrest expire --set=%s\n' "$label" "$(date -u -d "@$ended" +%FT%TZ)" "$label" >&2
    return 1
  fi
  if [ "$ended" -lt "$(due)" ] || [ -n "$was_restored" ]; then make && read_newest || return; fi
  figure "$ended"
}

# For the exporter of metrics, which reads whole files only. 0: there is no backup.
figure() {
  printf 'payroll_newest_backup_timestamp_seconds %s\n' "$1" >"$FIGURES/backups.prom.new" &&
    mv "$FIGURES/backups.prom.new" "$FIGURES/backups.prom"
}

# An LSN, such as 1/A000028, as a number.
position() { printf '%s' "$((16#${1%/*} << 32 | 16#${1#*/}))"; }

# The options that lead to that second. Each restore begins another timeline, and Postgres archives its history at once. The timeline is
# left out if it is the newest, which has nothing of what restores have given up. The backup is the newest one on the way: pgBackRest
# would take one that was made between the moment of a restore and that restore, and fail.
way_to() {
  local files file began at= is_left= history info timeline label lsn ended left begin=
  files=$(pgbackrest repo-ls --recurse --output=json '--filter=\.history$' archive) || return
  while read -r file began; do
    if [ "$began" -le "$1" ]; then at=$file; else is_left=1; fi
  done < <(grep -oE '[^"]*[0-9A-F]{8}\.history":\{[^}]*' <<<"$files" | sed -E 's/^([^"]*)".*"time":([0-9]+).*/\1 \2/' | sort)
  file=${at##*/}
  [ -z "$is_left" ] || printf -- '--target-timeline=%s\n' "$([ -n "$at" ] && printf '%d' "$((16#${file%.history}))" || printf current)"
  [ -n "$at" ] || return 0
  history=$(pgbackrest repo-get "archive/$at") && info=$(pgbackrest info --output=json) || return
  while read -r timeline label lsn ended; do
    timeline=${timeline:0:8}
    # Where the next timeline of the way begins; empty if this one is not on the way.
    left=$(while read -r number end _; do [ "$((16#$timeline))" != "$number" ] || printf '%s' "$end"; done <<<"$history")
    if [ "$ended" -lt "$1" ] && { [ "$timeline" = "${file%.history}" ] ||
      { [ -n "$left" ] && [ "$(position "$lsn")" -le "$(position "$left")" ]; }; }; then begin=$label; fi
  done < <(grep -oE '"stop":"?[0-9A-F/]+|"label":"[^"]*' <<<"$info" | sed -E 's/.*:"?//' | paste - - - -)
  [ -z "$begin" ] || printf -- '--set=%s\n' "$begin"
}

restore() {
  local to until late left way target=(--type=default)
  # After every clock.
  until=9999999999
  if [ "$1" != newest ]; then
    to=$(date -u -d "$1" '+%F %T.%6N+00') || die 'TIME is a moment such as 2026-11-22T10:15:00.5Z'
    until=$(date -u -d "$1" +%s)
    [ "$until" -le "$(now)" ] || die "$1 lies in the future: newest is all that was archived"
    target=(--type=time "--target=$to" --target-action=promote)
  fi
  [ ! -e "$PGDATA/postmaster.pid" ] || die "stop Postgres first: $PGDATA/postmaster.pid is there (if it was killed and none runs, remove that file)"
  late=$({ find "$PGDATA/pg_wal/archive_status" -name '*.ready' 2>/dev/null || true; } | wc -l)
  [ "$late" = 0 ] || die "$late segments would be lost: start Postgres until it has archived them, or move $PGDATA away"
  way=$(way_to "$until") || die 'the repository does not answer: nothing was changed'
  left=$PGDATA.left-$(date -u +%Y%m%dT%H%M%SZ)
  [ ! -d "$PGDATA" ] || mv "$PGDATA" "$left"
  mkdir -p "$PGDATA"
  chmod 700 "$PGDATA"
  # shellcheck disable=SC2086
  if ! pgbackrest restore --process-max="$(nproc)" "${target[@]}" $way; then
    rm -rf "$PGDATA"
    [ ! -d "$left" ] || mv "$left" "$PGDATA"
    die 'nothing was restored, and the data are as they were'
  fi
  printf 'start Postgres: it recovers %s\n' "${to:+to }${to:-all that was archived}"
  printf 'payouts begin once payments has compared the orders of the payout provider: reconcile then names those whose work is lost\n'
  [ ! -d "$left" ] || printf 'the data that it had are in %s: remove them when nobody needs them\n' "$left"
}

case " ${*:---help} " in
*' -h '* | *' --help '*) usage && exit ;;
esac
case $1 in
daily | check | make) [[ ${BACKUP_HOUR:-2} =~ ^([01]?[0-9]|2[0-3])$ ]] || die "BACKUP_HOUR is an hour from 0 to 23, not \"$BACKUP_HOUR\"" ;;
restore) [ -n "${2:-}" ] || die 'restore needs newest or TIME' ;;
*) die "there is no command \"$1\"; try --help" ;;
esac
# pgBackRest connects as Postgres' own superuser.
if [ -z "${PGPASSWORD:-}" ]; then PGPASSWORD=$(cat /run/payroll/password); fi
export PGPASSWORD
if [ "$1" != daily ]; then "$@"; exit; fi
while :; do
  check || printf 'backups.sh: it is tried again in %s s\n' "$CHECK_EVERY_S" >&2
  sleep "$CHECK_EVERY_S"
done
