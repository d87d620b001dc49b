import { setTimeout as pause } from 'node:timers/promises';
import type { Dispatcher } from 'undici';

/** Short enough for a caller not to notice, long enough for another process to be found. */
const PAUSES_MS = [20, 100];

/** One operation of one caller, as it travels. */
export interface SubgraphRequest {
  token: string;
  query: string;
  variables: Record<string, unknown> | undefined;
  /** The step of a trace that asks: each request of a message has its own. */
  traceparent?: string | undefined;
}

/** What a subgraph says to one operation. */
export interface SubgraphAnswer {
  data?: Record<string, unknown> | null;
  /** `replayed`: the change had been made before, by the same operation id. */
  extensions?: { replayed?: true };
  errors?: readonly { message: string; extensions?: Record<string, unknown> }[];
}

/** A message to a subgraph, whose requests are answered one by one as the service comes to know the answers. */
export class SubgraphMessage {
  readonly answers: readonly Promise<SubgraphAnswer>[];
  private hasBegun = false;
  private readonly open: PromiseWithResolvers<SubgraphAnswer>[];

  constructor(private readonly requests: readonly SubgraphRequest[]) {
    this.open = requests.map(() => Promise.withResolvers<SubgraphAnswer>());
    this.answers = this.open.map(({ promise }) => promise);
  }

  /** Sends it. Whatever goes wrong is the rejection of the answers that have not come by then. */
  async sendBy(pool: Dispatcher, path: string): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      const error = await this.exchange(pool, path);
      const pauseMs = PAUSES_MS[attempt];
      if (this.hasBegun || pauseMs === undefined || !mayTryAgain(error, this.requests)) return this.giveUp(error);
      await pause(pauseMs);
    }
  }

  /** What became of those that have no answer by then. */
  private async exchange(pool: Dispatcher, path: string): Promise<unknown> {
    try {
      const { statusCode, body } = await pool.request({
        method: 'POST',
        path,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(this.requests),
      });
      if (statusCode === 200) await this.read(body.setEncoding('utf8'));
      else await body.dump();
      return new Error(`A subgraph answered ${statusCode} and left requests without an answer.`);
    } catch (error) {
      return error;
    }
  }

  private async read(chunks: AsyncIterable<string>): Promise<void> {
    let rest = '';
    for await (const chunk of chunks) {
      this.hasBegun = true;
      const lines = (rest + chunk).split('\n');
      rest = lines.pop()!;
      for (const line of lines) {
        const [place, answer] = JSON.parse(line) as [number, SubgraphAnswer];
        this.open[place]?.resolve(answer);
      }
    }
  }

  /** Means nothing to those that have their answer. */
  private giveUp(reason: unknown): void {
    for (const { reject } of this.open) reject(reason);
  }
}

/** The connection was never made, so nothing was said on it: by Node's and undici's codes. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);
/** The connection ended with no word of an answer: the request may or may not have been read. */
const UNANSWERED = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/**
 * Whether a message may go out once more, on another connection: a process of the service was just stopped, and another
 * one is there. What only reads may always be repeated, a mutation only if the service cannot have seen it.
 */
export function mayTryAgain(error: unknown, requests: readonly { query: string }[]): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (NEVER_SENT.has(code)) return true;
  return UNANSWERED.has(code) && requests.every(({ query }) => !isMutation(query));
}

export function isMutation(query: string): boolean {
  return query.startsWith('mutation');
}
