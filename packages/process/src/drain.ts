import type { Server, ServerResponse } from 'node:http';

/** Longer than any answer may take (10 s): what is still open then waits for a person, or for nobody. */
const FINISH_WITHIN_MS = 12_000;

/**
 * How a process leaves without a failed request. From the moment it is asked to stop it says so to balancers, and every
 * answer asks its client to come on another connection next time: none is closed while a request may be on its way.
 */
export class Drain {
  private begun = false;
  private closing = false;
  private readonly servers = new Set<Server>();
  private readonly open = new Set<ServerResponse>();

  /** Whether the process has been asked to stop: readiness says so. */
  get isStopping(): boolean {
    return this.begun;
  }

  /** Counts a server in; before it listens, and before anything else hears its requests. */
  watch(server: Server): void {
    this.servers.add(server);
    server.prependListener('request', (_request, response) => {
      this.open.add(response);
      if (this.begun) response.shouldKeepAlive = false;
      response.once('close', () => this.closed(response, server));
    });
  }

  begin(): void {
    this.begun = true;
    for (const response of this.open) response.shouldKeepAlive = false;
  }

  /** From now on nothing new is taken. What takes longer than any answer may is cut off, so that the process ends. */
  close(): void {
    this.closing = true;
    const cutOff = (): void => this.servers.forEach((server) => server.closeAllConnections());
    setTimeout(cutOff, FINISH_WITHIN_MS).unref();
  }

  /** An answer that had begun before kept its connection open: nobody else would close it. */
  private closed(response: ServerResponse, server: Server): void {
    this.open.delete(response);
    if (this.closing) setImmediate(() => server.closeIdleConnections());
  }
}
