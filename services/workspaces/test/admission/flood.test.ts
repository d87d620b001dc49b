import { newApiKey, parseApiKey } from '@payroll/admission';
import { DomainError } from '@payroll/kernel';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { argon2id } from '../../src/accounts/passwords.js';
import { checkPassword, type PasswordAttempt, rememberDevice } from '../../src/accounts/sign-in.js';
import { PASSWORD, Site } from '../pages/site.js';

/** The whole flood takes half a minute; normal test runs send a part of it (tests/README.md). */
const FLOOD = inject('isLongRun') ? 10_000 : 1_000;
const AT_ONCE = 100;

let site: Site;
beforeAll(async () => {
  site = await Site.open('workspaces_flood');
});
afterAll(() => site[Symbol.asyncDispose]());

const wrong = (email: string, address = '203.0.113.1'): PasswordAttempt => ({
  email,
  address,
  password: 'a wrong password',
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

it('a flood of wrong passwords and keys is refused uniformly, and others are not blocked', async () => {
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

it('an unknown address takes as long to refuse as a wrong password: a hash of the same cost', async () => {
  const { email } = await site.account();
  const costOf = async (address: string): Promise<unknown[]> => {
    const costs: unknown[] = [];
    const hash: typeof argon2id = (password, salt, cost, tagLength) => {
      costs.push({ ...cost, tagLength });
      return argon2id(password, salt, cost, tagLength);
    };
    expect(await checkPassword(site.workspaces.em, wrong(address, '203.0.113.2'), hash)).toBeNull();
    return costs;
  };
  const known = await costOf(email);
  expect(known).toHaveLength(1);
  expect(await costOf('nobody@example.com')).toEqual(known);
});
