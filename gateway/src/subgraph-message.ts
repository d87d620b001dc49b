import { setTimeout as pause } from 'node:timers/promises';
import { exchange, wasNeverSent, wasUnanswered } from '@payroll/process';
import type { Dispatcher } from 'undici';

/** Long enough to reach another process, too short for a caller to notice. */
const PAUSES_MS = [20, 100];

export interface SubgraphRequest {
  token: string;
  query: string;
  variables: Record<string, unknown> | undefined;
  /** Whether the answer may come as text; services that do not know of it answer as ever (ADR 07). */
  text?: true | undefined;
  /** Of the caller's trace: each request of a message has its own. */
  traceparent?: string | undefined;
}

export interface SubgraphAnswer {
  data?: Record<string, unknown> | null;
  /** In place of `data`: the JSON of the one field that was asked for. */
  text?: string;
  /** `replayed`: an earlier call with the same operation id made the change; `recorded`: no call with it ever will. */
  extensions?: { replayed?: true; recorded?: true };
  errors?: readonly { message: string; extensions?: Record<string, unknown> }[];
}

/** A message to a subgraph; each request is answered as soon as the service has its answer. */
export class SubgraphMessage {
  readonly answers: readonly Promise<SubgraphAnswer>[];
  private hasBegun = false;
  private readonly open: PromiseWithResolvers<SubgraphAnswer>[];

  constructor(private readonly requests: readonly SubgraphRequest[]) {
    this.open = requests.map(() => Promise.withResolvers<SubgraphAnswer>());
    this.answers = this.open.map(({ promise }) => promise);
  }

  /** Never rejects: a failure rejects the answers that are still missing. */
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

  private take(line: string): void {
    this.hasBegun = true;
    const [place, answer] = readLine(line);
    this.open[place]?.resolve(answer);
  }

  private giveUp(reason: Error): void {
    for (const { reject } of this.open) reject(reason);
  }
}

/** Of requests that a whole answer says nothing of. Made once: an error collects its stack each time it is made. */
const LEFT_OUT = new Error('A subgraph left requests without an answer.');

/** `[place,answer]`, or `[place,null,text]`, whose text is cut out unread. */
function readLine(line: string): [place: number, answer: SubgraphAnswer] {
  const end = line.indexOf(',');
  if (!line.startsWith(TEXT_FOLLOWS, end)) return JSON.parse(line) as [number, SubgraphAnswer];
  return [Number(line.slice(1, end)), { text: line.slice(end + TEXT_FOLLOWS.length, -1) }];
}

const TEXT_FOLLOWS = ',null,';

/** Whether to retry on another connection: reads always, a mutation only if the service cannot have seen it. */
export function mayTryAgain(error: unknown, requests: readonly { query: string }[]): boolean {
  if (wasNeverSent(error)) return true;
  return wasUnanswered(error) && requests.every(({ query }) => !isMutation(query));
}

export function isMutation(query: string): boolean {
  return query.startsWith('mutation');
}
