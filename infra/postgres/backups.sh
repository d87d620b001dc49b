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

# The option for the timeline that Postgres was on at that second, unless it is the newest, which is the default. Each restore begins
# another one, and Postgres archives its history at once. The newest one has nothing of what restores have given up.
timeline_at() {
  local histories at=current number began is_left=
  histories=$(pgbackrest repo-ls --recurse --output=json '--filter=\.history$' archive) || return
  while read -r number began; do
    if [ "$began" -le "$1" ]; then at=$((16#$number)); else is_left=1; fi
  done < <(grep -oE '[0-9A-F]{8}\.history":\{[^}]*' <<<"$histories" | sed -E 's/^(.{8}).*"time":([0-9]+).*/\1 \2/' | sort)
  [ -z "$is_left" ] || printf -- '--target-timeline=%s' "$at"
}

restore() {
  local to timeline late left target=(--type=default)
  if [ "$1" != newest ]; then
    to=$(date -u -d "$1" '+%F %T.%6N+00') || die 'TIME is a moment such as 2026-11-22T10:15:00.5Z'
    timeline=$(timeline_at "$(date -u -d "$1" +%s)") || die 'the repository does not answer: nothing was changed'
    target=(--type=time "--target=$to" --target-action=promote ${timeline:+"$timeline"})
  fi
  [ ! -e "$PGDATA/postmaster.pid" ] || die "stop Postgres first: $PGDATA/postmaster.pid is there (if it was killed and none runs, remove that file)"
  late=$({ find "$PGDATA/pg_wal/archive_status" -name '*.ready' 2>/dev/null || true; } | wc -l)
  [ "$late" = 0 ] || die "$late segments would be lost: start Postgres until it has archived them, or move $PGDATA away"
  left=$PGDATA.left-$(date -u +%Y%m%dT%H%M%SZ)
  [ ! -d "$PGDATA" ] || mv "$PGDATA" "$left"
  mkdir -p "$PGDATA"
  chmod 700 "$PGDATA"
  if ! pgbackrest restore --process-max="$(nproc)" "${target[@]}"; then
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
daily | check | make) ;;
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
