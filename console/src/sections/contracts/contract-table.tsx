import { Table } from '@payroll/pages';
import type { VNode } from 'preact';
import { Day, Status } from '../../pieces.js';
import { CONTRACT_STATUSES, CONTRACT_TYPES } from '../../words.js';
import type { Contracts } from './operations.js';

interface ContractTableProps extends Pick<Contracts, 'contracts'> {
  caption: string;
  /** The path of the contracts section. */
  path: string;
  filters?: Readonly<Record<string, string>>;
  sorted?: 'Created';
  empty: VNode;
}

export function ContractTable({ contracts: { nodes, nextCursor }, path, ...table }: ContractTableProps): VNode {
  return (
    <Table
      {...table}
      rows={nodes}
      cursor={nextCursor}
      plain={['Worker', 'Status']}
      columns={{
        Title: ({ id, title, contractType }) => (
          <>
            <a href={`${path}/${id}`}>{title}</a>
            <p class="hint">{CONTRACT_TYPES[contractType]}</p>
          </>
        ),
        Worker: ({ worker }) => worker.name ?? 'Nobody yet',
        Status: ({ status }) => <Status of={status} words={CONTRACT_STATUSES} />,
        Starts: ({ startDate }) => <Day of={startDate} />,
        Created: ({ createdAt }) => <Day of={createdAt.slice(0, 10)} />,
      }}
    />
  );
}
