import type { Idle } from './outbox-rows.js';
import type { SignOfLife } from './sign-of-life.js';

/** Three signs of life. */
const FORGOTTEN_AFTER_MS = 15_000;

interface Session {
  consumer: string;
  history: string;
  isBehind: boolean;
  heardAt: number;
}

/** Which consumers are there, as their processes say, and would take what is offered to them. */
export class IdleConsumers {
  private readonly sessions = new Map<string, Session>();
  private readonly histories = new Map<string, string>();

  /** True when the consumer is in another history than before: what it had applied there, it may lack here. */
  hear(consumer: string, { session, history, isBehind }: SignOfLife, now = performance.now()): boolean {
    const before = this.histories.get(consumer);
    this.forget(now);
    this.sessions.set(session, { consumer, history, isBehind, heardAt: now });
    this.histories.set(consumer, history);
    return before !== undefined && before !== history;
  }

  list(now = performance.now()): Idle[] {
    this.forget(now);
    const all = [...this.sessions.values()];
    const isBehind = (consumer: string): boolean => all.some((each) => each.consumer === consumer && each.isBehind);
    return all.filter(({ consumer }) => !isBehind(consumer)).map(({ consumer, history }) => ({ consumer, history }));
  }

  private forget(now: number): void {
    for (const [session, { heardAt }] of this.sessions) {
      if (now - heardAt > FORGOTTEN_AFTER_MS) this.sessions.delete(session);
    }
  }
}
