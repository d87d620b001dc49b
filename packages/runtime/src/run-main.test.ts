import { afterEach, expect, it, vi } from 'vitest';
import { DEVELOPMENT_MARK, errorSentence, refuseDevelopmentSecrets, runMain } from './run-main.js';

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

it('--help after a command prints what it does, without running it', async () => {
  expect(await started('serve', '--help')).toBe('Usage: program serve\n\nserves\n');
  printed.length = 0;
  expect(await started('mend', 'it', '--help')).toBe('Usage: mend <what>\n');
  expect(run).not.toHaveBeenCalled();
});

it('a command that takes no arguments refuses them', async () => {
  expect(await started('serve', '--port', '1')).toBe('program: "serve" takes no arguments; try --help\n');
  expect(run).not.toHaveBeenCalled();
  await started('mend', 'it');
  expect(run).toHaveBeenCalledOnce();
  run.mockClear();
});

it('a failure is one sentence', async () => {
  run.mockRejectedValueOnce(new AggregateError([new Error('a\nb')]));
  expect(await started('serve')).toBe('program: a b\n');
  expect(process.exitCode).toBe(1);
});

it.each<[string, unknown, string]>([
  ['lines become one', new Error('a\n  b'), 'a b'],
  ['an error without words has a name', new TypeError(''), 'TypeError'],
  ['addresses that were all tried are told once each', new AggregateError([new Error('no'), new Error('no')]), 'no'],
  ['what fetch leaves out', new TypeError('fetch failed', { cause: new Error('x refused') }), 'no answer: x refused'],
  ['what is no error', 'words', 'words'],
])('%s', (_case, error, sentence) => {
  expect(errorSentence(error)).toBe(sentence);
});

const ours = { ACTOR_KEYS: `review=${DEVELOPMENT_MARK}${'0'.repeat(52)}`, NATS_PASSWORD: `${DEVELOPMENT_MARK}x` };

it('a live deployment refuses secrets made for development, naming the variables and not the values', () => {
  const refuse = (): void => refuseDevelopmentSecrets({ ...ours, DEPLOYMENT: 'live', ACTOR_KEY: 'ab'.repeat(32) });
  expect(refuse).toThrow(/ACTOR_KEYS, NATS_PASSWORD;.*SECRETS_DIR$/);
  expect(refuse).toThrow(expect.not.objectContaining({ message: expect.stringContaining(DEVELOPMENT_MARK) }));
});

it("a test deployment accepts them, and a live one accepts the operator's own", () => {
  expect(() => refuseDevelopmentSecrets({ ...ours, DEPLOYMENT: 'test' })).not.toThrow();
  expect(() => refuseDevelopmentSecrets({ DEPLOYMENT: 'live', ACTOR_KEY: 'ab'.repeat(32) })).not.toThrow();
});
