import { graphql, type ResultOf, type VariablesOf } from '../../operations.js';

const GIVEN = '$limit: Int!, $before: Timestamp, $beforeId: ID, $since: Timestamp, $subjectId: ID, $principalId: ID';
const ARGUMENTS =
  'limit: $limit, before: $before, beforeId: $beforeId, since: $since, subjectId: $subjectId, principalId: $principalId';
const ENTRY = 'id at actorKind by { id memberName name } action subjectId facts { name from to }';

/** Each service keeps its own part of what was done. */
export const TRAILS = {
  contracts: graphql(`query contractsActivity(${GIVEN}) { entries: contractsActivity(${ARGUMENTS}) { ${ENTRY} } }`),
  review: graphql(`query reviewActivity(${GIVEN}) { entries: reviewActivity(${ARGUMENTS}) { ${ENTRY} } }`),
  payments: graphql(`query paymentsActivity(${GIVEN}) { entries: paymentsActivity(${ARGUMENTS}) { ${ENTRY} } }`),
  access: graphql(`query workspacesActivity(${GIVEN}) { entries: workspacesActivity(${ARGUMENTS}) { ${ENTRY} } }`),
};

export type Trail = keyof typeof TRAILS;
export type Entry = ResultOf<(typeof TRAILS)[Trail]>['entries'][number];
export type ActivityFilters = Required<Omit<VariablesOf<(typeof TRAILS)[Trail]>, 'limit'>>;
