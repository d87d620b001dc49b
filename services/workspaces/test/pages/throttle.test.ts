import { type DomainError, newId } from '@payroll/kernel';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newInvitationLink } from '../../src/accounts/secret.js';
import { checkPassword, rememberDevice } from '../../src/accounts/sign-in.js';
import { beginResets } from '../../src/accounts/resets.js';
import { inviteMember } from '../../src/commands/invitations.js';
import { PASSWORD, Site } from './site.js';

let site: Site;
beforeAll(async () => {
  site = await Site.open('workspaces_throttle');
});
afterAll(() => site[Symbol.asyncDispose]());

const attempts = async (count: number, email: string, address?: string): Promise<number[]> => {
  const statuses: number[] = [];
  for (let n = 0; n < count; n += 1) {
    statuses.push((await site.browser(address).signIn(email, 'a wrong password')).status);
  }
  return statuses;
};

it.each([true, false])(
  'wrong passwords for one address from many computers are limited, whether it has an account: %s',
  async (exists) => {
    const email = exists ? (await site.account()).email : 'nobody@example.com';
    const statuses = await attempts(12, email);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 422), 429, 429]);
    const refused = await site.browser().signIn(email, PASSWORD);
    expect(refused).toMatchObject({ status: 429 });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(200);
    expect(refused.text).toContain('Try again in 5 minutes.');
  },
);

it('the owner can sign in with a known browser, and with any once the window has ended', async () => {
  const { email } = await site.account();
  const own = site.browser();
  await own.signIn(email, PASSWORD);
  await own.submit(await own.get('/workspaces'), '/sign-out');
  await attempts(12, email);
  expect((await own.signIn(email, PASSWORD)).status).toBe(303);
  expect((await site.browser().signIn(email, PASSWORD)).status).toBe(429);
  await sql`update sign_in_counter set window_started_at = window_started_at - interval '5 min'`.execute(
    site.workspaces.em.getKysely(),
  );
  expect((await site.browser().signIn(email, PASSWORD)).status).toBe(303);
});

it('the owner can sign in with a new browser that the mailed link has made known', async () => {
  const { email } = await site.account();
  const own = site.browser();
  await attempts(12, email);
  expect((await own.signIn(email, PASSWORD)).status).toBe(429);
  const [reset] = await beginResets(site.workspaces.em, email);
  const link = `/reset-password/${reset!.secret}`;
  const password = 'seven lanterns under oak';
  expect((await own.submit(await own.get(link), link, { password, repeated: password })).location).toBe('/sign-in');
  await attempts(2, email);
  expect((await own.signIn(email, password)).status).toBe(303);
  expect((await site.browser().signIn(email, password)).status).toBe(429);
});

it('a browser known to one account counts as unknown for others', async () => {
  const [mine, theirs] = [await site.account(), await site.account()];
  const browser = site.browser();
  await browser.signIn(mine.email, PASSWORD);
  await browser.submit(await browser.get('/workspaces'), '/sign-out');
  await attempts(11, theirs.email);
  expect((await browser.signIn(theirs.email, PASSWORD)).status).toBe(429);
});

it('one computer cannot try many addresses; right passwords are not counted', async () => {
  const { email } = await site.account();
  const address = '203.0.113.9';
  for (let n = 0; n < 12; n += 1) expect((await site.browser(address).signIn(email, PASSWORD)).status).toBe(303);
  const statuses: number[] = [];
  for (let n = 0; n < 31; n += 1) statuses.push(...(await attempts(1, `n${n}@example.com`, address)));
  expect(statuses.filter((status) => status === 422)).toHaveLength(30);
  expect(statuses.at(-1)).toBe(429);
});

it('an IPv6 network counts as one computer, which has all of its addresses', async () => {
  for (let n = 0; n < 30; n += 1) await attempts(1, `six${n}@example.com`, `2001:db8:7:7::${n.toString(16)}`);
  expect(await attempts(1, 'one-more@example.com', '2001:db8:7:7:ffff::1')).toEqual([429]);
  expect(await attempts(1, 'one-more@example.com', '2001:db8:7:8::1')).toEqual([422]);
});

it("counters reveal neither the tried address nor the client's", async () => {
  await attempts(1, 'hunter2hunter2@example.com', '203.0.113.77');
  const { rows } = await sql`select * from sign_in_counter`.execute(site.workspaces.em.getKysely());
  expect(JSON.stringify(rows)).not.toMatch(/hunter2|203\.0\.113/);
});

describe('while one address sends all it can, others sign in', () => {
  const others = async (): Promise<number[]> => {
    const statuses: number[] = [];
    for (let n = 0; n < 3; n += 1) {
      statuses.push((await site.browser().signIn((await site.account()).email, PASSWORD)).status);
    }
    return statuses;
  };

  it('when it floods the link of an invitation, which is counted before a password is hashed', async () => {
    const place = await site.workspaces.provision();
    const { link: address, ...proof } = newInvitationLink(site.url);
    const given = { ...proof, name: 'Grace', email: `${newId()}@example.com`, role: 'member' as const };
    await site.workspaces.run(inviteMember, given, place.origin);
    const link = new URL(address).pathname;
    const browser = site.browser('203.0.113.20');
    const form = await browser.get(link);
    const sent = Array.from({ length: 130 }, (_, n) => {
      const password = `plum gravel teapot ${n}`;
      return browser.submit(form, link, { name: 'Grace', password, repeated: password });
    });
    const meanwhile = await others();
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(meanwhile).toEqual([303, 303, 303]);
    expect(statuses).not.toContain(503);
    expect(statuses).toContain(429);
  });

  it('when it uses the cookies of many browsers known to the account', async () => {
    const { em } = site.workspaces;
    const { id, email } = await site.account();
    const devices = await Promise.all(Array.from({ length: 13 }, () => rememberDevice(em, id, null)));
    const attempt = { email, password: 'a wrong password', address: '203.0.113.21' };
    const sent = devices.flatMap((device) =>
      Array.from({ length: 10 }, () =>
        checkPassword(em, { ...attempt, device }).then(
          () => 'tried',
          (error: unknown) => (error as DomainError).code,
        ),
      ),
    );
    const meanwhile = await others();
    const outcomes = await Promise.all(sent);
    expect(meanwhile).toEqual([303, 303, 303]);
    expect(outcomes).not.toContain('SERVICE_UNAVAILABLE');
    expect(outcomes).toContain('RATE_LIMITED');
  });
});
