import { type DomainError, newId } from '@payroll/kernel';
import { sql } from 'kysely';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { argon2id } from '../../src/accounts/passwords.js';
import { newInvitationLink, beginResets } from '../../src/accounts/links.js';
import { checkPassword, rememberDevice, sharersOf } from '../../src/accounts/sign-in.js';
import { ConcurrencyLimiter } from '../../src/accounts/throttle.js';
import { inviteMember } from '../../src/commands/invitations.js';
import { PASSWORD, Site } from './site.js';

const site = await Site.open('workspaces_throttle');
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

/** Records the sharers of each password hash, in the order requested and in the order begun. No hash ends before `release`. */
async function holdHashes() {
  const [asked, begun]: [string[], string[]] = [[], []];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  // Called with its own `this` below.
  // oxlint-disable-next-line typescript/unbound-method
  const { take } = ConcurrencyLimiter.prototype;
  const spy = vi.spyOn(ConcurrencyLimiter.prototype, 'take');
  await argon2id('', Buffer.alloc(16), { memory: 64, passes: 1, parallelism: 1 }, 32);
  const queue = spy.mock.contexts.at(-1);
  spy.mockImplementation(async function (this: ConcurrencyLimiter, sharers, work) {
    if (this !== queue) return await take.call(this, sharers, work);
    asked.push(sharers.join(' '));
    return await take.call(this, sharers, async () => {
      begun.push(sharers.join(' '));
      await released;
      return await work();
    });
  } as typeof take);
  const end = (): void => {
    release();
    spy.mockRestore();
  };
  return { asked, begun, release, [Symbol.dispose]: end };
}

const FLOOD = 130;
/** How many of a flood get as far as the queue of hashes: an address has a share of it, and an account few attempts. */
const HASHED: Readonly<Record<string, number>> = {
  'many accounts': 20,
  'one invitation': 10,
  'one account, from browsers that it knows': 20,
};

describe('a flood from one address is turned away before its passwords are hashed, and others wait for few of them', () => {
  const invited = async (): Promise<string> => {
    const place = await site.workspaces.provision();
    const { link: address, ...proof } = newInvitationLink(site.url);
    const given = { ...proof, name: 'Grace', email: `${newId()}@example.com`, role: 'member' as const };
    await site.workspaces.run(inviteMember, given, place.origin);
    return new URL(address).pathname;
  };

  /** Each sends FLOOD forms from one address, and gives their answers. */
  const floods: Readonly<Record<string, (address: string) => Promise<Promise<number>[]>>> = {
    'many accounts': async (address) => {
      const browser = site.browser(address);
      const page = await browser.get('/sign-in');
      return Array.from({ length: FLOOD }, async (_, n) => {
        const fields = { email: `${address}-${n}@example.com`, password: 'a wrong password' };
        return (await browser.submit(page, '/sign-in', fields)).status;
      });
    },
    'one invitation': async (address) => {
      const [browser, link] = [site.browser(address), await invited()];
      const form = await browser.get(link);
      return Array.from({ length: FLOOD }, async (_, n) => {
        const password = `plum gravel teapot ${n}`;
        return (await browser.submit(form, link, { name: 'Grace', password, repeated: password })).status;
      });
    },
    'one account, from browsers that it knows': async (address) => {
      const { em } = site.workspaces;
      const { id, email } = await site.account();
      const devices = await Promise.all(Array.from({ length: 13 }, () => rememberDevice(em, id, null)));
      return devices.flatMap((device) =>
        Array.from({ length: FLOOD / devices.length }, () =>
          checkPassword(em, { email, password: 'a wrong password', address, device }).then(
            () => 200,
            (error: unknown) => ((error as DomainError).code === 'RATE_LIMITED' ? 429 : 500),
          ),
        ),
      );
    },
  };

  it.each(Object.entries(floods))('%s', async (name, flood) => {
    const most = HASHED[name]!;
    using hashes = await holdHashes();
    const sent = await flood('203.0.113.30');
    const answers: number[] = [];
    for (const each of sent) void each.then((status) => answers.push(status));
    await expect.poll(() => answers.length).toBeGreaterThanOrEqual(FLOOD - most);
    expect(new Set(answers)).toEqual(new Set([429]));

    const { email } = await site.account();
    const mine = sharersOf({ address: '203.0.113.31', email }).join(' ');
    const signedIn = site.browser('203.0.113.31').signIn(email, PASSWORD);
    await expect.poll(() => hashes.asked).toContain(mine);
    hashes.release();
    expect((await signedIn).status).toBe(303);
    expect(hashes.begun.indexOf(mine)).toBeLessThanOrEqual(most);
    await Promise.all(sent);
    // The password of a new account needs a second hash.
    expect(hashes.begun.length).toBeLessThanOrEqual(2 * most + 1);
    await sql`delete from sign_in_counter`.execute(site.workspaces.em.getKysely());
  });
});
