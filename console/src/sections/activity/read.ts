import { DomainError } from '@payroll/kernel';
import type { Visit } from '../../visit.js';
import { mergePage } from './merge.js';
import { TRAILS, type ActivityFilters, type Trail } from './operations.js';

/** What each trail tells of. */
export const KINDS: Readonly<Record<Trail, string>> = {
  contracts: 'Contracts and workers',
  review: 'Timesheets and milestones',
  payments: 'Payments and money',
  access: 'The workspace and access to it',
};

/** On the page of a thing. */
export const ENTRIES_SHOWN = 5;

const ALL = { before: null, beforeId: null, since: null, subjectId: null, principalId: null };

/** The newest entries about one thing, of the service that keeps it, or about everything. @throws DomainError */
export async function readNewest(here: Visit, limit: number, subjectId: string | null = null, kind: Trail | '' = '') {
  return await readPage(here, { ...ALL, subjectId }, limit, kind);
}

/** What a service that cannot be asked would add is named; @throws DomainError where none can be asked */
export async function readPage({ ask }: Visit, filters: ActivityFilters, limit: number, kind: Trail | '') {
  const kinds = Object.keys(KINDS) as Trail[];
  const asked = kinds.filter((each) => kind === '' || kind === each);
  const told = await Promise.allSettled(asked.map((each) => ask(TRAILS[each], { ...filters, limit: limit + 1 })));
  const missing = asked.filter((_, n) => told[n]!.status === 'rejected');
  const failures = told.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
  const isAway = (error: unknown): boolean => error instanceof DomainError && error.code === 'SERVICE_UNAVAILABLE';
  if (missing.length === asked.length || !failures.every(isAway)) throw failures[0];
  const trails = told.flatMap((one) => (one.status === 'fulfilled' ? [one.value.entries] : []));
  return { ...mergePage(trails, limit), missing: missing.map((each) => KINDS[each]) };
}
