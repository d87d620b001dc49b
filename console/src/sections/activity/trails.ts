import { DomainError, isId, isInstant } from '@payroll/kernel';
import { graphql, type ResultOf, type VariablesOf } from '../../operations.js';
import type { WorkspaceContext } from '../../workspace-context.js';

const GIVEN = '$limit: Int!, $before: Timestamp, $beforeId: ID, $since: Timestamp, $subjectId: ID, $principalId: ID';
const ARGUMENTS =
  'limit: $limit, before: $before, beforeId: $beforeId, since: $since, subjectId: $subjectId, principalId: $principalId';
const ENTRY = 'id at actorKind by { id memberName name } action subjectId facts { name from to }';

/** Each service keeps its own part of what was done. */
const TRAILS = {
  contracts: graphql(`query contractsActivity(${GIVEN}) { entries: contractsActivity(${ARGUMENTS}) { ${ENTRY} } }`),
  review: graphql(`query reviewActivity(${GIVEN}) { entries: reviewActivity(${ARGUMENTS}) { ${ENTRY} } }`),
  payments: graphql(`query paymentsActivity(${GIVEN}) { entries: paymentsActivity(${ARGUMENTS}) { ${ENTRY} } }`),
  access: graphql(`query workspacesActivity(${GIVEN}) { entries: workspacesActivity(${ARGUMENTS}) { ${ENTRY} } }`),
};

export type Trail = keyof typeof TRAILS;
export type Entry = ResultOf<(typeof TRAILS)[Trail]>['entries'][number];
export type ActivityFilters = Required<Omit<VariablesOf<(typeof TRAILS)[Trail]>, 'limit'>>;

/** The name of each trail. */
export const KINDS: Readonly<Record<Trail, string>> = {
  contracts: 'Contracts and workers',
  review: 'Timesheets and milestones',
  payments: 'Payments and money',
  access: 'The workspace and access to it',
};

/** How many entries the page of a contract or payment shows. */
export const ENTRIES_SHOWN = 5;

const ALL = { before: null, beforeId: null, since: null, subjectId: null, principalId: null };

/** The newest entries, of one thing or of the whole workspace. @throws DomainError */
export async function readNewest(
  here: WorkspaceContext,
  limit: number,
  subjectId: string | null = null,
  kind: Trail | '' = '',
) {
  return await readPage(here, { ...ALL, subjectId }, limit, kind);
}

/** A page of entries. `missing` names the trails whose service is unavailable. @throws DomainError if all of them are */
export async function readPage({ run }: WorkspaceContext, filters: ActivityFilters, limit: number, kind: Trail | '') {
  const kinds = Object.keys(KINDS) as Trail[];
  const asked = kinds.filter((each) => kind === '' || kind === each);
  const told = await Promise.allSettled(asked.map((each) => run(TRAILS[each], { ...filters, limit: limit + 1 })));
  const missing = asked.filter((_, n) => told[n]!.status === 'rejected');
  const failures = told.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
  const isAway = (error: unknown): boolean => error instanceof DomainError && error.code === 'SERVICE_UNAVAILABLE';
  if (missing.length === asked.length || !failures.every(isAway)) throw failures[0];
  const trails = told.flatMap((one) => (one.status === 'fulfilled' ? [one.value.entries] : []));
  return { ...mergePage(trails, limit), missing: missing.map((each) => KINDS[each]) };
}

interface Placed {
  id: string;
  at: string;
}

/** All trails have one order, newest first: one page of it, and where the next one begins. */
export function mergePage<Row extends Placed>(trails: readonly (readonly Row[])[], limit: number) {
  const all = trails.flat().toSorted((one, other) => (placeOf(one) < placeOf(other) ? 1 : -1));
  const entries = all.slice(0, limit);
  const last = entries.at(-1);
  return { entries, next: all.length > limit && last ? `${last.at}_${last.id}` : null };
}

/** Times have six digits of a second and ids one case: as text they are in order. */
const placeOf = ({ at, id }: Placed): string => `${at} ${id}`;

/** The position in the address; null if it is not valid. */
export function readPlace(text: string | undefined): { before: string; beforeId: string } | null {
  const [before = '', beforeId = '', ...more] = text?.split('_') ?? [];
  return isInstant(before) && isId(beforeId) && more.length === 0 ? { before, beforeId } : null;
}
