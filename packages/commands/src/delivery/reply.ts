import type { ServiceName } from '@payroll/kernel';

/**
 * A consumer's reply to an event. `applied` and `dead_lettered` confirm it: it is never asked for again. `held`: this version
 * cannot apply it, a later one may. `postponed`: not now, such as in an outage.
 */
const REPLIES = ['applied', 'dead_lettered', 'held', 'postponed'] as const;
export type Reply = (typeof REPLIES)[number];

export function isReply(value: unknown): value is Reply {
  return REPLIES.some((reply) => reply === value);
}

/** Where a consumer is asked. NATS lets nobody but the publisher ask there, and nobody but the consumer listen. */
export function eventSubject(publisher: ServiceName | '*', consumer: ServiceName): string {
  return `events.${publisher}.${consumer}`;
}
