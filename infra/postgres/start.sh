#!/bin/sh
set -eu

case ${1:-} in
-h | --help)
  cat <<'USAGE'
Usage: infra/postgres/start.sh postgres [OPTION...]

Starts Postgres in its container (docker-compose.yml) with sizes that follow from one setting, POSTGRES_MEMORY (512m, 2g): the
container's limit.
USAGE
  exit 0
  ;;
postgres) ;;
*) echo "start.sh: there is no command \"${1:-}\"; try --help" >&2; exit 1 ;;
esac

number=${POSTGRES_MEMORY%[mMgG]}
case $number in '' | *[!0-9]*) echo "POSTGRES_MEMORY is $POSTGRES_MEMORY: it must be a whole number with m or g" >&2; exit 1 ;; esac
case $POSTGRES_MEMORY in
*[mM]) mb=$number ;;
*[gG]) mb=$((number * 1024)) ;;
*) echo "POSTGRES_MEMORY is $POSTGRES_MEMORY: it must end with m or g" >&2; exit 1 ;;
esac
[ "$mb" -ge 512 ] || { echo "POSTGRES_MEMORY is $POSTGRES_MEMORY: 512m is the least" >&2; exit 1; }

# A quarter for buffers, which count against the limit. The rest is for connections, maintenance and the cache of the system.
# Fewer checkpoints with more WAL: as much as there is memory, and no more than 16 GB of disk.
wal=$mb
[ "$wal" -le 16384 ] || wal=16384
maintenance=$((mb / 16))
[ "$maintenance" -le 1024 ] || maintenance=1024

# In an empty folder the image would make a new, empty database.
if [ ! -s "$PGDATA/PG_VERSION" ] && ls -d "$PGDATA".left-* >/dev/null 2>&1; then
  echo "start.sh: a restore was interrupted, and $PGDATA is empty. Run infra/maintenance/restore.sh again, or move the" \
    "folder back that it has left: $(ls -d "$PGDATA".left-*)" >&2
  exit 1
fi

exec docker-entrypoint.sh "$@" \
  -c "shared_buffers=$((mb / 4))MB" \
  -c "effective_cache_size=$((mb * 5 / 8))MB" \
  -c "maintenance_work_mem=${maintenance}MB" \
  -c "max_wal_size=${wal}MB"
