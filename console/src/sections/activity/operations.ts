import { Operation } from '../../operations.js';

export interface Entry {
  id: string;
  at: string;
  actorKind: string;
  by: { id: string; memberName: string; name: string | null } | null;
  action: string;
  subjectId: string;
  facts: { name: string; from: string | null; to: string | null }[];
}

export type ActivityFilters = {
  before: string | null;
  beforeId: string | null;
  since: string | null;
  subjectId: string | null;
  principalId: string | null;
};

const trail = (field: string): Operation<{ entries: Entry[] }, ActivityFilters & { limit: number }> =>
  new Operation(`
    query ${field}($limit: Int!, $before: Timestamp, $beforeId: ID, $since: Timestamp, $subjectId: ID, $principalId: ID) {
      entries: ${field}(
        limit: $limit, before: $before, beforeId: $beforeId, since: $since, subjectId: $subjectId, principalId: $principalId
      ) { id at actorKind by { id memberName name } action subjectId facts { name from to } }
    }`);

/** Each service keeps its own part of what was done. */
export const TRAILS = {
  contracts: trail('contractsActivity'),
  review: trail('reviewActivity'),
  payments: trail('paymentsActivity'),
  access: trail('workspacesActivity'),
} as const;

export type Trail = keyof typeof TRAILS;
