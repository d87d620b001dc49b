import { once } from 'node:events';
import { createServer } from 'node:net';

export type PortChoice = 'default' | 'free';

// Below those that systems give to outgoing connections, which could take a port before its program listens there.
const FIRST = 11_000;
const LAST = 31_999;
/** Processes that look for ports at the same time, as workers of tests do, begin far from each other. */
let nextPort = FIRST + ((process.pid * 1_009) % (LAST - FIRST));

/** Ports that this process has assigned but may not listen on yet; do not assign them twice. */
const handedOut = new Set<number>();

/** The preferred port if no program listens on it on loopback, else any free one. */
export async function findPort(preferred: number, choice: PortChoice = 'default'): Promise<number> {
  let port = preferred;
  let isWanted = choice === 'default' && !handedOut.has(port) && (await isFree(port));
  while (!isWanted) {
    port = nextPort = nextPort < LAST ? nextPort + 1 : FIRST;
    isWanted = !handedOut.has(port) && (await isFree(port));
  }
  handedOut.add(port);
  return port;
}

/** Call once the port is in use, or will not be. */
export function releasePort(port: number): void {
  handedOut.delete(port);
}

/** Starts a server on the preferred port, or on a free one; retries if another program takes the port in between. */
export async function startOnPort<Server>(
  { port: preferred, ports: choice }: { port: number; ports: PortChoice | undefined },
  isTaken: RegExp,
  start: (port: number) => Promise<Server>,
): Promise<Server> {
  for (let attempt = 1; ; attempt++) {
    const port = await findPort(preferred, attempt === 1 ? choice : 'free');
    try {
      return await start(port);
    } catch (error) {
      if (attempt === 5 || !isTaken.test(String(error))) throw error;
    } finally {
      releasePort(port);
    }
  }
}

/**
 * Checks both addresses that another program's listener may use: its wildcard socket would also receive our clients.
 */
async function isFree(port: number): Promise<boolean> {
  return (await canListen(port, '127.0.0.1')) && (await canListen(port, '0.0.0.0'));
}

async function canListen(port: number, host: string): Promise<boolean> {
  const server = createServer().listen({ port, host, exclusive: true });
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
