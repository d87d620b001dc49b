import { newApiKey, parseApiKey } from '@payroll/admission';
import { DomainError } from '@payroll/kernel';
import { afterAll, expect, inject, it } from 'vitest';
import { argon2id } from '../../src/accounts/passwords.js';
import { checkPassword, type PasswordAttempt, rememberDevice } from '../../src/accounts/sign-in.js';
import { PASSWORD, Site } from '../pages/site.js';

/** The whole flood takes half a minute; normal test runs send a part of it (tests/README.md). */
const FLOOD = inject('isLongRun') ? 10_000 : 1_000;
const AT_ONCE = 100;

const site = await Site.open('workspaces_flood');
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
  const passwords = new Map<string, number>();
  const keys = new Map<string, number>();
  let attempts = 0;
  let isOver = false;
  const add = (to: Map<string, number>, outcome: string): unknown => to.set(outcome, (to.get(outcome) ?? 0) + 1);

  const attack = Array.from({ length: AT_ONCE }, async () => {
    while (!isOver) {
      add(passwords, await outcomeOf(wrong(email)));
      const guess = parseApiKey(`Bearer ${newApiKey('test').text}`, 'test');
      const answer = await site.workspaces.admitOne(guess, { clientAddress: '203.0.113.1' });
      add(keys, answer.admitted ? 'admitted' : answer.code);
      attempts += 1;
    }
  });
  const honest = (async () => {
    // The flood goes on until they are admitted, however slow the machine is.
    do {
      expect(await site.workspaces.admitOne(key.credential)).toMatchObject({ admitted: true });
      const own = { email, password: PASSWORD, address: '192.0.2.1', device };
      expect(await checkPassword(em, own)).toMatchObject({ accountId: id });
    } while (attempts < FLOOD);
  })();
  await honest.finally(() => (isOver = true));
  await Promise.all(attack);

  expect(Object.fromEntries(passwords)).toEqual({ wrong: 10, RATE_LIMITED: attempts - 10 });
  expect(Object.fromEntries(keys)).toEqual({ INVALID_CREDENTIAL: 30, RATE_LIMITED: attempts - 30 });
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
