import { recordOf, type ServiceName } from '@payroll/kernel';
import { type Static, Type, type TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { catalogue, envelope, type EventDefinition } from './catalogue.js';

export type EventType = keyof typeof catalogue;

/** The events that this release may publish. */
type PublishedType = {
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

/** An event that is not what its type says. The message names the path and the rule, never a value. */
export class EventFormatError extends Error {
  override readonly name = 'EventFormatError';

  constructor(
    readonly eventType: string,
    /** Such as `body.total.amount`. */
    readonly path: string,
    rule: string,
  ) {
    super(`${eventType}: ${path} ${rule}`);
  }
}

/** An event for `tx.emit`; other services can read the newest one by `aboutId`. @throws EventFormatError */
export function newEvent<T extends PublishedType>(type: T, aboutId: string, body: EventBody<T>) {
  check(bodies[type], type, body, '/body');
  const { consumers, isAwaited } = eventRoutes[type];
  return { type, aboutId, body, consumers, ...(isAwaited === false && { isAwaited }) };
}

/** @throws EventFormatError that names the invalid path. */
export function parseEvent(value: unknown): KnownEvent {
  const type: unknown = value !== null && typeof value === 'object' && 'type' in value ? value.type : undefined;
  if (!isEventType(type)) throw new EventFormatError('An event', 'type', 'is none that is known here');
  check(events[type], type, value, '');
  return value as KnownEvent;
}

const bodies = compileEach((type) => catalogue[type].body);
const events = compileEach((type) =>
  Type.Object({ ...envelope.properties, type: Type.Literal(type), body: catalogue[type].body }),
);

function compileEach(schemaOf: (type: EventType) => TSchema): Record<EventType, Validator> {
  return recordOf(EVENT_TYPES, (type) => Compile(schemaOf(type)));
}

function check(validator: Validator, type: EventType, value: unknown, prefix: string): void {
  if (validator.Check(value)) return;
  const [first] = validator.Errors(value);
  const path = `${prefix}${first?.instancePath ?? ''}`.slice(1).replaceAll('/', '.');
  throw new EventFormatError(type, path === '' ? 'the event' : path, first?.message ?? 'does not fit');
}
