import { newId, systemOrigin } from '@payroll/kernel';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { hashPassword } from '../../src/accounts/passwords.js';
import { beginResets } from '../../src/accounts/links.js';
import { setAccountPassword } from '../../src/commands/accounts.js';
import { NO_WORKSPACE } from '../../src/commands/installation.js';
import type { Browser } from '../pages/browser.js';
import type { Place } from '../support.js';
import { Client } from './client.js';
import { openRequest, pathOf } from './consenting.js';
import { PASSWORD, Scene, type Person } from './scene.js';

let place: Place;
let client: Client;
let person: Person;
let browser: Browser;
const scene = await Scene.open('workspaces_oauth_signed_out');
afterAll(() => scene[Symbol.asyncDispose]());
beforeEach(async () => {
  place = await scene.workspaces.provision();
  client = await Client.register(scene.issuer);
  person = await scene.person([place, 'admin']);
  browser = await scene.signedIn(person);
});

const rows = () => scene.workspaces.em.getKysely();

const age = (minutes: number) =>
  sql`update session set authenticated_at = authenticated_at - ${`${minutes} min`}::interval
    where account_id = ${person.accountId}`.execute(rows());

async function mailedSecret(): Promise<string> {
  const [reset] = await beginResets(scene.workspaces.em, person.email);
  return reset!.secret;
}

const OTHER_PASSWORD = 'seven lanterns under oak';
const chosen = { password: OTHER_PASSWORD, repeated: OTHER_PASSWORD };

describe('a browser left open for more than ten minutes', () => {
  it('can connect an assistant only after its password is entered again', async () => {
    await age(11);
    const { page, path } = await openRequest(browser, client.request());
    expect(page.location).toBe(`/sign-in/again?${new URLSearchParams({ return_to: path }).toString()}`);
    await browser.submit(await browser.get(page.location!), '/sign-in/again', { password: PASSWORD });
    const consent = await browser.get(path);
    await age(11);
    const approved = await browser.submit(consent, `${path}/approve`);
    expect(approved.location).toBe(page.location);
    await browser.submit(await browser.get(page.location!), '/sign-in/again', { password: PASSWORD });
    const decided = await browser.submit(await browser.get(path), `${path}/approve`);
    expect((await browser.get(pathOf(decided.location))).location).toContain('code=');
  });
});

describe('every change of a password revokes the connections of assistants', () => {
  const ways = {
    'the button': async () => {
      await browser.submit(await browser.get('/account'), '/account/sign-out-everywhere');
    },
    'a mailed link': async () => {
      const secret = await mailedSecret();
      const link = `/reset-password/${secret}`;
      expect((await browser.submit(await browser.get(link), link, chosen)).location).toBe('/sign-in');
    },
    'a changed password': async () => {
      const page = await browser.get('/account/password');
      const sent = { current: PASSWORD, ...chosen };
      expect((await browser.submit(page, '/account/password', sent)).location).toBe('/account');
    },
    'a password that operators set': async () => {
      const { accountId, email } = person;
      const input = {
        accountId,
        email,
        name: 'Ada',
        passwordHash: await hashPassword(OTHER_PASSWORD),
      };
      await scene.workspaces.run(setAccountPassword, input, systemOrigin(NO_WORKSPACE, 'runner', newId()));
    },
  };

  it.each(Object.entries(ways))('%s', async (_, signOut) => {
    const other = await scene.workspaces.provision();
    const colleague = await scene.person([place, 'member']);
    const kept = await client.signIn(browser);
    const theirs = await client.signIn(await scene.signedIn(colleague));
    await signOut();
    expect(await client.refresh(kept.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect((await client.refresh(theirs.refresh_token)).status).toBe(200);
    const { rows: audited } = await sql<{ workspace: string; name: string; at_once: boolean }>`
      select a.workspace_id as workspace, a.change ->> 'name' as name, a.at = c.revoked_at as at_once
      from audit_entry a join mcp_connection c on c.id = a.subject_id
      where a.action = 'mcp-connection.revoked' and a.workspace_id in (${place.workspaceId}, ${other.workspaceId})`.execute(
      rows(),
    );
    expect(audited).toEqual([{ workspace: place.workspaceId, name: 'Assistant', at_once: true }]);
  });

  it('links mailed before are invalidated too', async () => {
    const secret = await mailedSecret();
    await ways['a changed password']();
    expect((await browser.get(`/reset-password/${secret}`)).text).toContain('This link is no longer open');
    const another = await mailedSecret();
    await ways['a password that operators set']();
    expect((await browser.get(`/reset-password/${another}`)).text).toContain('This link is no longer open');
  });

  it('a connection being made at the same time is revoked too', async () => {
    const { page, path } = await openRequest(browser, client.request());
    const account = await browser.get('/account');
    const sent: Promise<unknown>[] = [];
    await rows()
      .transaction()
      .execute(async (tx) => {
        // The last write of a command that connects.
        await sql`lock table mcp_connection in share mode`.execute(tx);
        sent.push(browser.submit(page, `${path}/approve`));
        await scene.workspaces.waitersForLocks(1);
        const signedOut = browser.submit(account, '/account/sign-out-everywhere');
        sent.push(signedOut);
        await Promise.race([signedOut, scene.workspaces.waitersForLocks(2)]);
      });
    await Promise.all(sent);
    const { rows: made } = await sql<{ is_live: boolean }>`select revoked_at is null as is_live from mcp_connection
      where membership_id = ${person.memberships[0]!.membershipId}`.execute(rows());
    expect(made).toEqual([{ is_live: false }]);
  });
});
