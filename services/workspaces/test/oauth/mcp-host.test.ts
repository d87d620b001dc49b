import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { decide, Scene } from './scene.js';
import { ResourceServer } from './resource-server.js';

let resource: ResourceServer;
let scene: Scene;
beforeAll(async () => {
  resource = await ResourceServer.start();
  scene = await Scene.open('workspaces_oauth_host', { mcpUrl: resource.url });
  resource.authorizationServer = scene.issuer;
  resource.admits = async (token) => (await scene.process.server.readAccessToken(token)) !== null;
});
afterAll(async () => {
  await scene[Symbol.asyncDispose]();
  await resource[Symbol.asyncDispose]();
});

/** What a host keeps, and the address that it opens in a browser. */
class Keeper implements OAuthClientProvider {
  readonly redirectUrl = 'http://127.0.0.1:33418/callback';
  readonly clientMetadata = { client_name: 'Host', redirect_uris: [this.redirectUrl] };
  opened: URL | undefined;
  kept: StoredOAuthTokens | undefined;
  private client: StoredOAuthClientInformation | undefined;
  private verifier = '';

  clientInformation = (): StoredOAuthClientInformation | undefined => this.client;
  saveClientInformation = (client: StoredOAuthClientInformation): void => void (this.client = client);
  tokens = (): StoredOAuthTokens | undefined => this.kept;
  saveTokens = (tokens: StoredOAuthTokens): void => void (this.kept = tokens);
  redirectToAuthorization = (url: URL): void => void (this.opened = url);
  saveCodeVerifier = (verifier: string): void => void (this.verifier = verifier);
  codeVerifier = (): string => this.verifier;
}

it('a host of the SDK gets from a bare 401 to a connection by itself, and refreshes when its token is no longer taken', async () => {
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
