import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import { Browser } from '../../../services/workspaces/test/pages/browser.js';
import { decide } from '../../../services/workspaces/test/oauth/consenting.js';
import { Keeper } from '../../../services/workspaces/test/oauth/keeper.js';
import type { StackFile } from '@payroll/tools/local/stack-file';

/** Signs in a host that knows only the server's address: its SDK discovers the rest, and a person consents. */
export async function signInHost(
  { mcp, auth }: StackFile,
  { email, password }: { email: string; password: string },
): Promise<Client> {
  const browser = new Browser(auth!.url);
  await browser.signIn(email, password);
  const authProvider = new Keeper();
  const connect = async (transport: StreamableHTTPClientTransport): Promise<Client> => {
    const host = new Client({ name: 'host', version: '1' });
    await host.connect(transport);
    return host;
  };
  const transport = () => new StreamableHTTPClientTransport(new URL(mcp!.url), { authProvider });
  const refused = transport();
  await expect(connect(refused)).rejects.toBeInstanceOf(UnauthorizedError);
  const { searchParams } = await decide(browser, authProvider.opened!, 'approve');
  await refused.finishAuth(searchParams);
  return await connect(transport());
}
