import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { repositoryRoot } from '../processes.js';

/**
 * A container is a file "service status image". `stop` kills the script after the daemon has stopped the container of contracts, if the
 * file `interrupt` is there. With the file `terminate`, a new container of contracts is not healthy, and the script is ended while it waits.
 */
const DOCKER = `#!/bin/bash
cd "$DIR/containers"
case $1 in
ps) service=; status=
  for each; do case $each in *compose.service=*) service=\${each##*=} ;; status=*) status=\${each#status=} ;; esac; done
  for id in *; do read -r s st _ <"$id"; [ "$s" = "$service" ] && { [ -z "$status" ] || [ "$st" = "$status" ]; } && echo "$id"; done; true ;;
inspect) read -r s st _ <"\${!#}"
  if [[ $3 = *RestartCount* ]]; then [ "$st" = running ] && echo 0 || echo 3; exit; fi
  { [ "$s" = contracts ] && [ -e "$DIR/terminate" ]; } || [ "$st" != running ] && echo starting || echo healthy ;;
logs) echo 'Reloaded server configuration' ;;
stop) read -r s _ i <"$2"; echo "$s exited $i" >"$2"
  if [ "$s" = contracts ] && [ -e "$DIR/interrupt" ]; then rm "$DIR/interrupt"; kill -KILL $PPID; fi ;;
rm) shift; [ "$1" != --force ] || shift; rm "$1" ;;
esac
`;
/** As compose 1.29, whose up --no-recreate starts stopped containers of the service, then makes those that are missing. */
const COMPOSE = `#!/bin/bash
cd "$DIR/containers"
echo "$*" >>"$DIR/calls"
[[ "$*" = *--scale* ]] || exit 0
scale=; for each; do [[ $each = *=* ]] && scale=$each; done
service=\${scale%=*}; wanted=\${scale#*=}; has=0
for id in *; do read -r s st i <"$id"; [ "$s" = "$service" ] || continue; has=$((has + 1)); echo "$s running $i" >"$id"; done
[ -e "$DIR/crash" ] && becomes=restarting || becomes=running
while [ "$has" -lt "$wanted" ]; do echo "$service $becomes new" >"$service-$RANDOM$RANDOM"; has=$((has + 1)); done
`;
const SLEEP = `#!/bin/sh
[ ! -e "$DIR/terminate" ] || { rm "$DIR/terminate"; kill -TERM $PPID; }
`;
const OURS = ['workspaces', 'contracts', 'review', 'payments', 'gateway', 'rest-facade', 'mcp', 'console', 'balancer'];

/** A host where Docker is these two, with one container of the old version for each part. */
function host(parts: readonly string[]) {
  const dir = mkdtempSync(join(tmpdir(), 'upgrade-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  for (const [name, script] of Object.entries({ docker: DOCKER, compose: COMPOSE, sleep: SLEEP })) {
    writeFileSync(join(dir, name), script, { mode: 0o755 });
  }
  mkdirSync(join(dir, 'containers'));
  for (const part of parts) writeFileSync(join(dir, 'containers', `${part}-1`), `${part} running old\n`);
  const env = {
    PATH: [dir, process.env['PATH']].join(delimiter),
    ...{ DIR: dir, COMPOSE: join(dir, 'compose'), DEPLOYMENT: 'live' },
  };
  return {
    interruptContracts: () => writeFileSync(join(dir, 'interrupt'), ''),
    crashNewContainers: () => writeFileSync(join(dir, 'crash'), ''),
    terminateWhileContractsStarts: () => writeFileSync(join(dir, 'terminate'), ''),
    run: (script: string, ...args: string[]) =>
      spawnSync(join(repositoryRoot, 'infra/maintenance', script), args, { encoding: 'utf8', input: '', env }),
    containers: (part: string) =>
      readdirSync(join(dir, 'containers'))
        .map((id) => readFileSync(join(dir, 'containers', id), 'utf8').trim())
        .filter((each) => each.startsWith(`${part} `)),
    calls: () => (existsSync(join(dir, 'calls')) ? readFileSync(join(dir, 'calls'), 'utf8') : ''),
  };
}

test('an upgrade that was interrupted while a container stopped is completed by the next one', () => {
  const machine = host([...OURS, 'nats']);
  machine.interruptContracts();
  expect(machine.run('upgrade.sh').signal).toBe('SIGKILL');
  expect(machine.containers('contracts').toSorted()).toEqual(['contracts exited old', 'contracts running new']);
  expect(machine.run('upgrade.sh').stdout).toContain('contracts: 1 of the new version');
  expect(machine.containers('review')).toEqual(['review running new']);
  expect(machine.containers('contracts')).toEqual(['contracts running new']);
});

test('an upgrade that is ended while a new container starts removes it, and the next one keeps the number of containers', () => {
  const machine = host([...OURS, 'nats']);
  machine.terminateWhileContractsStarts();
  expect(machine.run('upgrade.sh').signal).toBe('SIGTERM');
  expect(machine.containers('contracts')).toEqual(['contracts running old']);
  expect(machine.run('upgrade.sh').status).toBe(0);
  expect(machine.containers('contracts')).toEqual(['contracts running new']);
});

test('a new container that fails again and again is removed, and the old one serves on', () => {
  const machine = host([...OURS, 'nats']);
  machine.crashNewContainers();
  const { status, stderr } = machine.run('upgrade.sh');
  expect([status, stderr]).toEqual([1, expect.stringContaining('contracts fails')]);
  expect(machine.containers('contracts')).toEqual(['contracts running old']);
});

test('nothing is rotated where nothing runs', () => {
  const machine = host([]);
  expect(machine.run('rotate-secrets.sh', 'nats').stderr).toContain('nothing runs in the project');
  expect(machine.calls()).toBe('');
});

test('the scripts read .env as compose does: the name of the project, values in quotes, and comments', () => {
  const checkout = mkdtempSync(join(tmpdir(), 'checkout-'));
  onTestFinished(() => rmSync(checkout, { recursive: true }));
  cpSync(join(repositoryRoot, 'infra/maintenance'), join(checkout, 'infra/maintenance'), { recursive: true });
  mkdirSync(join(checkout, 'services/review'), { recursive: true });
  writeFileSync(
    join(checkout, '.env'),
    `COMPOSE_PROJECT_NAME=payroll-eu1 # in Frankfurt\r\nDEPLOYMENT="live" # not test\nMAIL_FROM='a#b'\nCELL=eu1 \n`,
  );
  const script =
    'source infra/maintenance/compose.sh; echo "$project|$(setting DEPLOYMENT)|$(setting MAIL_FROM)|$(setting CELL)"';
  const shown = (env: NodeJS.ProcessEnv): string =>
    spawnSync('bash', ['-c', script], { cwd: checkout, encoding: 'utf8', env: { PATH: process.env['PATH'], ...env } })
      .stdout;
  expect(shown({})).toBe('payroll-eu1|live|a#b|eu1\n');
  expect(shown({ COMPOSE_PROJECT_NAME: 'other' })).toBe('other|live|a#b|eu1\n');
  expect(shown({ COMPOSE_PROJECT_NAME: 'other', ENV_FILE: '/dev/null' })).toBe('other|||\n');
});

test('for a NATS on another machine, the old passwords are kept until the operator has given it the new ones', () => {
  const machine = host(OURS);
  const { status, stderr } = machine.run('rotate-secrets.sh', 'nats');
  expect([status, machine.calls()]).toEqual([1, expect.stringContaining('rotate-secrets switch nats')]);
  expect(machine.calls()).not.toContain('rotate-secrets finish');
  expect(stderr).toContain('NATS runs elsewhere: write its users again');
});
