import { eventRoutes, type EventBody, type EventType, type PublishedType } from './catalogue.js';
import type { EventService } from './define-event.js';
import { checkBody } from './validate.js';

/** What a command hands to `tx.emit`; the store's `NewEvent`. */
export interface NewEventOf<T extends EventType> {
  type: T;
  aboutId: string;
  body: EventBody<T>;
  consumers: readonly EventService[];
}

/**
 * `aboutId` is the thing other services may ask this event for, such as the payment that an approval creates.
 * @throws EventFormatError: what its consumers could not read is refused while its transaction can still be undone.
 */
export function newEvent<T extends PublishedType>(type: T, aboutId: string, body: EventBody<T>): NewEventOf<T> {
  checkBody(type, body);
  return { type, aboutId, body, consumers: eventRoutes[type].consumers };
}
