import { afterEach, expect, it, vi } from 'vitest';
import { runMain } from './run-main.js';

const printed: string[] = [];
vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
vi.spyOn(process.stderr, 'write').mockImplementation((text) => printed.push(String(text)) > 0);

afterEach(() => {
  printed.length = 0;
  process.exitCode = undefined;
});

const run = vi.fn<() => Promise<void>>(async () => {});
const commands = { serve: { help: 'serves', run }, mend: { help: 'mends', usage: 'Usage: mend <what>\n', run } };
const started = async (...args: string[]): Promise<string> => {
  await runMain('program', { argv: ['node', 'program', ...args], env: {} }, commands);
  return printed.join('');
};

it('--help after a command says what it does, and it is not run', async () => {
  expect(await started('serve', '--help')).toBe('Usage: program serve\n\nserves\n');
  printed.length = 0;
  expect(await started('mend', 'it', '--help')).toBe('Usage: mend <what>\n');
  expect(run).not.toHaveBeenCalled();
});

it('a failure is one sentence', async () => {
  run.mockRejectedValueOnce(new AggregateError([new Error('a\nb')]));
  expect(await started('serve')).toBe('program: a b\n');
  expect(process.exitCode).toBe(1);
});
