import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually, firstLine, runTs, temporaryDirectory } from './support.js';
import { startGuardian } from '../guardian.js';
import { startOf } from '../process-identity.js';

test('after SIGKILL of its parent the guardian stops even a stubborn process and removes the paths', async () => {
  const dir = temporaryDirectory();
  writeFileSync(join(dir, 'data'), '');
  const parent = runTs('test/guarded-parent.ts', [dir]);
  const { guardian, pids } = JSON.parse(await firstLine(parent)) as { guardian: number; pids: number[] };
  expect([guardian, ...pids].map(startOf)).not.toContain(undefined);

  parent.kill('SIGKILL');

  await eventually(() => [guardian, ...pids].every((pid) => startOf(pid) === undefined));
  expect(existsSync(dir)).toBe(false);
}, 30_000);

test('a process that the guardian was told to forget keeps running', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' });
  await once(child, 'spawn');
  const pid = child.pid ?? 0;
  const guardian = await startGuardian();
  guardian.watch(pid);
  guardian.forget(pid);

  await guardian[Symbol.asyncDispose]();

  expect(startOf(guardian.pid)).toBeUndefined();
  expect(startOf(pid)).toBeDefined();
  child.kill('SIGKILL');
});
