import type { EntityManager } from '@mikro-orm/postgresql';
import type { ServiceName } from '@payroll/admission';
import type { EventOf, EventType } from '@payroll/events';
import type { Bus } from '@payroll/bus';
import type { EventHandlers, EventQuestion } from '@payroll/messaging';
import type { Drain, Log } from '@payroll/process';
import type { Command, CommandRunner, Schema } from '@payroll/store';
import type { SubgraphDefinition } from '@payroll/subgraph';

/** What a service's own code is handed; all the rest of serving is the same for every service. */
export interface ServiceParts {
  /** For reads; a command gets its own. */
  em: EntityManager;
  bus: Bus;
  commands: CommandRunner;
  log: Log;
  /** Runs a command because of an event, once per event, as the system. */
  apply: <T extends EventType, Input>(
    command: Command<Input, unknown>,
    event: EventOf<T> & { body: Input },
  ) => Promise<void>;
  /**
   * Fetches an event that has not arrived yet from the service that publishes it.
   * @throws DomainError `SERVICE_UNAVAILABLE` when that service does not answer.
   */
  askEvent: <T extends EventType>(type: T, question: Omit<EventQuestion<T>, 'type'>) => Promise<EventOf<T> | null>;
}

export interface ServiceDefinition {
  name: ServiceName;
  schema: Schema;
  subgraph: (parts: ServiceParts) => SubgraphDefinition;
  /** What it does about the events of other services; those of services that are not in `eventRoutes` never come. */
  consumers: (parts: ServiceParts) => EventHandlers;
  /** What it does by itself while it serves, such as a runner (see `startRunner`). */
  background?: (parts: ServiceParts) => readonly (AsyncDisposable | Disposable)[];
  /** A further door, for people or machines outside, that `drain` watches: open before the service says that it is ready. */
  edge?: (parts: ServiceParts, drain: Drain) => Promise<AsyncDisposable>;
  /** Answers that the service gives on the bus beside its subgraph. */
  answers?: (parts: ServiceParts) => void;
}
