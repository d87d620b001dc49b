import type { EntityManager } from '@mikro-orm/postgresql';
import type { EventOf, EventType } from '@payroll/events';
import type { ServiceName } from '@payroll/kernel';
import type { Bus, Commands, EventCommand, EventCommands } from '@payroll/commands';
import type { Drain, Log, ReadinessCheck, Deployment } from '@payroll/runtime';
import type { Schema } from '@payroll/store';
import type { SubgraphDefinition } from './graphql/schema.js';
import { activity, type ActivityOptions } from './activity.js';
import { auditTrail } from './audit-trail.js';
import { deadLetters } from './dead-letters/graph.js';

/** The dependencies of a service's own code; the rest of serving is the same for every service. */
export interface ServiceDependencies {
  /** For reads; a command gets its own. */
  em: EntityManager;
  bus: Bus;
  commands: Commands;
  log: Log;
  deployment: Deployment;
  /**
   * For a read that may be ahead of the delivery: the newest event about a thing, applied unless known. Null: there is none.
   * @throws DomainError `SERVICE_UNAVAILABLE` when its publisher does not answer, or not from this generation of the database.
   */
  learn: <T extends EventType>(
    commands: { readonly [K in T]: EventCommand<K> },
    about: { workspaceId: string; aboutId: string },
    isNews?: (event: EventOf<T>) => boolean,
  ) => Promise<EventOf<T> | null>;
}

export interface ServiceDefinition<Name extends ServiceName> {
  name: Name;
  schema: Schema;
  subgraph: (parts: ServiceDependencies) => SubgraphDefinition;
  /** The part of the audit trail that members see. */
  activity: ActivityOptions;
  /** The commands that apply other services' events, as the system. */
  consumers: EventCommands<Name>;
  /** Runs while the service serves, such as a runner (see `startBackgroundJob`). */
  background?: (parts: ServiceDependencies) => readonly (AsyncDisposable | Disposable)[];
  /** A server for people or machines outside, which `drain` watches; open before the service says that it is ready. */
  edge?: (parts: ServiceDependencies, drain: Drain, waitingFor: ReadinessCheck) => Promise<AsyncDisposable>;
  requestHandlers?: (parts: ServiceDependencies) => void;
}

/** The subgraph of a service: its own fields, and those that every service has. */
export function serviceSubgraph(
  service: Pick<ServiceDefinition<ServiceName>, 'name' | 'subgraph' | 'activity'>,
  parts: ServiceDependencies,
): SubgraphDefinition {
  const { name } = service;
  const own = service.subgraph(parts);
  const { em, commands } = parts;
  const findPrincipal = own.references['Principal'] ?? ((reference) => Promise.resolve(reference));
  const everyones = [
    auditTrail(name, em),
    activity(name, em, service.activity, findPrincipal),
    deadLetters(name, em, commands),
  ];
  return { ...own, resolvers: [...own.resolvers, ...everyones] };
}
