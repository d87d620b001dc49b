import { recordOf, type ServiceName } from '@payroll/kernel';
import type { Static } from 'typebox';
import { catalogue, type envelope, type EventDefinition } from './catalogue.js';

export type EventType = keyof typeof catalogue;

/** The events that this release may publish. */
export type PublishedType = {
  [T in EventType]: (typeof catalogue)[T] extends { heardOnly: true } ? never : T;
}[EventType];

/** The events for which a service must have a handler. */
export type EventTypeFor<Service extends ServiceName> = {
  [T in EventType]: Service extends (typeof catalogue)[T]['consumers'][number] ? T : never;
}[EventType];

export type EventBody<T extends EventType> = Static<(typeof catalogue)[T]['body']>;

export type EventOf<T extends EventType> = Static<typeof envelope> & { type: T; body: EventBody<T> };

/** Any event, told apart by `type`. */
export type KnownEvent = { [T in EventType]: EventOf<T> }[EventType];

export const EVENT_TYPES = Object.keys(catalogue) as readonly EventType[];

export function isEventType(value: unknown): value is EventType {
  return typeof value === 'string' && Object.hasOwn(catalogue, value);
}

type EventRoute = Pick<EventDefinition, 'publisher' | 'consumers' | 'isAwaited'>;

/** The publisher and the consumers of each event type. */
export const eventRoutes: Readonly<Record<EventType, EventRoute>> = recordOf(EVENT_TYPES, (type) => catalogue[type]);

/** Whose events a service consumes. */
export function publishersFor(service: ServiceName): readonly ServiceName[] {
  const consumed = Object.values(eventRoutes).filter(({ consumers }) => consumers.includes(service));
  return [...new Set(consumed.map(({ publisher }) => publisher))];
}

export function consumersOf(service: ServiceName): readonly ServiceName[] {
  const published = Object.values(eventRoutes).filter(({ publisher }) => publisher === service);
  return [...new Set(published.flatMap(({ consumers }) => consumers))];
}
