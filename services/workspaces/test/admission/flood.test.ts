import { newApiKey, parseApiKey } from '@payroll/admission';
import { DomainError } from '@payroll/kernel';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { checkPassword, type PasswordAttempt, rememberDevice } from '../../src/accounts/sign-in.js';
import { PASSWORD, Site } from '../pages/site.js';

/** The whole flood takes half a minute; each test run sends a part of it (infra/test/README.md). */
const FLOOD = inject('isLongRun') ? 10_000 : 1_000;
const AT_ONCE = 100;

interface HashCost {
  memory: number;
  passes: number;
  parallelism: number;
  tagLength: number;
}

const hashed = vi.hoisted(() => ({ by: (_cost: HashCost): unknown => undefined }));
vi.mock(import('node:crypto'), async (original) => {
  const real = await original();
  const argon2: typeof real.argon2 = (algorithm, parameters, done) => {
    const { memory, passes, parallelism, tagLength } = parameters;
    hashed.by({ memory, passes, parallelism, tagLength });
    real.argon2(algorithm, parameters, done);
  };
  return { ...real, argon2 };
});

let site: Site;
beforeAll(async () => {
  site = await Site.open('workspaces_flood');
});
afterAll(() => site[Symbol.asyncDispose]());

const wrong = (email: string, address = '203.0.113.1'): PasswordAttempt => ({
  ...{ email, address, password: 'a wrong password' },
  device: null,
});

async function outcomeOf(attempt: PasswordAttempt): Promise<string> {
  try {
    return (await checkPassword(site.workspaces.em, attempt)) === null ? 'wrong' : 'right';
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
}

it('a flood of wrong passwords and keys is refused alike, and honest people and programs go on meanwhile', async () => {
  const { em } = site.workspaces;
  const place = await site.workspaces.provision();
  const key = await site.workspaces.key(place);
  const { id, email } = await site.account();
  const device = await rememberDevice(em, id, null);
  const flood = { passwords: new Map<string, number>(), keys: new Map<string, number>(), isOver: false };
  const add = (to: Map<string, number>, outcome: string): unknown => to.set(outcome, (to.get(outcome) ?? 0) + 1);

  const attack = Array.from({ length: AT_ONCE }, async () => {
    for (let n = 0; n < FLOOD / AT_ONCE; n += 1) {
      add(flood.passwords, await outcomeOf(wrong(email)));
      const guess = parseApiKey(`Bearer ${newApiKey('test').text}`, 'test');
      const answer = await site.workspaces.admitOne(guess, { clientAddress: '203.0.113.1' });
      add(flood.keys, answer.admitted ? 'admitted' : answer.code);
    }
  });
  const honest = (async () => {
    let meanwhile = 0;
    while (!flood.isOver) {
      expect(await site.workspaces.admitOne(key.credential)).toMatchObject({ admitted: true });
      const own = { email, password: PASSWORD, address: '192.0.2.1', device };
      expect(await checkPassword(em, own)).toMatchObject({ accountId: id });
      if (!flood.isOver) meanwhile += 1;
    }
    return meanwhile;
  })();
  await Promise.all(attack).finally(() => (flood.isOver = true));

  expect(Object.fromEntries(flood.passwords)).toEqual({ wrong: 10, RATE_LIMITED: FLOOD - 10 });
  expect(Object.fromEntries(flood.keys)).toEqual({ INVALID_CREDENTIAL: 30, RATE_LIMITED: FLOOD - 30 });
  expect(await honest).toBeGreaterThan(0);
}, 180_000);

it('an address that nobody has takes as long to refuse as a wrong password: a hash of the same cost', async () => {
  const { email } = await site.account();
  const costs = { known: [] as HashCost[], unknown: [] as HashCost[] };
  hashed.by = (cost) => costs.known.push(cost);
  expect(await outcomeOf(wrong(email, '203.0.113.2'))).toBe('wrong');
  hashed.by = (cost) => costs.unknown.push(cost);
  expect(await outcomeOf(wrong('nobody@example.com', '203.0.113.2'))).toBe('wrong');
  expect(costs.known).toHaveLength(1);
  expect(costs.unknown).toEqual(costs.known);
});
