export { readAnswers } from './messages.js';
export {
  ExpectedVersion,
  FollowedPageArguments,
  IdOf,
  OperationOf,
  PageArguments,
  pageOf,
  Reader,
  type Operation,
} from './arguments.js';
export { keyOf, loadById, type EntityKey, type Fetch, type SubgraphContext } from './context.js';
export * as field from './fields.js';
export { enumOf, NULLABLE } from './fields.js';
export { Principal } from './principal.js';
export { CalendarDate, Decimal, Money, Timestamp } from './scalars.js';
export { buildSubgraph, type ReferenceResolver, type Subgraph, type SubgraphDefinition } from './schema.js';
export { createSubgraphServer, type SubgraphServerOptions } from './server.js';
export {
  EVERY_MEMBER,
  EVERYBODY,
  FieldPermissions,
  People,
  PERSONS_READERS,
  Teams,
  TERMS_READERS,
} from './permissions.js';
