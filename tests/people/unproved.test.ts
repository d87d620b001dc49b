import { read, sql, write } from '@payroll/store';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Browser, Page } from '../../services/workspaces/test/pages/browser.js';
import { openSite, PASSWORD, type Person } from './site.js';
import type { Place } from '../../services/workspaces/test/support.js';

let place: Place;
let admin: Person;
let invited = 0;
const site = await openSite('workspaces_unproved');
afterAll(() => site[Symbol.asyncDispose]());
beforeEach(async () => {
  place = await site.workspaces.provision();
  admin = await site.person(place);
});

const OTHER_PASSWORD = 'seven lanterns under oak';
const newEmail = (): string => `owner${(invited += 1)}@example.com`;

/** An invitation link of this workspace for an address, as its admin gets it. */
async function invite(email: string, { browser } = admin, { workspaceId } = place): Promise<string> {
  const path = `/workspaces/${workspaceId}/members/invite`;
  const made = await browser.submit(await browser.get(path), path, { name: 'Grace', email, role: 'member' });
  return new URL(/id="once"[^>]* value="([^"]*)"/.exec(made.html)?.[1] ?? 'x:').pathname;
}

async function accept(browser: Browser, link: string, password: string): Promise<Page> {
  const fields = { name: 'Grace', password, repeated: password };
  return await browser.submit(await browser.get(link), link, fields);
}

/** The workspaces of the account that signs in with this password; null if it cannot. */
async function found(email: string, password: string, browser = site.browser()): Promise<string[] | null> {
  const answer = await browser.signIn(email, password);
  if (answer.status !== 303) return null;
  const { html } = await browser.get('/workspaces');
  return [...html.matchAll(/href="\/workspaces\/([0-9a-f-]{36})"/g)].map(([, id]) => id!);
}

const accounts = async (email: string): Promise<number> => {
  const rows = (await read(site.workspaces.em, sql`select count(*)::int as n from account where email = ${email}`)) as {
    n: number;
  }[];
  return rows[0]!.n;
};

describe('an account made from an invitation for a stranger’s address', () => {
  let email: string;
  beforeEach(async () => {
    email = newEmail();
    await accept(site.browser(), await invite(email), PASSWORD);
  });

  const wrongPasswords = async (count: number): Promise<void> => {
    await Promise.all(Array.from({ length: count }, () => site.browser().signIn(email, 'a wrong password')));
  };

  it('lets the owner of the address join: each finds their own workspace, and not the other’s', async () => {
    const there = await site.workspaces.provision();
    const link = await invite(email, await site.person(there), there);
    const joined = await accept(site.browser(), link, OTHER_PASSWORD);
    expect(joined).toMatchObject({ status: 303, location: `/workspaces/${there.workspaceId}` });
    expect(await found(email, PASSWORD)).toEqual([place.workspaceId]);
    expect(await found(email, OTHER_PASSWORD)).toEqual([there.workspaceId]);
    expect(await found(email, 'neither of the two')).toBeNull();
  });

  it('joins another workspace only with its own password', async () => {
    const there = await site.workspaces.provision();
    const link = await invite(email, await site.person(there), there);
    await accept(site.browser(), link, PASSWORD);
    expect(new Set(await found(email, PASSWORD))).toEqual(new Set([place.workspaceId, there.workspaceId]));
    expect(await accounts(email)).toBe(1);
  });

  it('does not change the page or the answers of another link', async () => {
    const [known, unknown] = [await invite(email), await invite(newEmail())];
    expect(known).not.toBe(unknown);
    const there = await site.workspaces.provision();
    const owner = await site.person(there);
    const seen = await Promise.all(
      [email, newEmail()].map(async (each) => {
        const link = await invite(each, owner, there);
        const page = await site.browser().get(link);
        const answer = await accept(site.browser(), link, OTHER_PASSWORD);
        return [page.status, page.text.replaceAll(each, 'address'), answer.status, answer.location];
      }),
    );
    expect(seen[0]).toEqual(seen[1]);
  });

  it('does not make signing in slower: all accounts of an address share one salt', async () => {
    const there = await site.workspaces.provision();
    await accept(site.browser(), await invite(email, await site.person(there), there), OTHER_PASSWORD);
    const rows = (await read(
      site.workspaces.em,
      sql`select password_hash as hash from account where email = ${email}`,
    )) as { hash: string }[];
    expect(rows).toHaveLength(2);
    expect(new Set(rows.map(({ hash }) => hash.split('$')[4])).size).toBe(1);
    expect(new Set(rows.map(({ hash }) => hash.split('$')[5])).size).toBe(2);
  });

  it('has a password that only its holder can change and confirm with', async () => {
    const there = await site.workspaces.provision();
    const owner = site.browser();
    await accept(owner, await invite(email, await site.person(there), there), OTHER_PASSWORD);
    const fields = { current: PASSWORD, password: 'a third one of many', repeated: 'a third one of many' };
    const changed = await owner.submit(await owner.get('/account/password'), '/account/password', fields);
    expect(changed.text).toContain('This is not your password');
    const again = await owner.get('/sign-in/again');
    expect((await owner.submit(again, '/sign-in/again', { password: PASSWORD })).status).toBe(422);
    expect((await owner.submit(again, '/sign-in/again', { password: OTHER_PASSWORD })).status).toBe(303);
  });

  it("does not make its holder's browser known to the address's other accounts", async () => {
    const there = await site.workspaces.provision();
    await accept(site.browser(), await invite(email, await site.person(there), there), OTHER_PASSWORD);
    const holder = site.browser();
    await found(email, PASSWORD, holder);
    await holder.submit(await holder.get('/workspaces'), '/sign-out');
    await wrongPasswords(11);
    // A correct password, but of an account that this browser was never signed in to: it counts as a guess.
    expect((await holder.signIn(email, OTHER_PASSWORD)).status).toBe(422);
    expect(await found(email, PASSWORD, holder)).toEqual([place.workspaceId]);
  });

  it('allows no more guesses over links than on the sign-in page, because they are counted together', async () => {
    const there = await site.workspaces.provision();
    const attacker = await site.person(there);
    await wrongPasswords(8);
    const guess = async (password: string): Promise<number> => {
      const { status } = await accept(site.browser(), await invite(email, attacker, there), password);
      await write(
        site.workspaces.em,
        sql`update membership set left_at = now() where workspace_id = ${there.workspaceId} and email = ${email}`,
      );
      return status;
    };
    // Before: eight wrong ones and the first account's own.
    expect([await guess(OTHER_PASSWORD), await guess(`${OTHER_PASSWORD} 2`)]).toEqual([303, 429]);
  });
});

it('an address is verified once: of two accounts that claim it, Postgres accepts one', async () => {
  const [one, other] = [await site.account(), await site.account()];
  const { em } = site.workspaces;
  await write(em, sql`update account set email = ${one.email} where id = ${other.id}`);
  await write(em, sql`update account set email_verified_at = now() where id = ${one.id}`);
  await expect(write(em, sql`update account set email_verified_at = now() where id = ${other.id}`)).rejects.toThrow(
    'account_email_verified',
  );
});
