export { readAnswers } from './answer-lines.js';
export { keyOf, loadById, type EntityKey, type Fetch, type SubgraphContext } from './context.js';
export { Money } from './money.js';
export { CalendarDate, Decimal, OPERATION_ID, Timestamp } from './scalars.js';
export { buildSubgraph, type ReferenceResolver, type Subgraph, type SubgraphDefinition } from './schema.js';
export { createSubgraphServer, type SubgraphServerOptions } from './server.js';
export { TeamPermissions } from './team-permissions.js';
export { EVERYBODY, PERSONS_READERS, Teams, TERMS_READERS } from './teams.js';
