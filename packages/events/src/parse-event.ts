import { isEventType, type KnownEvent } from './catalogue.js';
import { checkEvent, EventFormatError } from './validate.js';

/**
 * Reads what came over the wire.
 * @throws EventFormatError that names the path which does not fit.
 */
export function parseEvent(value: unknown): KnownEvent {
  const type: unknown = value !== null && typeof value === 'object' && 'type' in value ? value.type : undefined;
  if (!isEventType(type)) throw new EventFormatError('An event', 'type', 'is none that is known here');
  checkEvent(type, value);
  return value as KnownEvent;
}
