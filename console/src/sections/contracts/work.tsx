import { Table } from '@payroll/pages';
import type { VNode } from 'preact';
import { Amount, Day, Status, UnreadPayments } from '../../pieces.js';
import {
  MILESTONE_STATUSES,
  PAYMENT_STATUSES,
  periodText,
  TIMESHEET_STATUSES,
  unitOf,
  unitsText,
} from '../../words.js';
import type { Contract, MilestoneRow, PaymentRow, TimesheetRow } from './operations.js';

interface ContractWorkProps {
  contract: Contract;
  /** Null while they cannot be read. */
  payments: { nodes: readonly PaymentRow[]; nextCursor: string | null } | null;
  home: string;
}

/** The newest work of a contract and its payments. */
export function Work({ contract, payments, home }: ContractWorkProps): VNode {
  const address = `${home}/contracts/${contract.id}`;
  const { compensation } = contract.details;
  return (
    <>
      {contract.creator && <Deliverables rows={contract.creator.deliverables} />}
      {contract.milestones.length > 0 && (
        <>
          <h2>Milestones</h2>
          <MilestoneTable rows={contract.milestones} home={home} />
        </>
      )}
      {contract.milestones.length >= NEWEST && <More to={`${address}/milestones`}>All milestones</More>}
      {contract.timesheets.length > 0 && (
        <>
          <h2>Newest timesheets</h2>
          <TimesheetTable rows={contract.timesheets} home={home} unit={unitOf(compensation?.type)} />
        </>
      )}
      {contract.timesheets.length >= NEWEST && <More to={`${address}/timesheets`}>All timesheets</More>}
      {payments === null && <UnreadPayments />}
      {payments && payments.nodes.length > 0 && <Payments rows={payments.nodes} home={home} />}
      {payments && payments.nextCursor !== null && (
        <More to={`${home}/payments?contractId=${contract.id}`}>All payments under this contract</More>
      )}
    </>
  );
}

/** How many pieces of work of each kind a contract's page shows. */
const NEWEST = 50;

function More({ to, children }: { to: string; children: string }): VNode {
  return (
    <p>
      <a href={to}>{children}</a>
    </p>
  );
}

type Deliverable = NonNullable<Contract['creator']>['deliverables'][number];

function Deliverables({ rows }: { rows: readonly Deliverable[] }): VNode {
  return (
    <>
      <h2>Deliverables</h2>
      <Table
        caption="What the creator delivers"
        rows={rows}
        columns={{
          What: ({ platform, format }) => `${format} for ${platform}`,
          Brief: ({ brief }) => brief,
          Due: ({ dueDate }) => <Day of={dueDate} />,
          Amount: ({ amount }) => <Amount of={amount} />,
        }}
        numbers={['Amount']}
        plain={['Amount']}
      />
    </>
  );
}

export interface WorkProps<Row> {
  /** Where the next page begins. */
  cursor?: string | null;
  rows: readonly Row[];
  home: string;
  /** The unit of the work, if known. */
  unit?: string;
}

export function MilestoneTable({ rows, home, cursor = null }: WorkProps<MilestoneRow>): VNode {
  return (
    <Table
      caption="Milestones"
      rows={rows}
      cursor={cursor}
      columns={{
        Title: ({ id, title }) => <a href={`${home}/review/milestone/${id}`}>{title}</a>,
        Due: ({ dueDate }) => <Day of={dueDate} />,
        Status: ({ status, payment }) => <Status of={status} payment={payment} words={MILESTONE_STATUSES} />,
        Amount: ({ amount }) => <Amount of={amount} />,
      }}
      numbers={['Amount']}
      plain={['Status', 'Amount']}
    />
  );
}

export function TimesheetTable({ rows, home, cursor = null, unit = 'unit' }: WorkProps<TimesheetRow>): VNode {
  return (
    <Table
      caption="Timesheets, newest first"
      rows={rows}
      cursor={cursor}
      columns={{
        Period: ({ id, periodStart, periodEnd }) => (
          <a href={`${home}/review/timesheet/${id}`}>{periodText(periodStart, periodEnd)}</a>
        ),
        Work: ({ unitsWorked }) => unitsText(unitsWorked, unit),
        Status: ({ status, payment }) => <Status of={status} payment={payment} words={TIMESHEET_STATUSES} />,
        Total: ({ total }) => <Amount of={total} />,
      }}
      numbers={['Total']}
      plain={['Work', 'Status', 'Total']}
    />
  );
}

export function Payments({ rows, home }: WorkProps<PaymentRow>): VNode {
  return (
    <>
      <h2>Newest payments</h2>
      <Table
        caption="Payments, newest first"
        rows={rows}
        columns={{
          Amount: ({ id, netAmount }) => (
            <a href={`${home}/payments/${id}`}>
              <Amount of={netAmount} />
            </a>
          ),
          'Pay date': ({ scheduledDate }) => <Day of={scheduledDate} none="At once" />,
          Status: ({ status }) => <Status of={status} words={PAYMENT_STATUSES} />,
        }}
        plain={['Status']}
      />
    </>
  );
}
