import { StringDecoder } from 'node:string_decoder';
import { type Dispatcher, Pool } from 'undici';

/** Shorter than our processes drain, so that no message arrives on an idle connection as it closes. */
const IDLE_MS = 4_000;

interface PoolOptions {
  connections: number;
  /** Longer than any answer takes. A process that hangs would keep its connections from the one that takes its place. */
  answeredWithinMs: number;
}

/** Keep-alive connections from one process of the system to another, for `exchange`. */
export function openPool(origin: string, { connections, answeredWithinMs }: PoolOptions): Pool {
  return new Pool(origin, {
    connections,
    headersTimeout: answeredWithinMs,
    bodyTimeout: answeredWithinMs,
    connect: { timeout: 1_000 },
    keepAliveMaxTimeout: IDLE_MS,
  });
}

/**
 * POSTs a message and emits each line of the answer as it arrives. Parses the socket's chunks itself: a stream around them
 * costs a single request more than the rest of this function.
 * @returns the failure, or null for a complete answer; never rejects.
 */
export function exchange(
  pool: Dispatcher,
  path: string,
  { body, headers }: { body: string; headers?: Record<string, string> },
  onLine: (line: string) => void,
): Promise<Error | null> {
  const { promise, resolve } = Promise.withResolvers<Error | null>();
  const typed = { 'content-type': 'application/json', ...headers };
  pool.dispatch({ method: 'POST', path, headers: typed, body }, new LineReader(onLine, resolve));
  return promise;
}

class LineReader implements Dispatcher.DispatchHandler {
  private readonly decoder = new StringDecoder('utf8');
  private status = 0;
  /** The start of a line whose end has not arrived. */
  private begun = '';

  constructor(
    private readonly onLine: (line: string) => void,
    private readonly end: (failure: Error | null) => void,
  ) {}

  onRequestStart(): void {
    this.status = 0;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    this.status = status;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.status !== 200) return;
    try {
      const lines = (this.begun + this.decoder.write(chunk)).split('\n');
      this.begun = lines.pop()!;
      for (const line of lines) this.onLine(line);
    } catch (error) {
      controller.abort(error as Error);
    }
  }

  onResponseEnd(): void {
    this.end(this.status === 200 ? null : new Error(`The other process answered ${this.status}.`));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.end(error);
  }
}

/** Codes of Node and undici for connections that were never made, so that nothing was sent. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);
/** The connection ended before an answer began: the other process may have read the request. */
const UNANSWERED = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

export function wasNeverSent(error: unknown): boolean {
  return NEVER_SENT.has(codeOf(error));
}

export function wasUnanswered(error: unknown): boolean {
  return UNANSWERED.has(codeOf(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
