import type { AdmissionResponse, Credential, AdmissionDenied } from '@payroll/admission';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteExpiredCounters } from '../../src/admission/rate-counters.js';
import { question, type Question, Workspaces, type Key, type Place, codeOf } from '../support.js';

let place: Place;
let key: Key;
const workspaces = await Workspaces.open('workspaces_rate_limits');
afterAll(() => workspaces[Symbol.asyncDispose]());
beforeEach(async () => {
  place = await workspaces.provision();
  key = await workspaces.key(place);
});

const WRITE = { limit: 'writes', scope: 'contracts:write' } as const;

function tally(answers: readonly AdmissionResponse[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const code of answers.map(codeOf)) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

/** Sends `count` questions in concurrent batches of up to 50. */
async function ask(count: number, make: (n: number) => Question): Promise<AdmissionResponse[]> {
  const questions = Array.from({ length: count }, (_, n) => make(n));
  const batches: Question[][] = [];
  for (let at = 0; at < count; at += 50) batches.push(questions.slice(at, at + 50));
  return (await Promise.all(batches.map((batch) => workspaces.admit(batch)))).flat();
}

function remaining(answers: readonly AdmissionResponse[], name: string): number[] {
  const limits = answers.flatMap((answer) => (answer.admitted ? answer.rateLimits : []));
  return limits.filter((limit) => limit.name === name).map((limit) => limit.remaining);
}

const downFrom = (quota: number): number[] => Array.from({ length: quota }, (_, n) => n);

describe('under concurrent batches', () => {
  it('a principal gets 600 reads a minute, each with its own position', async () => {
    const answers = await ask(650, () => question(key.credential));
    expect(tally(answers)).toEqual({ admitted: 600, RATE_LIMITED: 50 });
    expect(remaining(answers, 'reads').toSorted((a, b) => a - b)).toEqual(downFrom(600));
  });

  it('a principal gets 60 writes a minute, counted separately from reads', async () => {
    const answers = await ask(150, (n) => question(key.credential, n % 2 === 0 ? WRITE : {}));
    expect(tally(answers)).toEqual({ admitted: 135, RATE_LIMITED: 15 });
    expect(remaining(answers, 'writes').toSorted((a, b) => a - b)).toEqual(downFrom(60));
  });

  it("a workspace gets 2000 requests a minute; those over a principal's limit do not count", async () => {
    const keys = [key, ...(await Promise.all([1, 2, 3].map(() => workspaces.key(place))))];
    const refused = await ask(650, () => question(key.credential));
    expect(tally(refused)['admitted']).toBe(600);
    const answers = await ask(1800, (n) => question(keys[1 + (n % 3)]!.credential));
    expect(tally(answers)).toEqual({ admitted: 1400, RATE_LIMITED: 400 });
    expect(remaining(answers, 'workspace').toSorted((a, b) => a - b)).toEqual(downFrom(1400));
    const neighbour = await workspaces.key(await workspaces.provision());
    expect(codeOf(await workspaces.admitOne(neighbour.credential))).toBe('admitted');
  });

  it('a batch is counted in its order, and the workspace counts only what the principals let through', async () => {
    await ask(58, () => question(key.credential, WRITE));
    const other = await workspaces.key(place);
    const [write, read] = [question(key.credential, WRITE), question(other.credential)];
    const answers = await workspaces.admit([write, read, write, write, read, write]);
    const left = answers.map(({ rateLimits }) => rateLimits.map((limit) => limit.remaining));
    expect(left).toEqual([
      [1, 1941],
      [599, 1940],
      [0, 1939],
      [0, 1937],
      [598, 1938],
      [0, 1937],
    ]);
  });

  it('a rotated key is the same principal and shares its limit', async () => {
    const other = await workspaces.rotate(place, key);
    const answers = await ask(80, (n) => question(n % 2 === 0 ? key.credential : other.credential, WRITE));
    expect(tally(answers)).toEqual({ admitted: 60, RATE_LIMITED: 20 });
  });
});

describe('a rate limit window', () => {
  const exhaust = (): Promise<AdmissionResponse[]> => ask(61, () => question(key.credential, WRITE));

  async function waitTold(): Promise<number> {
    const answer = await workspaces.admitOne(key.credential, WRITE);
    if (answer.admitted || answer.code !== 'RATE_LIMITED') throw new Error(codeOf(answer));
    return answer.retryAfterSeconds!;
  }

  it('lasts a minute; a caller who waits as long as told is admitted', async () => {
    await exhaust();
    await workspaces.age(30.4);
    const wait = await waitTold();
    expect(wait).toBeLessThanOrEqual(30);
    expect(wait).toBeGreaterThan(20);
    await workspaces.age(wait);
    const answer = await workspaces.admitOne(key.credential, WRITE);
    expect(answer).toMatchObject({ admitted: true });
    expect(answer.rateLimits[0]).toMatchObject({ name: 'writes', quota: 60, remaining: 59, resetSeconds: 60 });
  });

  it('that began while its request waited for the row lasts no longer than a minute', async () => {
    await workspaces.admitOne(key.credential);
    await workspaces.age(-5);
    expect((await workspaces.admitOne(key.credential)).rateLimits[0]).toMatchObject({
      remaining: 598,
      resetSeconds: 60,
    });
  });

  it('does not get longer by further requests', async () => {
    await exhaust();
    await workspaces.age(40);
    const first = await waitTold();
    expect(await waitTold()).toBeLessThanOrEqual(first);
    await workspaces.age(first);
    expect(codeOf(await workspaces.admitOne(key.credential, WRITE))).toBe('admitted');
  });

  it("of a workspace is reported with the principal's, and both are waited for when used up", async () => {
    const refused = async (): Promise<AdmissionDenied> =>
      (await exhaust()).find((answer) => !answer.admitted) as AdmissionDenied;
    const first = await refused();
    expect(first.rateLimits).toMatchObject([
      { name: 'writes', remaining: 0 },
      { name: 'workspace', quota: 2000 },
    ]);
    await workspaces.age(30);
    await sql`update rate_counter set window_started_at = now(), used = 2000
      where subject = ${`workspace/${place.workspaceId}`}`.execute(workspaces.em.getKysely());
    const second = await refused();
    expect(second.retryAfterSeconds).toBeGreaterThan(first.retryAfterSeconds! - 30);
    await workspaces.age(second.retryAfterSeconds!);
    expect(codeOf(await workspaces.admitOne(key.credential, WRITE))).toBe('admitted');
  });

  it('is reported with every answer for a known principal, refusals included', async () => {
    const answer = await workspaces.admitOne((await workspaces.key(place, undefined, ['read'])).credential, WRITE);
    expect(answer).toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
      rateLimits: [{ name: 'writes' }, { name: 'workspace' }],
    });
  });
});

describe('failed authentication', () => {
  const wrong = (): Credential => ({ ...key.credential, proof: 'wrong' });

  it('30 failures a minute per address, then 429; valid credentials are unaffected', async () => {
    const from = { clientAddress: '198.51.100.1' };
    const answers = await ask(45, (n) => question(n % 2 === 0 ? wrong() : null, from));
    expect(tally(answers)).toEqual({ INVALID_CREDENTIAL: 30, RATE_LIMITED: 15 });
    const mixed = [
      question(wrong(), from),
      question(key.credential, from),
      question(wrong(), { clientAddress: '::1' }),
    ];
    expect((await workspaces.admit(mixed)).map(codeOf)).toEqual(['RATE_LIMITED', 'admitted', 'INVALID_CREDENTIAL']);
  });

  it('is counted per IPv6 network, of which one host can have all addresses', async () => {
    const answers = await ask(45, (n) => question(null, { clientAddress: `2001:db8:1:2::${n.toString(16)}` }));
    expect(tally(answers)).toEqual({ INVALID_CREDENTIAL: 30, RATE_LIMITED: 15 });
    const other = await workspaces.admitOne(null, { clientAddress: '2001:db8:1:3::1' });
    expect(codeOf(other)).toBe('INVALID_CREDENTIAL');
  });

  it('the 429 names the limit and the wait and nothing else', async () => {
    const from = { clientAddress: '198.51.100.2' };
    await ask(30, () => question(null, from));
    await workspaces.age(20);
    const refused = await workspaces.admitOne(null, from);
    if (refused.admitted) throw new Error('a stranger was let in');
    expect(refused).toMatchObject({
      code: 'RATE_LIMITED',
      rateLimits: [{ name: 'failures', quota: 30, remaining: 0 }],
    });
    await workspaces.age(refused.retryAfterSeconds!);
    expect(codeOf(await workspaces.admitOne(null, from))).toBe('INVALID_CREDENTIAL');
  });
});

it('deletes counters of old windows only', async () => {
  const db = workspaces.em.getKysely();
  const count = async (): Promise<number> => {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from rate_counter`.execute(db);
    return rows[0]!.count;
  };
  await workspaces.admitOne(key.credential);
  await workspaces.age(700);
  await workspaces.admitOne(null, { clientAddress: '203.0.113.9' });
  await deleteExpiredCounters(workspaces.em);
  expect(await count()).toBe(1);
});
