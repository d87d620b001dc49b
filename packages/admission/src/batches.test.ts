import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Batches, HOLD_MS } from './batches.js';

interface Message {
  questions: string[];
  answer: () => void;
  lose: (error: Error) => void;
}

/** Each question is answered with itself, when the test says so. */
let messages: Message[];
let batches: Batches<string, string>;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  messages = [];
  batches = new Batches((questions) => {
    const { promise, resolve, reject } = Promise.withResolvers<string[]>();
    messages.push({ questions, answer: () => resolve(questions), lose: reject });
    return promise;
  });
});
afterEach(() => {
  vi.useRealTimers();
});

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const sent = (): string[][] => messages.map(({ questions }) => questions);

describe('questions', () => {
  it('of one turn of the event loop leave together, and each gets its own answer', async () => {
    const answers = ['a', 'b', 'c'].map((question) => batches.ask(question));
    await nextTurn();
    expect(sent()).toEqual([['a', 'b', 'c']]);
    messages[0]!.answer();
    expect(await Promise.all(answers)).toEqual(['a', 'b', 'c']);
  });

  it('that come while a message is under way wait for it, and then leave together', async () => {
    const first = batches.ask('a');
    await nextTurn();
    const later = [batches.ask('b')];
    await nextTurn();
    later.push(batches.ask('c'));
    await nextTurn();
    expect(sent()).toEqual([['a']]);
    messages[0]!.answer();
    expect(await first).toBe('a');
    await nextTurn();
    expect(sent()).toEqual([['a'], ['b', 'c']]);
    messages[1]!.answer();
    expect(await Promise.all(later)).toEqual(['b', 'c']);
  });

  it('do not wait for a message that is lost', async () => {
    const lost = batches.ask('a');
    await nextTurn();
    const next = batches.ask('b');
    vi.advanceTimersByTime(HOLD_MS - 1);
    await nextTurn();
    expect(sent()).toEqual([['a']]);
    vi.advanceTimersByTime(1);
    await nextTurn();
    messages[1]!.answer();
    expect(await next).toBe('b');
    messages[0]!.lose(new Error('no answer'));
    await expect(lost).rejects.toThrow('no answer');
    // The late end of the first holds back and lets go nobody else.
    const third = batches.ask('c');
    await nextTurn();
    messages[2]!.answer();
    expect(await third).toBe('c');
  });

  it('of a message that failed all fail with it, and the next is asked', async () => {
    const failed = [batches.ask('a'), batches.ask('b')];
    await nextTurn();
    const next = batches.ask('c');
    messages[0]!.lose(new Error('down'));
    for (const each of failed) await expect(each).rejects.toThrow('down');
    await nextTurn();
    messages[1]!.answer();
    expect(await next).toBe('c');
  });

  it('of those who are gone before they leave are not asked; the others are', async () => {
    const gone = batches.ask('gone', () => true);
    const staying = batches.ask('staying', () => false);
    await expect(gone).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(sent()).toEqual([['staying']]);
    messages[0]!.answer();
    expect(await staying).toBe('staying');
  });

  it('all of whose askers are gone make no message, and hold nobody back', async () => {
    await expect(batches.ask('gone', () => true)).rejects.toThrow();
    void batches.ask('a');
    await nextTurn();
    expect(sent()).toEqual([['a']]);
  });

  it('beyond what a message takes leave in several at once', async () => {
    const answers = Array.from({ length: 450 }, (_, n) => batches.ask(String(n)));
    await nextTurn();
    expect(sent().map(({ length }) => length)).toEqual([200, 200, 50]);
    for (const { answer } of messages) answer();
    expect(await Promise.all(answers)).toEqual(Array.from({ length: 450 }, (_, n) => String(n)));
  });
});
