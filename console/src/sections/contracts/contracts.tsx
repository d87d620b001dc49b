import { Empty, Field, Filters, LinkButton, type Page, Select } from '@payroll/pages';
import type { ConsoleExchange } from '../../exchange.js';
import type { RouteTable } from '../../routes.js';
import { visit } from '../../visit.js';
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
  const search = at.query('search')?.trim().slice(0, 200) ?? '';
  const { contracts } = await ask(listContracts, {
    ...{ status: status || null, contractType: type || null, search: search || null },
    cursor: at.query('cursor') || null,
  });
  const body = (
    <>
      {role !== 'viewer' && (
        <p>
          <LinkButton href={`${path}/new`}>New contract</LinkButton>
        </p>
      )}
      <Filters>
        <Field name="search" label="Search" value={search} />
        <Select name="status" label="Status" options={{ '': 'All', ...CONTRACT_STATUSES }} value={status} />
        <Select name="type" label="Type" options={{ '': 'All', ...CONTRACT_TYPES }} value={type} />
      </Filters>
      <ContractTable
        caption="Contracts, newest first"
        {...{ contracts, path }}
        filters={{ search, status, type }}
        empty={<NoContracts isNarrowed={`${search}${status}${type}` !== ''} />}
      />
    </>
  );
  return { title: 'Contracts', body };
}

function NoContracts({ isNarrowed }: { isNarrowed: boolean }) {
  return isNarrowed ? (
    <Empty title="No contract fits">Try fewer words, or another status or type.</Empty>
  ) : (
    <Empty title="No contracts yet">Drafts that your programs make by the API appear here.</Empty>
  );
}
