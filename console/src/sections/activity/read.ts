import { DomainError } from '@payroll/kernel';
import type { WorkspaceContext } from '../../workspace-context.js';
import { mergePage } from './merge.js';
import { TRAILS, type ActivityFilters, type Trail } from './operations.js';

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
