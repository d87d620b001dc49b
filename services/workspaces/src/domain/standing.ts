import type { RateLimit } from '@payroll/admission';

/**
 * Requests per window of 60 s (public-api.md §8); failures are counted per address, messages to `/mcp` per connection, and
 * the pages of the application per person: no integration uses up what people have.
 */
export const QUOTAS = { reads: 600, writes: 60, workspace: 2_000, failures: 30, messages: 600, pages: 600 } as const;

const WINDOW_S = 60;

/** Where one request stands in a counter: the `position`th of the window that ends in `resetSeconds`. */
export interface Standing {
  name: RateLimit['name'];
  position: number;
  resetSeconds: number;
}

/** The refusal of a request over a limit; null when all the counters let it in. */
export function overLimit(standings: readonly Standing[]) {
  const over = standings.filter(isOver);
  if (over.length === 0) return null;
  const retryAfterSeconds = Math.max(...over.map(({ resetSeconds }) => resetSeconds));
  const message = `Too many requests. Try again in ${retryAfterSeconds} s.`;
  return { code: 'RATE_LIMITED' as const, message, retryAfterSeconds };
}

export function toRateLimit({ name, position, resetSeconds }: Standing): RateLimit {
  return { name, quota: QUOTAS[name], remaining: Math.max(0, QUOTAS[name] - position), resetSeconds };
}

/** A counter after a batch: how many its window has seen, and in how many seconds it ends. */
export interface Counter {
  subject: string;
  used: number;
  reset: number;
}

/** Gives each request of a batch its own place in the counters that the whole batch has moved, the last one first. */
export class Line {
  private readonly counters: ReadonlyMap<string, { next: number; used: number; resetSeconds: number }>;

  constructor(counters: readonly Counter[]) {
    this.counters = new Map(
      counters.map(({ subject, used, reset }) => {
        // A window that began while the batch waited for its counter seems to last longer than a window can.
        const resetSeconds = Math.min(WINDOW_S, Math.max(1, reset));
        return [subject, { next: used, used, resetSeconds }];
      }),
    );
  }

  placeRequest(limit: 'reads' | 'writes', principalId: string, workspaceId: string): Standing[] {
    const own = this.take(limit, `${limit}/${principalId}`);
    const shared = `workspace/${workspaceId}`;
    // What its own limit refuses takes nothing of what is shared, and is told where it would stand.
    return [own, isOver(own) ? this.behind('workspace', shared) : this.take('workspace', shared)];
  }

  placeFailure(address: string): Standing {
    return this.take('failures', `failed/${address}`);
  }

  placeMessage(principalId: string): Standing {
    return this.take('messages', `messages/${principalId}`);
  }

  placePage(accountId: string): Standing {
    return this.take('pages', `pages/${accountId}`);
  }

  private take(name: Standing['name'], subject: string): Standing {
    const counter = this.counterOf(subject);
    return { name, position: counter.next--, resetSeconds: counter.resetSeconds };
  }

  private behind(name: Standing['name'], subject: string): Standing {
    const { used, resetSeconds } = this.counterOf(subject);
    return { name, position: used + 1, resetSeconds };
  }

  private counterOf(subject: string) {
    const counter = this.counters.get(subject);
    if (!counter) throw new Error('A request was answered that no counter has counted.');
    return counter;
  }
}

function isOver({ name, position }: Standing): boolean {
  return position > QUOTAS[name];
}
