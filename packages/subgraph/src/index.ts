export { readAnswers } from './answer-lines.js';
export { ExpectedVersion, IdOf, OperationOf, Reader, type Operation } from './arguments.js';
export { keyOf, loadById, type EntityKey, type Fetch, type SubgraphContext } from './context.js';
export {
  BooleanField,
  DateField,
  DecimalField,
  FieldOf,
  IdField,
  IntField,
  MoneyField,
  NULLABLE,
  TextField,
  TimeField,
} from './fields.js';
export { Money } from './scalars.js';
export { FollowedPageArguments, PageArguments, pageOf } from './arguments.js';
export { CalendarDate, Decimal, Timestamp } from './scalars.js';
export { buildSubgraph, type ReferenceResolver, type Subgraph, type SubgraphDefinition } from './schema.js';
export { createSubgraphServer, type SubgraphServerOptions } from './server.js';
export { TeamPermissions } from './teams.js';
export { EVERYBODY, PERSONS_READERS, Teams, TERMS_READERS } from './teams.js';
