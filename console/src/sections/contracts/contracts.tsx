import { Empty, Field, Filters, LinkButton, Marks, type Page, Select } from '@payroll/pages';
import type { ConsoleExchange } from '../../exchange.js';
import type { RouteTable } from '../../routes.js';
import { pageIn, searchIn, visit } from '../../visit.js';
import { chosen, CONTRACT_STATUSES, CONTRACT_TYPES } from '../../words.js';
import { allMilestones, allTimesheets } from './all-work.js';
import { contractPage } from './contract.js';
import { ContractTable } from './contract-table.js';
import { listContracts } from './operations.js';

export const contractPages: RouteTable = {
  'GET /workspaces/:workspaceId/contracts': contractList,
  'GET /workspaces/:workspaceId/contracts/:id': contractPage,
  'GET /workspaces/:workspaceId/contracts/:id/milestones': allMilestones,
  'GET /workspaces/:workspaceId/contracts/:id/timesheets': allTimesheets,
};

async function contractList(at: ConsoleExchange): Promise<Page> {
  const { ask, path, role } = await visit(at);
  const status = chosen(at.query('status'), CONTRACT_STATUSES);
  const type = chosen(at.query('type'), CONTRACT_TYPES);
  const search = searchIn(at);
  const { order, kept, ...page } = pageIn(at);
  const { contracts } = await ask(listContracts, {
    ...{ status: status || null, contractType: type || null, search: search || null },
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
        {...{ contracts, path }}
        filters={given}
        empty={<NoContracts {...{ isNarrowed, mayDraft, path }} />}
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
      <Empty title="No contract fits">
        Try fewer words, or another status or type. <a href="?">Show all contracts</a>
      </Empty>
    );
  }
  return (
    <Empty title="No contracts yet">
      {mayDraft && <a href={`${path}/new`}>Draft the first one.</a>} Drafts that your programs create with the API
      appear here, too.
    </Empty>
  );
}
