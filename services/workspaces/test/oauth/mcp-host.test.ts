import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { afterAll, expect, it } from 'vitest';
import { decide } from './consenting.js';
import { Scene } from './scene.js';
import { Keeper } from './keeper.js';
import { ResourceServer } from './resource-server.js';

const resource = await ResourceServer.start();
const scene = await Scene.open('workspaces_oauth_host', { mcpUrl: resource.url });
resource.authorizationServer = scene.issuer;
resource.admits = async (token) => (await scene.process.server.readAccessToken(token)) !== null;
afterAll(async () => {
  await scene[Symbol.asyncDispose]();
  await resource[Symbol.asyncDispose]();
});

it('an SDK host connects by itself starting from a 401, and refreshes a token that is refused', async () => {
  const place = await scene.workspaces.provision();
  const browser = await scene.signedIn(await scene.person([place, 'admin']));
  const keeper = new Keeper();
  const transport = (): StreamableHTTPClientTransport =>
    new StreamableHTTPClientTransport(new URL(resource.url), { authProvider: keeper });
  const first = transport();
  const connect = (to: StreamableHTTPClientTransport): Promise<void> =>
    new Client({ name: 'host', version: '1' }).connect(to);
  await expect(connect(first)).rejects.toBeInstanceOf(UnauthorizedError);
  const callback = await decide(browser, keeper.opened!, 'approve');
  await first.finishAuth(callback.searchParams);
  await connect(transport());

  const { access_token: refused } = keeper.kept!;
  const admits = resource.admits;
  resource.admits = async (token) => token !== refused && (await admits(token));
  await connect(transport());
  expect(keeper.kept!.access_token).not.toBe(refused);
});
