export { NAMED, visibleToAdmins, visibleToAllRoles, type VisibleActions } from './activity.js';
export {
  Calendar,
  CalendarTable,
  DAYS_AHEAD,
  daysAhead,
  validDaysAhead,
  moveCalendarInSandbox,
  readDaysAhead,
} from './calendar.js';
export { serve, serviceCommands } from './commands.js';
export { serviceSettings, type ProcessConfig } from './config.js';
export type { ServiceDefinition, ServiceDependencies } from './definition.js';
export {
  deferWork,
  DeferredWorkTable,
  notDeferred,
  observeDeferredWork,
  roundTime,
  startBackgroundJob,
} from './runner.js';
export { defineSandboxCommand, SandboxCommand, sandboxVersionOf } from './sandbox.js';
export { createRefresher, startService } from './serve.js';
export { parseJsonLines } from './graphql/messages.js';
export {
  ExpectedVersion,
  FollowedPageArguments,
  IdArg,
  MutationCtx,
  PageArguments,
  pageType,
  ReadCtx,
  type MutationContext,
} from './graphql/arguments.js';
export {
  byKeys,
  keyOf,
  keysOf,
  loadById,
  type EntityKey,
  type BatchFetch,
  type SubgraphContext,
} from './graphql/context.js';
export * as field from './graphql/fields.js';
export { enumOf, NULLABLE } from './graphql/fields.js';
export { Principal } from './graphql/principal.js';
export { CalendarDate, Decimal, Money, Timestamp } from './graphql/scalars.js';
export { buildSubgraph, type SubgraphDefinition } from './graphql/schema.js';
export { createSubgraphServer } from './graphql/server.js';
export {
  ALL_ROLES,
  ALL_TEAMS,
  FieldPermissions,
  VisibleToPeople,
  PERSONS_READERS,
  VisibleToTeams,
  TERMS_READERS,
} from './graphql/permissions.js';
