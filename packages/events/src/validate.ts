import { Type, type TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { catalogue, envelope, EVENT_TYPES, type EventType } from './catalogue.js';

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

const bodies = compileEach(bodyOf);
const events = compileEach((type) =>
  Type.Object({ ...envelope.properties, type: Type.Literal(type), body: bodyOf(type) }),
);

/** @throws EventFormatError */
export function checkEvent(type: EventType, event: unknown): void {
  check(events[type], type, event, '');
}

/** @throws EventFormatError */
export function checkBody(type: EventType, body: unknown): void {
  check(bodies[type], type, body, '/body');
}

function check(validator: Validator, type: EventType, value: unknown, prefix: string): void {
  if (validator.Check(value)) return;
  const [first] = validator.Errors(value);
  const path = `${prefix}${first?.instancePath ?? ''}`.slice(1).replaceAll('/', '.');
  throw new EventFormatError(type, path === '' ? 'the event' : path, first?.message ?? 'does not fit');
}

function bodyOf(type: EventType): TSchema {
  return catalogue[type].body;
}

function compileEach(schemaOf: (type: EventType) => TSchema): Record<EventType, Validator> {
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, Compile(schemaOf(type))])) as Record<EventType, Validator>;
}
