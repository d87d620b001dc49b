import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Place } from '../support.js';
import { Client } from './client.js';
import { decide, openRequest, pathOf } from './consenting.js';
import { PASSWORD, Scene } from './scene.js';

let place: Place;
let client: Client;
const scene = await Scene.open('workspaces_oauth_pages');
afterAll(() => scene[Symbol.asyncDispose]());
beforeEach(async () => {
  place = await scene.workspaces.provision();
  client = await Client.register(scene.issuer, { client_name: 'Clever <b>Assistant</b>' });
});

const rename = (name: string, { workspaceId }: Place) =>
  sql`update business set name = ${name} where id = ${workspaceId}`.execute(scene.workspaces.em.getKysely());

describe('the person on the consent page', () => {
  it('signs in again after a sign-out and returns to the consent page', async () => {
    const person = await scene.person([place, 'admin']);
    const browser = await scene.signedIn(person);
    const { path } = await openRequest(browser, client.request());
    await browser.submit(await browser.get('/workspaces'), '/sign-out');
    const page = await browser.get(path);
    expect(page).toMatchObject({
      status: 303,
      location: `/sign-in?${new URLSearchParams({ return_to: path }).toString()}`,
    });
    const form = await browser.get(pathOf(page.location));
    const signedIn = await browser.submit(form, '/sign-in', { email: person.email, password: PASSWORD });
    expect(signedIn.location).toBe(path);
    expect((await browser.get(path)).text).toContain('Connect');
  });

  it.each([
    ['just now', { prompt: 'login' }],
    ['this very moment', { max_age: '0' }],
    ['not so long ago', { max_age: '5' }],
  ])('enters their password again if the client wants a sign-in %s, and no link signs them out', async (_, change) => {
    const person = await scene.person([place, 'admin']);
    const browser = await scene.signedIn(person);
    await sql`update session set authenticated_at = authenticated_at - interval '10 s'`.execute(
      scene.workspaces.em.getKysely(),
    );
    const { page, path } = await openRequest(browser, client.request(change));
    expect(page.location).toBe(`/sign-in/again?${new URLSearchParams({ return_to: path }).toString()}`);
    expect((await browser.get('/workspaces')).status).toBe(200);
    const form = await browser.get(pathOf(page.location));
    const wrong = await browser.submit(form, '/sign-in/again', { password: 'something else' });
    expect([wrong.status, (await browser.get(path)).status]).toEqual([422, 303]);
    const confirmed = await browser.submit(form, '/sign-in/again', { password: PASSWORD });
    expect(confirmed).toMatchObject({ status: 303, location: path });
    expect((await browser.get(path)).text).toContain('Connect');
  });

  it('sees client, workspace, the permissions of their role, and that changes are confirmed', async () => {
    const { page } = await openRequest(await scene.signedIn(await scene.person([place, 'admin'])), client.request());
    for (const text of ['Clever <b>Assistant</b>', 'client.example', 'Northwind', 'confirm each change']) {
      expect(page.text).toContain(text);
    }
    expect(page.text).toContain('Approve and reject timesheets');
    expect(page.html).not.toContain('<b>Assistant');
    expect(page.html).not.toContain('<script');
  });

  it('sees no more permissions than the role allows', async () => {
    await decide(await scene.signedIn(await scene.person([place, 'admin'])), client.request(), 'approve');
    const { page } = await openRequest(await scene.signedIn(await scene.person([place, 'viewer'])), client.request());
    expect(page.text).toContain('Read the business');
    expect(page.text).not.toContain('Create contract drafts');
    expect(page.text).not.toContain('confirm');
  });

  it('with several workspaces chooses one for this request only, and may choose again', async () => {
    const other = await scene.workspaces.provision();
    await rename('Southwind', other);
    const person = await scene.person([place, 'admin'], [other, 'admin']);
    const browser = await scene.signedIn(person);
    const { page, path } = await openRequest(browser, client.request());
    expect(page.text).toContain('Choose a workspace');
    expect(page.html).not.toContain('/approve');
    expect((await browser.submit(page, `${path}/workspace`)).text).toContain('Choose one of your workspaces.');
    await browser.submit(page, `${path}/workspace`, { workspace: other.workspaceId });
    const asked = await browser.get(path);
    expect(asked.text).toContain('Southwind');
    const second = await openRequest(browser, client.request());
    expect(second.page.text).toContain('Choose a workspace');
    expect((await browser.get(`${second.path}?choose=again`)).text).toContain('Choose a workspace');
  });

  it('cannot choose a workspace of other people', async () => {
    const foreign = await scene.workspaces.provision();
    const person = await scene.person([place, 'admin'], [await scene.workspaces.provision(), 'admin']);
    const browser = await scene.signedIn(person);
    const { page, path } = await openRequest(browser, client.request());
    const answer = await browser.submit(page, `${path}/workspace`, { workspace: foreign.workspaceId });
    expect(answer.text).toContain('Choose one of your workspaces.');
    expect((await browser.get(path)).text).toContain('Choose a workspace');
  });

  it('decides what is shown: a workspace chosen in another window is shown first', async () => {
    const other = await scene.workspaces.provision();
    const browser = await scene.signedIn(await scene.person([place, 'admin'], [other, 'admin']));
    const { page, path } = await openRequest(browser, client.request());
    await browser.submit(page, `${path}/workspace`, { workspace: place.workspaceId });
    const shown = await browser.get(path);
    await browser.submit(await browser.get(`${path}?choose=again`), `${path}/workspace`, {
      workspace: other.workspaceId,
    });
    expect(await browser.submit(shown, `${path}/approve`)).toMatchObject({ status: 303, location: path });
  });

  it('sees a message if they belong to no workspace', async () => {
    const { page } = await openRequest(await scene.signedIn(await scene.person()), client.request());
    expect(page.status).toBe(409);
    expect(page.text).toContain('Assistants act for members of a workspace, and this account is a member of none');
  });

  it('decides as another person after signing in as that person', async () => {
    const member = await scene.person([place, 'member']);
    const browser = await scene.signedIn(await scene.person([place, 'admin']));
    const { page, path } = await openRequest(browser, client.request());
    browser.cookies.set('session', (await scene.signedIn(member)).cookies.get('session')!);
    expect((await browser.submit(page, `${path}/approve`)).status).toBe(403);
    expect((await browser.get(path)).text).toContain('No admin of Northwind has enabled');
  });
});

describe('a double click', () => {
  it('on connecting makes one connection, and goes on to the application', async () => {
    const browser = await scene.signedIn(await scene.person([place, 'admin']));
    const { page, path } = await openRequest(browser, client.request());
    const click = () => browser.submit(page, `${path}/approve`);
    const answers = [...(await Promise.all([click(), click()])), await click()];
    const to = answers[0]!.location;
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, location: to });
    const connections = sql`select from mcp_connection where workspace_id = ${place.workspaceId}`;
    expect((await connections.execute(scene.workspaces.em.getKysely())).rows).toHaveLength(1);
    expect((await browser.submit(page, `${path}/deny`)).status).toBe(409);
    expect((await browser.get(pathOf(to))).location).toContain('code=');
  });

  it('on not connecting goes back to the application', async () => {
    const browser = await scene.signedIn(await scene.person([place, 'admin']));
    const { page, path } = await openRequest(browser, client.request());
    const { location } = await browser.submit(page, `${path}/deny`);
    expect(await browser.submit(page, `${path}/deny`)).toMatchObject({ status: 200, location });
    expect((await browser.submit(page, `${path}/approve`)).status).toBe(409);
  });
});

describe('a client that no admin has enabled', () => {
  it('is enabled only by an admin whose page offered it', async () => {
    const browser = await scene.signedIn(await scene.person([place, 'admin']));
    const { page, path } = await openRequest(browser, client.request());
    expect(page.text).toContain('Enable it for Northwind');
    expect((await browser.submit(page, `${path}/approve`, { enable: 'no' })).status).toBe(403);
    expect((await browser.submit(page, `${path}/approve`)).status).toBe(200);
    const actions = (await scene.workspaces.audited(place.workspaceId)).map(({ action, actorKind, via }) => [
      action,
      actorKind,
      via,
    ]);
    expect(actions.slice(-2)).toEqual(
      expect.arrayContaining([
        ['mcp-client.enabled', 'person', 'web'],
        ['mcp-connection.connected', 'person', 'web'],
      ]),
    );
  });
});

it('internal teams revoke connections and disable clients; the application enables them', async () => {
  await client.signIn(await scene.signedIn(await scene.person([place, 'admin'])));
  const ask = async (operation: string) => (await scene.workspaces.graphql(place.origin, operation)).data;
  const listed = await ask(
    '{ mcpConnections { nodes { id clientName memberName scopes revokedAt } } mcpClients { id status hosts } }',
  );
  expect(listed).toMatchObject({
    mcpConnections: { nodes: [{ clientName: 'Clever <b>Assistant</b>', memberName: 'admin', revokedAt: null }] },
    mcpClients: [{ id: client.id, status: 'enabled', hosts: ['client.example'] }],
  });
  const [{ id }] = (listed!['mcpConnections'] as { nodes: [{ id: string }] }).nodes;
  const revoked = await ask(`mutation { revokeMcpConnection(id: "${id}") { revokedAt } }`);
  expect(revoked).toMatchObject({ revokeMcpConnection: { revokedAt: expect.any(String) as string } });
  expect(await ask('{ mcpConnections { nodes { id } } }')).toEqual({ mcpConnections: { nodes: [] } });
  expect(await ask(`mutation { disableMcpClient(id: "${client.id}") { status } }`)).toEqual({
    disableMcpClient: { status: 'disabled' },
  });
  const enable = 'mutation { enableMcpClient(input: { id: "other", name: "Other" }) { status } }';
  expect(await ask(enable)).toBeUndefined();
  const enabled = await scene.workspaces.graphql(place.application, enable);
  expect(enabled.data).toEqual({ enableMcpClient: { status: 'enabled' } });
});
