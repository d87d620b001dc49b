export { NAMED, visibleToAdmins, visibleToAllRoles, type VisibleActions, Principal } from './activity.js';
export {
  Calendar,
  CalendarTable,
  DAYS_AHEAD,
  daysAhead,
  validDaysAhead,
  moveCalendarInSandbox,
  readDaysAhead,
  defineSandboxCommand,
  SandboxCommand,
  sandboxVersionOf,
} from './sandbox.js';
export {
  serve,
  serviceCommands,
  serviceSettings,
  type ProcessConfig,
  createRefresher,
  startService,
} from './process.js';
export type { ServiceDefinition, ServiceDependencies } from './definition.js';
export {
  deferWork,
  DeferredWorkTable,
  notDeferred,
  observeDeferredWork,
  roundTime,
  startBackgroundJob,
} from './runner.js';
export { parseJsonLines, createSubgraphServer } from './graphql/server.js';
export {
  ExpectedVersion,
  FollowedPageArguments,
  IdArg,
  MutationCtx,
  PageArguments,
  pageType,
  ReadCtx,
} from './graphql/arguments.js';
export {
  byKeys,
  keyOf,
  ofKeys,
  ASKED_KEY,
  loadById,
  type BatchFetch,
  type SubgraphContext,
} from './graphql/context.js';
export * as field from './graphql/fields.js';
export { enumOf, NULLABLE } from './graphql/fields.js';
export { CalendarDate, Decimal, Money, Timestamp } from './graphql/scalars.js';
export { buildSubgraph, type SubgraphDefinition } from './graphql/schema.js';
export { FieldPermissions, VisibleTo, PERSONS_READERS, TERMS_READERS } from './graphql/permissions.js';
