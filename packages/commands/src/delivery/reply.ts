import type { ServiceName } from '@payroll/kernel';

/**
 * A consumer's reply to an event. `applied` and `dead_lettered` confirm it: the event is never delivered again. `held`: this
 * version cannot apply it, a later one may. `postponed`: not now, such as in an outage.
 */
const REPLIES = ['applied', 'dead_lettered', 'held', 'postponed'] as const;
export type Reply = (typeof REPLIES)[number];

export function isReply(value: unknown): value is Reply {
  return REPLIES.some((reply) => reply === value);
}

/** The subject of deliveries to a consumer. NATS lets only the publisher send to it and only the consumer subscribe. */
export function eventSubject(publisher: ServiceName | '*', consumer: ServiceName): string {
  return `events.${publisher}.${consumer}`;
}
