import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { callTool, rpc, yes } from '../../../mcp/test/support/modern-host.js';
import { Client } from '../../../services/workspaces/test/oauth/client.js';
import { newPeople } from '../browser/visitor.js';
import { joinSystem } from '../support.js';

const system = await joinSystem();

it('two consents of one person and client are two principals, with separate intents and revocation', async () => {
  const { url } = system.stack.file.mcp!;
  const { browser } = (await newPeople(system, system.workspaces[0])).admin;
  const client = await Client.register(system.stack.file.auth!.url);
  const consent = async (): Promise<string> => (await client.signIn(browser, { resource: url })).access_token;
  const [one, other] = [await consent(), await consent()];
  const given = { title: 'Drafted under one intent', intentId: randomUUID() };
  const draft = async (token: string): Promise<unknown> => {
    const { result } = await callTool(url, 'create_contract_draft', given, { token });
    const round = { token, inputResponses: yes, requestState: result!.requestState! };
    return (await callTool(url, 'create_contract_draft', given, round)).result!.structuredContent!['id'];
  };
  const drafts = [await draft(one), await draft(other)];
  expect(new Set(drafts).size).toBe(2);
  expect(await draft(one)).toBe(drafts[0]);
  const { nodes } = await system.graphql<{ nodes: { id: string }[] }>('{ mcpConnections { nodes { id } } }');
  expect(nodes).toHaveLength(2);
  await system.graphql('mutation ($id: ID!) { revokeMcpConnection(id: $id) { id } }', { id: nodes[0]!.id });
  // 429 at first where another test on this system has sent many wrong credentials within the minute.
  const afterRevocation = async () => (await rpc(url, other, 'tools/list')).status;
  await expect.poll(afterRevocation, { timeout: 90_000, interval: 1_000 }).toBe(401);
  expect((await rpc(url, one, 'tools/list')).status).toBe(200);
});
