import { columnsBut, defineView, type TableRow } from '@payroll/store';
import { versionOf } from '../domain/work.js';
import { MilestoneTable } from './tables.js';

type Row = Omit<TableRow<typeof MilestoneTable>, 'workspaceId' | 'agreement' | 'paymentSequence'>;

export type Milestone = ReturnType<typeof toMilestone>;

export function toMilestone(row: Row) {
  const { id, revision, currency, amount } = row;
  return { ...row, amount: { amount, currency }, version: versionOf(id, revision) };
}

export const milestones = defineView({
  list: 'milestones',
  table: MilestoneTable,
  columns: columnsBut(MilestoneTable, 'workspaceId', 'agreement', 'paymentSequence'),
  toNode: toMilestone,
});
