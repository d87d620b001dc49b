import { isVisible, notFound } from '@payroll/kernel';
import { EmptyState, Field, Filters, LinkButton, Marks, type PageView, Select, Table } from '@payroll/pages';
import type { VNode } from 'preact';
import type { ConsoleContext } from '../../console-context.js';
import type { RouteTable } from '../../routes.js';
import { idIn, pageIn, searchIn, requireMember } from '../../workspace-context.js';
import { chosen, CONTRACT_STATUSES, CONTRACT_TYPES, unitOf } from '../../words.js';
import type { GraphqlOperation, ResultOf, VariablesOf } from '../../operations.js';
import { contractPage } from './contract.js';
import { listContracts, readMilestones, readTimesheets, type Contracts } from './operations.js';
import { MilestoneTable, TimesheetTable, type WorkProps } from './work.js';
import { saveDraft, showDraft } from './draft/edit.js';
import { newDraftPages } from './draft/new-draft.js';
import { chooseWorker, showWorkers } from './draft/worker.js';
import { actionPages } from './actions/action-page.js';
import { agreementPage } from './actions/agreement.js';
import { submitTimesheetPages } from './submit-timesheet.js';
import { Day, Status, WorkerLink } from '../../pieces.js';

const CONTRACT = '/workspaces/:workspaceId/contracts/:id';

export const contractPages: RouteTable = {
  'GET /workspaces/:workspaceId/contracts': contractList,
  ...newDraftPages,
  [`GET ${CONTRACT}`]: contractPage,
  // A contract's page shows its newest work; these list all of it.
  [`GET ${CONTRACT}/milestones`]: pageOfAll('Milestones', readMilestones, MilestoneTable),
  [`GET ${CONTRACT}/timesheets`]: pageOfAll('Timesheets', readTimesheets, TimesheetTable),
  ...submitTimesheetPages,
  [`GET ${CONTRACT}/edit`]: showDraft,
  [`POST ${CONTRACT}/edit`]: saveDraft,
  [`GET ${CONTRACT}/worker`]: showWorkers,
  [`POST ${CONTRACT}/worker`]: chooseWorker,
  [`GET ${CONTRACT}/agreement`]: agreementPage,
  ...actionPages,
};

async function contractList(ctx: ConsoleContext): Promise<PageView> {
  const { run, path, home, role } = await requireMember(ctx);
  const status = chosen(ctx.query('status'), CONTRACT_STATUSES);
  const type = chosen(ctx.query('type'), CONTRACT_TYPES);
  const search = searchIn(ctx);
  const { order, kept, ...page } = pageIn(ctx);
  const { contracts } = await run(listContracts, {
    status: status || null,
    contractType: type || null,
    search: search || null,
    ...page,
  });
  const given = { search, status, type, order };
  const isNarrowed = `${search}${status}${type}` !== '';
  const mayDraft = role !== 'viewer';
  const body = (
    <>
      {mayDraft && <LinkButton href={`${path}/new`}>New contract</LinkButton>}
      <Filters kept={kept}>
        <Field name="search" label="Search" value={search} />
        <Select name="status" label="Status" options={{ '': 'All', ...CONTRACT_STATUSES }} value={status} />
        <Select name="type" label="Type" options={{ '': 'All', ...CONTRACT_TYPES }} value={type} />
      </Filters>
      <Marks given={given} words={MARKS} rows={contracts.nodes} isMore={contracts.nextCursor !== null} />
      <ContractTable
        caption="Contracts"
        sorted="Created"
        contracts={contracts}
        home={home}
        filters={given}
        empty={<NoContracts isNarrowed={isNarrowed} mayDraft={mayDraft} path={path} />}
      />
    </>
  );
  return { title: 'Contracts', body };
}

const MARKS = {
  search: (value: string) => `“${value}”`,
  status: (value: string) => CONTRACT_STATUSES[value as keyof typeof CONTRACT_STATUSES],
  type: (value: string) => CONTRACT_TYPES[value as keyof typeof CONTRACT_TYPES],
};

function NoContracts({ isNarrowed, mayDraft, path }: { isNarrowed: boolean; mayDraft: boolean; path: string }) {
  if (isNarrowed) {
    return (
      <EmptyState title="No contract fits">
        Try fewer words, or another status or type. <a href="?">Show all contracts</a>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No contracts yet">
      {mayDraft && <a href={`${path}/new`}>Draft the first one.</a>} Drafts that your programs create with the API
      appear here, too.
    </EmptyState>
  );
}

interface ContractTableProps extends Pick<Contracts, 'contracts'> {
  caption: string;
  home: string;
  filters?: Readonly<Record<string, string>>;
  sorted?: 'Created';
  /** Named once by the page. */
  isOfOneWorker?: boolean;
  empty: VNode;
}

type Row = Contracts['contracts']['nodes'][number];

export function ContractTable({
  contracts: { nodes, nextCursor },
  home,
  isOfOneWorker = false,
  ...table
}: ContractTableProps): VNode {
  return (
    <Table<Row>
      {...table}
      rows={nodes}
      cursor={nextCursor}
      plain={['Worker', 'Status']}
      columns={{
        Title: ({ id, title, contractType }) => (
          <>
            <a href={`${home}/contracts/${id}`}>{isVisible(title) ? title : 'Untitled'}</a>
            <p class="hint">{CONTRACT_TYPES[contractType]}</p>
          </>
        ),
        ...(!isOfOneWorker && { Worker: ({ worker }: Row) => <WorkerLink of={worker} home={home} /> }),
        Status: ({ status }) => <Status of={status} words={CONTRACT_STATUSES} />,
        Starts: ({ startDate }) => <Day of={startDate} />,
        Created: ({ createdAt }) => <Day of={createdAt.slice(0, 10)} />,
      }}
    />
  );
}

type WorkOf<Row> = GraphqlOperation<
  Omit<ResultOf<typeof readTimesheets>, 'work'> & { work: { nodes: Row[]; nextCursor: string | null } },
  VariablesOf<typeof readTimesheets>
>;

function pageOfAll<Row>(title: string, operation: WorkOf<Row>, WorkTable: (props: WorkProps<Row>) => VNode) {
  return async (ctx: ConsoleContext): Promise<PageView> => {
    const { run, path, home } = await requireMember(ctx);
    const { contract, work } = await run(operation, { id: idIn(ctx), cursor: ctx.query('cursor') ?? null });
    if (contract === null) throw notFound('The contract');
    const body = (
      <>
        <WorkTable
          rows={work.nodes}
          cursor={work.nextCursor}
          home={home}
          unit={unitOf(contract.details.compensation?.type)}
        />
        <p class="actions">
          <a href={`${path}/${contract.id}`}>Back to the contract</a>
        </p>
      </>
    );
    return { title, lead: contract.title, body };
  };
}
