import { graphql } from '../../operations.js';
import { orUnread, type WorkspaceContext } from '../../workspace-context.js';
import { periodText } from '../../words.js';
import type { Entry } from './trails.js';

const CONTRACT = 'contract { worker { name } }';
const PERIOD = 'periodStart periodEnd';
const SINCE = 'updatedSince: $since, limit: 100';

/** The subject of an entry has changed since the oldest one. One list per service, so that each can be missing. */
const readContracts = graphql(
  `query contractsOfActivity($since: Timestamp!) { contracts(${SINCE}, includeDeleted: true) { nodes { id title worker { name } } } }`,
);
const readWork = graphql(`
  query workOfActivity($since: Timestamp!, $ids: [ID!]!) {
    timesheets(${SINCE}) { nodes { id ${PERIOD} ${CONTRACT} } }
    reviewQueue(ids: $ids, limit: 100) { nodes { id title ${PERIOD} ${CONTRACT} } }
  }`);
const readPayments = graphql(`
  query paymentsOfActivity($since: Timestamp!) {
    payments(${SINCE}) { nodes { id milestoneId ${CONTRACT} milestone { title } timesheet { ${PERIOD} } } }
  }`);

/** The subject of an entry: its worker, and its period or title. */
export interface Subject {
  worker: string | null;
  what: string | null;
}

interface About {
  contract?: { worker: { name: string | null } };
  title?: string | null;
  periodStart?: string | null;
  periodEnd?: string | null;
}

const named = (id: string, { contract, title, periodStart, periodEnd }: About) => {
  const what = periodStart && periodEnd ? periodText(periodStart, periodEnd) : (title ?? null);
  return [id, { worker: contract?.worker.name ?? null, what }] as const;
};

/** By id; without subjects that could not be read or are not among the first hundred changes since the oldest entry. */
export async function readSubjects(
  { run }: WorkspaceContext,
  entries: readonly Entry[],
): Promise<ReadonlyMap<string, Subject>> {
  const since = entries.at(-1)?.at ?? '';
  const idsOf = (kinds: RegExp) => entries.filter(({ action }) => kinds.test(action)).map(({ subjectId }) => subjectId);
  const ids = [...new Set(idsOf(/^(timesheet|milestone)\./))];
  const isAbout = (kinds: RegExp): boolean => idsOf(kinds).length > 0;
  const [drafted, work, paid] = await Promise.all([
    isAbout(/^contract\./) ? orUnread(run(readContracts, { since })) : null,
    ids.length > 0 ? orUnread(run(readWork, { since, ids })) : null,
    isAbout(/^(payment|deduction|milestone)\./) ? orUnread(run(readPayments, { since })) : null,
  ]);
  return new Map<string, Subject>([
    ...(drafted?.contracts.nodes ?? []).map((each) => named(each.id, { ...each, contract: each })),
    ...(paid?.payments.nodes ?? []).flatMap(({ id, milestoneId, milestone, timesheet, contract }) =>
      [id, milestoneId ?? id].map((of) => named(of, { ...(milestone ?? timesheet), contract })),
    ),
    ...[...(work?.timesheets.nodes ?? []), ...(work?.reviewQueue.nodes ?? [])].map((each) => named(each.id, each)),
  ]);
}
