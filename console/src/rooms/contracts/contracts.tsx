import { Empty, Filters, type Page, Select, Table, Tag } from '@payroll/pages';
import type { ConsoleExchange } from '../../exchange.js';
import type { RouteTable } from '../../routes.js';
import { visit } from '../../visit.js';
import { listContracts } from './operations.js';
import { CONTRACT_STATUSES, CONTRACT_TYPES, contractLook } from './words.js';

export const contractPages: RouteTable = {
  'GET /workspaces/:workspaceId/contracts': contractList,
};

async function contractList(at: ConsoleExchange): Promise<Page> {
  const { ask } = await visit(at, 'contracts');
  const status = chosen(at.query('status'), CONTRACT_STATUSES);
  const { contracts } = await ask(listContracts, { status: status || null, cursor: at.query('cursor') ?? null });
  const body = (
    <>
      <Filters>
        <Select name="status" label="Status" options={{ '': 'All', ...CONTRACT_STATUSES }} value={status} />
      </Filters>
      <Table
        caption="Contracts, newest first"
        rows={contracts.nodes}
        cursor={contracts.nextCursor}
        filters={{ status }}
        empty={<Empty title="No contracts here">Nothing fits what you have chosen.</Empty>}
        columns={{
          Title: ({ title }) => title,
          Worker: ({ worker }) => worker.name ?? 'Nobody yet',
          Type: ({ contractType }) => CONTRACT_TYPES[contractType],
          Status: (contract) => <Tag look={contractLook(contract.status)}>{CONTRACT_STATUSES[contract.status]}</Tag>,
          Starts: ({ startDate }) => startDate ?? 'Open',
        }}
      />
    </>
  );
  return { title: 'Contracts', body };
}

/** What was chosen from a list; the empty text for what is not in it. */
function chosen(value: string | undefined, options: Readonly<Record<string, string>>): string {
  return value !== undefined && Object.hasOwn(options, value) ? value : '';
}
