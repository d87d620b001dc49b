import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from './support.js';
import { lockDirectory } from '../lock.js';
import { startOf } from '../process-identity.js';

test('a second holder is refused in one line with the pid and the addresses of the first', async () => {
  const dir = temporaryDirectory();
  using _lock = await lockDirectory(dir);
  const second = lockDirectory(dir, () => 'http://127.0.0.1:4000/v1');
  await expect(second).rejects.toThrow(`it already runs (pid ${process.pid}): http://127.0.0.1:4000/v1`);
});

test('a released lock can be taken again and leaves nothing behind', async () => {
  const dir = temporaryDirectory();
  const first = await lockDirectory(dir);
  first[Symbol.dispose]();
  const second = await lockDirectory(dir);
  second[Symbol.dispose]();
  expect(readdirSync(dir)).toEqual([]);
});

test('the lock of a dead process is taken over, even if another process has its pid', async () => {
  const dir = temporaryDirectory();
  writeFileSync(join(dir, 'lock'), JSON.stringify({ pid: process.pid, start: 'long ago' }));
  using _lock = await lockDirectory(dir);
  expect(existsSync(join(dir, 'lock'))).toBe(true);
});

test('a lock is taken over only after the guardian of the dead process has finished', async () => {
  const dir = temporaryDirectory();
  const guardian = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 500)']);
  await once(guardian, 'spawn');
  const pid = guardian.pid ?? 0;
  const holder = { pid: process.pid, start: 'long ago', guardian: { pid, start: startOf(pid) } };
  writeFileSync(join(dir, 'lock'), JSON.stringify(holder));
  using _lock = await lockDirectory(dir);
  expect(startOf(pid)).toBeUndefined();
});

test('of many processes that want a dead lock exactly one gets it', async () => {
  const dir = temporaryDirectory();
  writeFileSync(join(dir, 'lock'), JSON.stringify({ pid: 2 ** 30, start: '1' }));
  const results = await Promise.allSettled(Array.from({ length: 10 }, () => lockDirectory(dir)));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});
