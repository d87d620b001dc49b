export { NAMED, toAdmins, toEverybody, type ShownActs } from './activity.js';
export {
  Calendar,
  CalendarTable,
  DAYS_AHEAD,
  daysAhead,
  daysStillAhead,
  moveCalendarInSandbox,
  readDaysAhead,
} from './calendar.js';
export { serve, serviceCommands } from './commands.js';
export { serviceSettings, type ProcessConfig } from './config.js';
export type { ServiceDefinition, ServiceParts } from './definition.js';
export { deferWork, DeferredWorkTable, notDeferred, observeDeferredWork, startRunner } from './runner.js';
export { defineSandboxCommand, SandboxCommand, sandboxVersionOf } from './sandbox.js';
export { learnBy, startService } from './serve.js';
export { readAnswers } from './graphql/messages.js';
export {
  ExpectedVersion,
  FollowedPageArguments,
  IdOf,
  OperationOf,
  PageArguments,
  pageOf,
  Reader,
  type Operation,
} from './graphql/arguments.js';
export {
  byKeys,
  keyOf,
  keysOf,
  loadById,
  type EntityKey,
  type Fetch,
  type SubgraphContext,
} from './graphql/context.js';
export * as field from './graphql/fields.js';
export { enumOf, NULLABLE } from './graphql/fields.js';
export { Principal } from './graphql/principal.js';
export { CalendarDate, Decimal, Money, Timestamp } from './graphql/scalars.js';
export { buildSubgraph, type ReferenceResolver, type Subgraph, type SubgraphDefinition } from './graphql/schema.js';
export { createSubgraphServer, type SubgraphServerOptions } from './graphql/server.js';
export {
  EVERY_MEMBER,
  EVERYBODY,
  FieldPermissions,
  People,
  PERSONS_READERS,
  Teams,
  TERMS_READERS,
} from './graphql/permissions.js';
