import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { repositoryRoot } from '../processes.js';

/** Lists a container if the file `running` is there. With `failing` it is one that fails again and again. */
const DOCKER = `#!/bin/sh
case "$*" in
ps*status=restarting*) [ ! -e "$DIR/running" ] && [ ! -e "$DIR/failing" ] || echo a-container ;;
ps*) [ ! -e "$DIR/running" ] || echo a-container ;;
*) exit 1 ;;
esac
`;
/** Notes its arguments. Postgres is in recovery in its first answer, and not in its second. */
const COMPOSE = `#!/bin/sh
echo "$*" >>"$DIR/calls"
case $* in
'up --detach --no-deps postgres') [ "$FATAL" ] || touch "$DIR/running" ;;
*psql*) [ -e "$DIR/asked" ] && echo f || { touch "$DIR/asked"; echo t; } ;;
logs*) echo "FATAL: $FATAL" ;;
*reconcile*) exit "$WRONG" ;;
esac
`;

/** `infra/maintenance/restore.sh` on a host where Docker is these two. */
function restore(args: readonly string[], { fatal = '', wrong = 0, is = '' as '' | 'running' | 'failing' } = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'restore-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  for (const [name, script] of Object.entries({ docker: DOCKER, compose: COMPOSE }))
    writeFileSync(join(dir, name), script, { mode: 0o755 });
  if (is !== '') writeFileSync(join(dir, is), '');
  const { status, stdout, stderr } = spawnSync(join(repositoryRoot, 'infra/maintenance/restore.sh'), args, {
    encoding: 'utf8',
    env: {
      PATH: [dir, process.env['PATH']].join(delimiter),
      ...{ DIR: dir, COMPOSE: join(dir, 'compose'), FATAL: fatal, WRONG: String(wrong) },
    },
  });
  const calls = existsSync(join(dir, 'calls')) ? readFileSync(join(dir, 'calls'), 'utf8').trimEnd().split('\n') : [];
  return { status, stdout, stderr, calls };
}

test('restores, waits until Postgres has recovered, starts the system, and ends as reconcile does', () => {
  const { status, calls } = restore(['2026-11-22T10:15:00Z', '--scale', 'review=2']);
  expect(status).toBe(0);
  expect(calls.map((each) => each.replace(/ (?:--no-psqlrc|-e) .*/, ''))).toEqual([
    'up --no-start --no-deps postgres',
    'run --rm --no-deps -T set-up',
    'run --rm --no-deps -T backups restore 2026-11-22T10:15:00Z',
    'up --detach --no-deps postgres',
    'exec -T postgres psql',
    'exec -T postgres psql',
    'exec -T postgres psql',
    'up --detach --scale review=2',
    'run --rm -T --no-deps',
  ]);
  expect(calls.at(-1)).toMatch(/reconcile\.js --wait 60$/);
  expect(restore(['newest'], { wrong: 1 }).status).toBe(1);
});

test.each(['running', 'failing'] as const)('touches nothing while a container is %s', (is) => {
  const { status, stderr, calls } = restore(['newest'], { is });
  expect([status, calls]).toEqual([1, []]);
  expect(stderr).toContain('stop them first (docker-compose stop)');
});

test('says why Postgres does not recover, and does not start the system', () => {
  const why = 'recovery ended before configured recovery target was reached';
  const { status, stderr, calls } = restore(['2030-01-01T00:00:00Z'], { fatal: why });
  expect(status).toBe(1);
  expect(stderr).toContain(why);
  expect(calls.filter((each) => each.startsWith('up --detach'))).toEqual(['up --detach --no-deps postgres']);
});
