import { Type, type Static } from 'typebox';
import { businessChanged } from './business-events.js';
import { contractChanged, contractMilestonesAgreed } from './contract-events.js';
import type { EventDefinition, EventService } from './define-event.js';
import { id, instant } from './fields.js';
import {
  paymentCancelled,
  paymentCompleted,
  paymentCreated,
  paymentFailed,
  paymentProcessing,
} from './payment-events.js';
import { milestoneApproved } from './milestone-events.js';
import { timesheetApproved } from './timesheet-events.js';

/** Every event there is. A new one is a definition and a line here; routes, types and validation follow. */
export const catalogue = {
  'business.changed': businessChanged,
  'contract.changed': contractChanged,
  'contract.milestones-agreed': contractMilestonesAgreed,
  'timesheet.approved': timesheetApproved,
  'milestone.approved': milestoneApproved,
  'payment.created': paymentCreated,
  'payment.processing': paymentProcessing,
  'payment.completed': paymentCompleted,
  'payment.failed': paymentFailed,
  'payment.cancelled': paymentCancelled,
} as const satisfies Record<string, EventDefinition>;

export type EventType = keyof typeof catalogue;

/** What may be told in this release. */
export type PublishedType = {
  [T in EventType]: (typeof catalogue)[T] extends { heardOnly: true } ? never : T;
}[EventType];

/** What a service must have a handler for. */
export type EventTypeFor<Service extends EventService> = {
  [T in EventType]: Service extends (typeof catalogue)[T]['consumers'][number] ? T : never;
}[EventType];

export type EventBody<T extends EventType> = Static<(typeof catalogue)[T]['body']>;

/** What every event carries around its body. The shape is the store's `DomainEvent`. */
export const envelope = Type.Object({
  id,
  workspaceId: id,
  aboutId: id,
  occurredAt: instant,
  requestId: Type.String(),
});

export type EventOf<T extends EventType> = Static<typeof envelope> & { type: T; body: EventBody<T> };

/** An event as a consumer holds it: with the history of the database in which its publisher held it (ADR 0020). */
export type Heard<Event> = Event & { history: string };

/** Any event, told apart by `type`. */
export type KnownEvent = { [T in EventType]: EventOf<T> }[EventType];

export const EVENT_TYPES = Object.keys(catalogue) as readonly EventType[];

export function isEventType(value: unknown): value is EventType {
  return typeof value === 'string' && Object.hasOwn(catalogue, value);
}

export interface EventRoute {
  publisher: EventService;
  consumers: readonly EventService[];
  /** Where it is published: `events.<publisher>.<type>`. */
  subject: string;
}

/** Who publishes what to whom, and where. */
export const eventRoutes = Object.fromEntries(
  EVENT_TYPES.map((type): [EventType, EventRoute] => {
    const { publisher, consumers } = catalogue[type];
    return [type, { publisher, consumers, subject: `events.${publisher}.${type}` }];
  }),
) as Readonly<Record<EventType, EventRoute>>;
