import { columnsExcept, defineView } from '@payroll/store';
import { versionOf } from '../domain/work.js';
import { MilestoneTable } from './tables.js';

const columns = columnsExcept(MilestoneTable, 'workspaceId', 'note', 'draftRevision', 'paymentSequence');

export type Milestone = ReturnType<typeof toMilestone>;

export function toMilestone(row: (typeof columns)['row']) {
  const { id, revision, currency, amount } = row;
  return { ...row, amount: { amount, currency }, version: versionOf(id, revision) };
}

export const milestones = defineView({
  list: 'milestones',
  table: MilestoneTable,
  columns,
  toNode: toMilestone,
});
