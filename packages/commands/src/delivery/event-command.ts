import type { EventBody, EventType, EventTypeFor } from '@payroll/events';
import type { ServiceName } from '@payroll/kernel';
import type { Command } from '../run/command.js';

/** Applies the events of a type: their bodies are its input. */
export type EventCommand<T extends EventType = EventType> = Command<EventBody<T>, unknown>;

/** One command for each event type that the catalogue routes to the service: a missing one does not compile. */
export type EventCommands<Service extends ServiceName> = { readonly [T in EventTypeFor<Service>]: EventCommand<T> };

export type AppliedBy = { readonly [T in EventType]?: EventCommand<T> };

/** @throws Error for a type that the catalogue of this version routes to other services. */
export function commandFor(appliedBy: AppliedBy, type: EventType): EventCommand {
  const command = appliedBy[type] as EventCommand | undefined;
  if (!command) throw new Error(`${type} is not an event for this service`);
  return command;
}
