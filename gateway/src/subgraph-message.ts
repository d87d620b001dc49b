import { setTimeout as pause } from 'node:timers/promises';
import { exchange, wasNeverSent, wasUnanswered } from '@payroll/runtime';
import type { Dispatcher } from 'undici';

/** Long enough to reach another process, too short for a caller to notice. */
const PAUSES_MS = [20, 100];

/** A GraphQL request. */
export interface SubgraphRequest {
  query: string;
  variables: Record<string, unknown> | undefined;
  /** The caller's actor token and trace. */
  extensions: { token: string; traceparent: string | undefined };
}

/** A message to a subgraph; each request gets GraphQL's response as text as soon as the service has it. */
export class SubgraphMessage {
  readonly responses: readonly Promise<string>[];
  private hasBegun = false;
  private readonly open: PromiseWithResolvers<string>[];

  constructor(private readonly requests: readonly SubgraphRequest[]) {
    this.open = requests.map(() => Promise.withResolvers<string>());
    this.responses = this.open.map(({ promise }) => promise);
  }

  /** Never rejects: a failure rejects the responses that are still missing. */
  async sendBy(pool: Dispatcher, path: string): Promise<void> {
    const body = JSON.stringify(this.requests);
    for (let attempt = 0; ; attempt++) {
      const failure = await exchange(pool, path, { body }, (line) => this.take(line));
      const pauseMs = PAUSES_MS[attempt];
      if (!failure || this.hasBegun || pauseMs === undefined || !mayTryAgain(failure, this.requests)) {
        return this.giveUp(failure ?? LEFT_OUT);
      }
      await pause(pauseMs);
    }
  }

  /** `place response` */
  private take(line: string): void {
    this.hasBegun = true;
    const end = line.indexOf(' ');
    this.open[Number(line.slice(0, end))]?.resolve(line.slice(end + 1));
  }

  private giveUp(reason: Error): void {
    for (const { reject } of this.open) reject(reason);
  }
}

/** Rejects requests that a complete answer leaves out. Made once: creating an error collects its stack. */
const LEFT_OUT = new Error('A subgraph left requests without an answer.');

/** Whether to retry on another connection: reads always, a mutation only if the service cannot have seen it. */
export function mayTryAgain(error: unknown, requests: readonly { query: string }[]): boolean {
  if (wasNeverSent(error)) return true;
  return wasUnanswered(error) && requests.every(({ query }) => !isMutation(query));
}

export function isMutation(query: string): boolean {
  return query.startsWith('mutation');
}
