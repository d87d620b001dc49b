import { RowLink, Table } from '@payroll/pages';
import type { VNode } from 'preact';
import { Amount, Day, Status } from '../../pieces.js';
import { PAYMENT_STATUSES } from '../../words.js';
import type { PaymentRow } from './operations.js';
import { FAILURES } from './words.js';

interface PaymentTableProps {
  caption: string;
  rows: readonly PaymentRow[];
  /** The path of the payments section. */
  path: string;
  cursor?: string | null;
  filters?: Readonly<Record<string, string>>;
  sorted?: 'Created';
  empty?: VNode;
}

export function PaymentTable({ path, ...table }: PaymentTableProps): VNode {
  return (
    <Table
      {...table}
      columns={{
        Worker: ({ id, contract: { worker, title } }) => (
          <>
            <RowLink href={`${path}/${id}`} label={worker.name ?? 'Nobody yet'} about={`, ${title}`} />
            <p class="hint">{title}</p>
          </>
        ),
        Status: ({ status, failureReason }) => (
          <>
            <Status of={status} words={PAYMENT_STATUSES} />{' '}
            {failureReason !== null && <span class="hint">{FAILURES[failureReason].short}</span>}
          </>
        ),
        'Pay date': ({ scheduledDate }) => <Day of={scheduledDate} none="At once" />,
        Created: ({ createdAt }) => <Day of={createdAt.slice(0, 10)} />,
        Amount: ({ netAmount }) => <Amount of={netAmount} />,
      }}
      numbers={['Amount']}
      plain={['Status', 'Amount']}
    />
  );
}
