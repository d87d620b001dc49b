import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The part of an assistant to which a browser returns: its `/callback` redirects to its page at another origin, as editors' do. */
export async function startAssistant(): Promise<AsyncDisposable & { url: string; page: string }> {
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url!, page);
    if (pathname === '/callback') response.writeHead(302, { location: `${page}/signed-in${search}` });
    response.end('Signed in');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const page = `http://localhost:${port}`;
  return {
    url: `http://127.0.0.1:${port}`,
    page,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
