import { graphql, type GraphqlOperation } from '../../operations.js';
import { orUnread, type WorkspaceContext } from '../../workspace-context.js';
import { periodText } from '../../words.js';
import type { Entry } from './trails.js';

const CONTRACT = 'contract { worker { name } }';
const PERIOD = 'periodStart periodEnd';
const THESE = 'ids: $ids, limit: 100';

/** One query per service, so that each can be missing. */
const readContracts = graphql(
  `query contractsOfActivity($ids: [ID!]!) { contracts(${THESE}, includeDeleted: true) { nodes { id title worker { name } } } }`,
);
const readWork = graphql(`
  query workOfActivity($ids: [ID!]!) {
    timesheets(${THESE}) { nodes { id ${PERIOD} ${CONTRACT} } }
    milestones(${THESE}) { nodes { id title ${CONTRACT} } }
  }`);
const readPayments = graphql(
  `query paymentsOfActivity($ids: [ID!]!) { payments(${THESE}) { nodes { id ${CONTRACT} milestone { title } timesheet { ${PERIOD} } } } }`,
);

/** The subject of an entry: its worker, and its period or title. */
export interface Subject {
  worker: string | null;
  what: string | null;
}

interface About {
  contract?: { worker: { name: string | null } };
  title?: string | null;
  periodStart?: string;
  periodEnd?: string;
}

const named = (id: string, { contract, title, periodStart, periodEnd }: About) => {
  const what = periodStart && periodEnd ? periodText(periodStart, periodEnd) : (title ?? null);
  return [id, { worker: contract?.worker.name ?? null, what }] as const;
};

/** By id; without subjects that could not be read. `entries`: at most 100. */
export async function readSubjects(
  { run }: WorkspaceContext,
  entries: readonly Entry[],
): Promise<ReadonlyMap<string, Subject>> {
  const read = async <Found>(query: GraphqlOperation<Found, { ids: string[] }>, kinds: RegExp) => {
    const ids = [...new Set(entries.filter(({ action }) => kinds.test(action)).map(({ subjectId }) => subjectId))];
    return ids.length === 0 ? null : await orUnread(run(query, { ids }));
  };
  const [drafted, work, paid] = await Promise.all([
    read(readContracts, /^contract\./),
    read(readWork, /^(timesheet|milestone)\./),
    read(readPayments, /^(payment|deduction)\./),
  ]);
  return new Map<string, Subject>([
    ...(drafted?.contracts.nodes ?? []).map((each) => named(each.id, { ...each, contract: each })),
    ...[...(work?.timesheets.nodes ?? []), ...(work?.milestones.nodes ?? [])].map((each) => named(each.id, each)),
    ...(paid?.payments.nodes ?? []).map((each) => named(each.id, { ...each, ...each.milestone, ...each.timesheet })),
  ]);
}
