import { setTimeout as pause } from 'node:timers/promises';
import type { History, Intent } from '../history.js';
import type { Stage } from '../system/system.js';
import type { Piece, Tenant } from '../system/workspaces.js';
import type { Answer, Door } from './door.js';

/** After these codes the request is sent again under the same key (public-api.md §7). */
const PASSING = new Set(['OPERATION_IN_PROGRESS', 'SERVICE_UNAVAILABLE', 'INTERNAL_ERROR', 'NO_JSON', 'NO_CODE']);
/** The interval of approvals that are paid at once, slow enough for payouts to keep up on a busy machine. */
const PAID_AT_ONCE_EVERY_MS = 400;
/** The share of failed tries after which a client gives up. */
const GIVES_UP = 0.02;

export type Ended = { kind: 'ok'; body: string; from: number; at: number } | { kind: 'refused' | 'given up' };

interface Acknowledged {
  piece: Piece;
  by: string;
  from: number;
  at: number;
}

/** The state that all clients of a run share. */
export class Crew {
  /** Stop: start no new intents, and finish those in progress. */
  isOver = false;
  /** Stop those too. */
  isGone = false;
  /** Incremented when a switch of databases begins and when it ends: readers start over. */
  epoch = 0;
  readonly tally = { approvals: 0, unknowns: 0, refused: 0, suppressed: 0, tries: 0 };
  readonly acknowledged: Acknowledged[] = [];
  private readonly open = new Set<Promise<void>>();
  private paidAtOnceAt = 0;

  constructor(
    readonly stage: Stage,
    readonly history: History,
    readonly door: Door,
    readonly random: () => number,
  ) {}

  /** A piece of work that no other client will decide on. */
  take({ work }: Tenant): Piece | undefined {
    const mayBePaid = performance.now() - this.paidAtOnceAt > PAID_AT_ONCE_EVERY_MS;
    const place = work.findLastIndex(({ isPaidAtOnce }) => mayBePaid || !isPaidAtOnce);
    const [piece] = place < 0 ? [] : work.splice(place, 1);
    if (piece?.isPaidAtOnce) this.paidAtOnceAt = performance.now();
    return piece;
  }

  /** Sends until the answer is final, or the client gives up. */
  async insist(intent: Intent, send: () => Promise<Answer>): Promise<Ended> {
    for (let waitMs = 100; ; waitMs = Math.min(waitMs * 2, 2_000)) {
      const number = this.history.invoke(intent);
      const from = this.history.now;
      this.tally.tries += 1;
      const answer = await send().catch((error: unknown) => String(error));
      if (typeof answer !== 'string' && answer.code === undefined) {
        this.history.log({ type: 'ok', try: number, body: answer.text });
        return { kind: 'ok', body: answer.text, from, at: this.history.now };
      }
      if (typeof answer === 'string' || PASSING.has(answer.code!)) {
        this.tally.unknowns += 1;
        this.history.log({ type: 'unknown', try: number, why: typeof answer === 'string' ? answer : answer.code! });
        if (this.isGone || this.random() < GIVES_UP) return { kind: 'given up' };
      } else {
        this.history.log({ type: 'refused', try: number, code: answer.code! });
        if (answer.code !== 'RATE_LIMITED') {
          this.tally.refused += 1;
          return { kind: 'refused' };
        }
        if (this.isGone) return { kind: 'given up' };
        await pause(answer.retryAfterMs);
      }
      await pause(waitMs * (0.5 + this.random()));
    }
  }

  /** Runs work in parallel; the end of the run waits for it. */
  beside(work: () => Promise<void>): void {
    const doing = work().finally(() => this.open.delete(doing));
    this.open.add(doing);
  }

  async finished(): Promise<void> {
    while (this.open.size > 0) await Promise.all(this.open);
  }

  /** A pause between two actions of one person. */
  async breathe(ms: number): Promise<void> {
    await pause(ms * (0.5 + this.random()));
  }
}
