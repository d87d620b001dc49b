import type { RateLimit } from '@payroll/admission';

/**
 * Requests per window of 60 s (public-api.md §8). Failures are counted per address, messages to `/mcp` per
 * connection, pages of the application per person, so that integrations do not use up a person's quota.
 */
export const QUOTAS = { reads: 600, writes: 60, workspace: 2_000, failures: 30, messages: 600, pages: 600 } as const;

const WINDOW_S = 60;

/** The position of one request in a counter whose window ends in `resetSeconds`. */
export interface CounterPosition {
  name: RateLimit['name'];
  position: number;
  resetSeconds: number;
}

/** The refusal of a request over a limit; null if all counters allow it. */
export function overLimit(standings: readonly CounterPosition[]) {
  const over = standings.filter(isOver);
  if (over.length === 0) return null;
  const retryAfterSeconds = Math.max(...over.map(({ resetSeconds }) => resetSeconds));
  const message = `Too many requests. Try again in ${retryAfterSeconds} s.`;
  return { code: 'RATE_LIMITED' as const, message, retryAfterSeconds };
}

export function toRateLimit({ name, position, resetSeconds }: CounterPosition): RateLimit {
  return { name, quota: QUOTAS[name], remaining: Math.max(0, QUOTAS[name] - position), resetSeconds };
}

/** A counter after a batch: the requests in its window, and the seconds until that ends. */
export interface Counter {
  subject: string;
  used: number;
  reset: number;
}

/**
 * Positions of a batch's requests in counters that were already incremented by the whole batch. The first call gets
 * the highest position, so callers iterate in reverse.
 */
export class BatchPositions {
  private readonly counters: ReadonlyMap<string, { next: number; used: number; resetSeconds: number }>;

  constructor(counters: readonly Counter[]) {
    this.counters = new Map(
      counters.map(({ subject, used, reset }) => {
        // A window that started while the batch waited for the counter's row may seem longer than a window.
        const resetSeconds = Math.min(WINDOW_S, Math.max(1, reset));
        return [subject, { next: used, used, resetSeconds }];
      }),
    );
  }

  placeRequest(limit: 'reads' | 'writes', principalId: string, workspaceId: string): CounterPosition[] {
    const own = this.take(limit, `${limit}/${principalId}`);
    const shared = `workspace/${workspaceId}`;
    // A request over its own limit does not use up the workspace's limit; it reports the position it would have had
    // there.
    return [own, isOver(own) ? this.behind('workspace', shared) : this.take('workspace', shared)];
  }

  placeFailure(address: string): CounterPosition {
    return this.take('failures', `failed/${address}`);
  }

  placeMessage(principalId: string): CounterPosition {
    return this.take('messages', `messages/${principalId}`);
  }

  placePage(accountId: string): CounterPosition {
    return this.take('pages', `pages/${accountId}`);
  }

  private take(name: CounterPosition['name'], subject: string): CounterPosition {
    const counter = this.counterOf(subject);
    return { name, position: counter.next--, resetSeconds: counter.resetSeconds };
  }

  private behind(name: CounterPosition['name'], subject: string): CounterPosition {
    const { used, resetSeconds } = this.counterOf(subject);
    return { name, position: used + 1, resetSeconds };
  }

  private counterOf(subject: string) {
    const counter = this.counters.get(subject);
    if (!counter) throw new Error('A request was answered that no counter has counted.');
    return counter;
  }
}

function isOver({ name, position }: CounterPosition): boolean {
  return position > QUOTAS[name];
}
