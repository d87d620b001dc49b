import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, temporaryDirectory } from './support.js';
import { type Guardian, startGuardian } from '../guardian.js';
import { startOf } from '../process-identity.js';
import { type ProcessSpec, Supervised, countFailure, defaultBackOff, delayBeforeRestart } from '../supervisor.js';

let guardian: Guardian;
beforeAll(async () => {
  guardian = await startGuardian();
});
afterAll(() => guardian[Symbol.asyncDispose]());

function superviseScript(
  source: string,
  more: Partial<ProcessSpec> = {},
): Supervised & { lines: string[]; log: string } {
  const lines: string[] = [];
  const log = join(temporaryDirectory(), 'logs', 'worker.log');
  const spec: ProcessSpec = {
    name: 'worker',
    command: process.execPath,
    args: ['-e', source],
    env: {},
    logFile: log,
    isReady: async () => readFileSync(log, 'utf8').includes('ready'),
    backOff: { firstMs: 10, maxMs: 40, resetAfterMs: 60_000 },
    ...more,
  };
  return Object.assign(new Supervised(spec, { guardian, report: (line) => lines.push(line) }), { lines, log });
}

const forEver = 'console.log("ready"); setInterval(() => {}, 1e6)';

test('a killed process is restarted under another pid, with one line each time', async () => {
  await using worker = superviseScript(forEver);
  await worker.start();
  const { pid } = worker;
  await worker.kill('SIGKILL');
  await worker.ready();
  expect(worker.pid).not.toBe(pid);
  await eventually(() => worker.lines.length === 2);
  expect(worker.lines[0]).toMatch(/^worker ended \(SIGKILL\); restarting in 10 ms$/);
  expect(worker.lines[1]).toBe(`worker is running again (pid ${worker.pid})`);
});

test('the more often a process dies, the later it is restarted', async () => {
  await using worker = superviseScript('console.log("ready"); setTimeout(() => process.exit(3), 200)');
  await worker.start();
  const restarts = (): string[] => worker.lines.filter((line) => line.includes('restarting'));
  await eventually(() => restarts().length >= 4);
  const delays = restarts()
    .slice(0, 4)
    .map((line) => /in (\d+) ms/.exec(line)?.[1]);
  expect(delays).toEqual(['10', '20', '40', '40']);
});

test('a process that never becomes ready fails the start with its last message, and is stopped', async () => {
  await using worker = superviseScript('console.error("DATABASE_URL is missing"); process.exit(1)');
  await expect(worker.start()).rejects.toThrow(
    /worker does not start: exit code 1, DATABASE_URL is missing \(see .+\)/,
  );
  expect(worker.pid).toBeUndefined();
});

test('a program that does not exist fails the start', async () => {
  await using worker = superviseScript('', { command: '/nowhere/program' });
  await expect(worker.start()).rejects.toThrow(/ENOENT/);
});

test('a stubborn process is killed after its time to stop, and is not restarted', async () => {
  const stubborn = `process.on("SIGTERM", () => console.log("no")); ${forEver}`;
  await using worker = superviseScript(stubborn, { stopWithinMs: 200 });
  await worker.start();
  const pid = worker.pid ?? 0;
  await worker.stop();
  expect(startOf(pid)).toBeUndefined();
  expect(worker.lines).toEqual(['worker does not stop within 0.2 s and is killed']);
  await worker.start();
  expect(worker.pid).not.toBe(pid);
});

test('a process gets only its own variables', async () => {
  process.env['OUR_SECRET'] = 'x';
  const source = `console.log(JSON.stringify(Object.keys(process.env))); ${forEver}`;
  await using worker = superviseScript(source, { env: { A: '1' } });
  await worker.start({ B: '2' });
  expect(readFileSync(worker.log, 'utf8')).toContain('["A","B"]');
});

test('restarts are delayed by 250 ms, then twice as long each time, at most 10 s', () => {
  const delays = [1, 2, 3, 4, 5, 6, 7, 100].map((failures) => delayBeforeRestart(defaultBackOff, failures));
  expect(delays).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
});

test('a process that ran for 30 s has recovered, one that ran less has not', () => {
  expect(countFailure(defaultBackOff, 5, 29_999)).toBe(6);
  expect(countFailure(defaultBackOff, 5, 30_000)).toBe(1);
});
