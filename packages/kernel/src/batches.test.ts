import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { RequestBatcher } from './batches.js';

const HOLD_MS = 100;
type Answered = PromiseWithResolvers<string>;
let sent: { questions: readonly string[]; answers: Answered[] }[];
let batches: RequestBatcher<string, string>;

beforeEach(() => {
  sent = [];
  const send = (questions: readonly string[]) => {
    const answers = questions.map(() => Promise.withResolvers<string>());
    sent.push({ questions, answers });
    return answers.map(({ promise }) => promise);
  };
  batches = new RequestBatcher({ send, maxSize: 3, maxWaitMs: HOLD_MS });
});
afterEach(() => vi.useRealTimers());

const questions = () => sent.map((message) => message.questions);
const answer = (message: number) =>
  sent[message]!.answers.forEach(({ resolve }, n) => resolve(sent[message]!.questions[n]!));

it('questions of one tick are sent together, and each caller gets its own answer', async () => {
  const asked = Promise.all(['a', 'b', 'c'].map((each) => batches.ask(each)));
  await turn();
  expect(questions()).toEqual([['a', 'b', 'c']]);
  answer(0);
  expect(await asked).toEqual(['a', 'b', 'c']);
});

it('questions that arrive while a message is unanswered wait and are sent together', async () => {
  void batches.ask('a');
  await turn();
  void batches.ask('b');
  await turn();
  void batches.ask('c');
  await turn();
  expect(questions()).toEqual([['a']]);
  answer(0);
  await turn();
  await turn();
  expect(questions()).toEqual([['a'], ['b', 'c']]);
});

it('without a hold time questions are not delayed, and those of one tick are still sent together', async () => {
  const send = vi.fn<(each: readonly string[]) => Promise<string>[]>((each) => each.map(() => new Promise(() => {})));
  batches = new RequestBatcher({ send, maxSize: 3, maxWaitMs: 0 });
  void batches.ask('a');
  void batches.ask('b');
  await turn();
  void batches.ask('c');
  await turn();
  expect(send.mock.calls).toEqual([[['a', 'b']], [['c']]]);
});

it('more questions than a message holds are sent in several messages', async () => {
  ['a', 'b', 'c', 'd'].forEach((each) => void batches.ask(each));
  await turn();
  expect(questions()).toEqual([['a', 'b', 'c'], ['d']]);
});

it('a slow message delays the next one for a limited time and counts once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  void batches.ask('slow');
  await turn();
  void batches.ask('b');
  await turn();
  expect(questions()).toEqual([['slow']]);
  vi.advanceTimersByTime(HOLD_MS);
  await turn();
  expect(questions()).toEqual([['slow'], ['b']]);
  answer(0);
  await turn();
  void batches.ask('c');
  await turn();
  expect(questions()).toEqual([['slow'], ['b']]);
});

it('questions whose callers have disconnected are not sent', async () => {
  let isGone = false;
  const gone = batches.ask('a', () => isGone);
  const stays = batches.ask('b');
  isGone = true;
  await expect(gone).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(questions()).toEqual([['b']]);
  answer(0);
  expect(await stays).toBe('b');
});

it('sends nothing when all callers have disconnected', async () => {
  await expect(batches.ask('gone', () => true)).rejects.toThrow();
  void batches.ask('a');
  await turn();
  expect(questions()).toEqual([['a']]);
});

it('a failed question fails alone and delays no other', async () => {
  const [bad, good] = [batches.ask('bad'), batches.ask('good')];
  await turn();
  sent[0]!.answers[0]!.reject(new Error('poisoned'));
  sent[0]!.answers[1]!.resolve('fine');
  await expect(bad).rejects.toThrow('poisoned');
  expect(await good).toBe('fine');
  await turn();
  void batches.ask('next');
  await turn();
  expect(questions()).toEqual([['bad', 'good'], ['next']]);
});
