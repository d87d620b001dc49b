import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLog, batchedLines } from './log.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function collected() {
  const lines: string[] = [];
  const log = createLog('test', 'info', { write: (line) => void lines.push(line), flushSync: () => undefined });
  return { log, line: () => JSON.parse(lines.at(-1)!) as Record<string, unknown> };
}

test('credentials are left out of a log line, and the rest of it is kept', () => {
  const { log, line } = collected();
  const opens = { authorization: 'a', token: 't', secret: 's', password: 'p' };
  log.info(
    { one: { ...opens, id: 1 }, two: { ...opens, id: 2 }, req: { headers: opens, method: 'GET' }, id: 3 },
    'said',
  );
  expect(line()).toMatchObject({ one: { id: 1 }, two: { id: 2 }, req: { method: 'GET' }, id: 3, msg: 'said' });
  expect(JSON.stringify(line())).not.toMatch(/authorization|token|secret|password|headers/);
});

test('lines within 20 ms are written together, and the last ones before the process ends', () => {
  const written: string[] = [];
  const lines = batchedLines((text) => void written.push(text));
  lines.write('one ');
  vi.advanceTimersByTime(19);
  lines.write('two ');
  expect(written).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(written).toEqual(['one two ']);
  lines.write('three ');
  process.listeners('exit').at(-1)?.(0);
  expect(written).toEqual(['one two ', 'three ']);
  lines.write('x'.repeat(20_000));
  expect(written).toHaveLength(3);
  expect(vi.getTimerCount()).toBe(0);
});
