import { read, sql } from '@payroll/store';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { Client } from '../../services/workspaces/test/oauth/client.js';
import { openRequest } from '../../services/workspaces/test/oauth/consenting.js';
import { Scene } from '../../services/workspaces/test/oauth/scene.js';
import type { Place } from '../../services/workspaces/test/support.js';
import { startConsole } from './site.js';

let place: Place;
let client: Client;
const scene = await Scene.open('people_connections');
const { web, server } = scene.process;
scene.join(await startConsole(scene.workspaces, web, server.settings));
afterAll(() => scene[Symbol.asyncDispose]());
beforeEach(async () => {
  place = await scene.workspaces.provision();
  client = await Client.register(scene.issuer, { client_name: 'Clever <b>Assistant</b>' });
});

it('members can request a client that no admin has enabled, and connect it once it is enabled', async () => {
  const browser = await scene.signedIn(await scene.person([place, 'member']));
  const { page, path } = await openRequest(browser, client.request());
  expect(page.status).toBe(403);
  expect(page.html).not.toContain('/approve');
  const token = /name="form_token" value="([^"]+)"/.exec(page.html)![1]!;
  const forged = { form_token: token, workspace: place.workspaceId, enable: 'yes' };
  expect((await browser.post(`${path}/approve`, forged)).status).toBe(403);
  expect((await browser.submit(page, `${path}/ask`)).text).toContain('It is on the admins’ page');

  const admin = await scene.signedIn(await scene.person([place, 'admin']));
  const connections = `/workspaces/${place.workspaceId}/connections`;
  const asked = await admin.get(connections);
  expect(asked.text).toContain('asked for');
  await admin.submit(asked, `${connections}/enable`);
  expect((await admin.get(connections)).text).toContain('Members can connect Clever');

  const enabled = await browser.get(path);
  expect(enabled.status).toBe(200);
  expect((await browser.submit(enabled, `${path}/approve`)).status).toBe(200);
});

describe('the page of connections', () => {
  it('the page shows members their own connections and admins all, and revokes them', async () => {
    const [admin, member] = [await scene.person([place, 'admin']), await scene.person([place, 'member'])];
    const [ofAdmin, ofMember] = [await scene.signedIn(admin), await scene.signedIn(member)];
    await client.signIn(ofAdmin, { scope: 'openid offline_access read' });
    const { refresh_token } = await client.signIn(ofMember);
    const path = `/workspaces/${place.workspaceId}/connections`;
    const listed = (await ofAdmin.get(path)).text;
    expect(listed).toContain('acts as admin Scopes read Connected');
    expect(listed).toContain('acts as member Scopes read contracts:write timesheets:write milestones:write Connected');
    const count = async (browser: typeof ofAdmin) => (await browser.get(path)).html.split(`${path}/revoke`).length - 1;
    expect([await count(ofAdmin), await count(ofMember)]).toEqual([2, 1]);
    expect((await ofMember.get(path)).html).not.toContain('/disable');
    const ended = await ofMember.submit(await ofMember.get(path), `${path}/revoke`);
    expect(ended.status).toBe(303);
    expect((await client.refresh(refresh_token)).status).toBe(400);
    expect([await count(ofAdmin), await count(ofMember)]).toEqual([1, 0]);
    const rows = (await read(
      scene.workspaces.em,
      sql`select id from mcp_connection where revoked_at is null
      and workspace_id = ${place.workspaceId}`,
    )) as { id: string }[];
    const token = /name="form_token" value="([^"]+)"/.exec((await ofMember.get(path)).html)![1]!;
    const ofOthers = { form_token: token, connection: rows[0]!.id };
    expect((await ofMember.post(`${path}/revoke`, ofOthers)).status).toBe(404);
    for (const name of ['enable', 'disable']) {
      expect((await ofMember.post(`${path}/${name}`, { form_token: token, client: client.id })).status).toBe(403);
    }
    await ofAdmin.submit(await ofAdmin.get(path), `${path}/disable`);
    expect(await count(ofAdmin)).toBe(0);
  });

  it('the page of connections is 404 for people outside the workspace', async () => {
    const browser = await scene.signedIn(await scene.person([await scene.workspaces.provision(), 'admin']));
    expect((await browser.get(`/workspaces/${place.workspaceId}/connections`)).status).toBe(404);
    expect((await browser.get('/workspaces/none/connections')).status).toBe(404);
  });
});
