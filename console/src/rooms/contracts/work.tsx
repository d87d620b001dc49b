import { Table } from '@payroll/pages';
import type { VNode } from 'preact';
import { Amount, Day, Status } from '../../pieces.js';
import { MILESTONE_STATUSES, PAYMENT_STATUSES, TIMESHEET_STATUSES } from '../../words.js';
import type { ContractView, MilestoneRow, PaymentRow, TimesheetRow } from './operations.js';

type Deliverable = NonNullable<NonNullable<ContractView['contract']>['creator']>['deliverables'][number];

export function Deliverables({ rows }: { rows: readonly Deliverable[] }): VNode {
  return (
    <>
      <h2>Deliverables</h2>
      <Table
        caption="What the creator delivers"
        rows={rows}
        columns={{
          What: ({ platform, format }) => `${format} for ${platform}`,
          Brief: ({ brief }) => brief,
          Amount: ({ amount }) => <Amount of={amount} />,
          Due: ({ dueDate }) => <Day of={dueDate} />,
        }}
      />
    </>
  );
}

export function Milestones({ rows }: { rows: readonly MilestoneRow[] }): VNode {
  return (
    <>
      <h2>Milestones</h2>
      <Table
        caption="Milestones"
        rows={rows}
        columns={{
          Title: ({ title }) => title,
          Amount: ({ amount }) => <Amount of={amount} />,
          Due: ({ dueDate }) => <Day of={dueDate} />,
          Status: ({ status }) => <Status of={status} words={MILESTONE_STATUSES} />,
        }}
      />
    </>
  );
}

export function Timesheets({ rows }: { rows: readonly TimesheetRow[] }): VNode {
  return (
    <>
      <h2>Newest timesheets</h2>
      <Table
        caption="Timesheets, newest first"
        rows={rows}
        columns={{
          Period: ({ periodStart, periodEnd }) => `${periodStart} to ${periodEnd}`,
          Units: ({ unitsWorked }) => unitsWorked,
          Total: ({ total }) => <Amount of={total} />,
          Status: ({ status }) => <Status of={status} words={TIMESHEET_STATUSES} />,
        }}
      />
    </>
  );
}

export function Payments({ rows }: { rows: readonly PaymentRow[] }): VNode {
  return (
    <>
      <h2>Newest payments</h2>
      <Table
        caption="Payments, newest first"
        rows={rows}
        columns={{
          Amount: ({ netAmount }) => <Amount of={netAmount} />,
          Due: ({ scheduledDate }) => <Day of={scheduledDate} none="At once" />,
          Status: ({ status }) => <Status of={status} words={PAYMENT_STATUSES} />,
        }}
      />
    </>
  );
}
