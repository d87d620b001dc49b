import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/**
 * The part of an MCP server that a host needs to find out where to sign in: a challenge, its metadata, and a
 * greeting.
 */
export class ResourceServer implements AsyncDisposable {
  authorizationServer = '';
  admits: (token: string) => Promise<boolean> = () => Promise.resolve(false);
  private readonly server = createServer((request, response) => void this.answer(request, response));

  static async start(): Promise<ResourceServer> {
    const started = new ResourceServer();
    await new Promise<void>((resolve) => started.server.listen(0, '127.0.0.1', resolve));
    return started;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/mcp`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise((resolve) => this.server.close(resolve).closeAllConnections());
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const metadata = '/.well-known/oauth-protected-resource/mcp';
    if (request.url === metadata) {
      const scopes_supported = ['openid', 'profile', 'email', 'offline_access'];
      return json(response, 200, {
        resource: this.url,
        authorization_servers: [this.authorizationServer],
        scopes_supported,
      });
    }
    if (request.url !== '/mcp' || request.method !== 'POST') return json(response, 404, {});
    const token = request.headers.authorization?.replace(/^Bearer /, '');
    if (token === undefined || !(await this.admits(token))) {
      response.setHeader('www-authenticate', `Bearer resource_metadata="${new URL(metadata, this.url).href}"`);
      return json(response, 401, {});
    }
    const { id, method, params } = JSON.parse(await text(request)) as Message;
    if (id === undefined) return json(response, 202, {});
    if (method !== 'initialize')
      return json(response, 200, { jsonrpc: '2.0', id, error: { code: -32_601, message: 'No' } });
    const { protocolVersion } = params;
    const result = { protocolVersion, capabilities: {}, serverInfo: { name: 'fixture', version: '1' } };
    json(response, 200, { jsonrpc: '2.0', id, result });
  }
}

interface Message {
  id?: number;
  method: string;
  params: { protocolVersion: string };
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
