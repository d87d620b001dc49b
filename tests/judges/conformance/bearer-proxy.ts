import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface BearerProxy extends AsyncDisposable {
  url: string;
}

/** A proxy in front of `/mcp` for a judge without support for credentials: adds ours to every request. */
export async function startBearerProxy(target: string, token: string): Promise<BearerProxy> {
  const { hostname, port, pathname } = new URL(target);
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const options = { hostname, port, path: url, method, headers: { ...headers, authorization: `Bearer ${token}` } };
    const passedOn = request(options, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    passedOn.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passedOn.destroy());
    incoming.pipe(passedOn);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
