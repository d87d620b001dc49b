import { recordOf } from '@payroll/kernel';
import { Type, type TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { catalogue, envelope } from './catalogue.js';
import {
  EVENT_TYPES,
  eventRoutes,
  isEventType,
  type EventBody,
  type EventType,
  type KnownEvent,
  type PublishedType,
} from './known-event.js';

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
