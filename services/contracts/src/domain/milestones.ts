import { Money, type CalendarDate } from '@payroll/kernel';
import type { AgreedMilestone } from './contract-draft.js';

/** A milestone as review takes it over. */
export interface HandedOver {
  milestoneId: string;
  title: string;
  description: string | null;
  amount: { amount: string; currency: string };
  dueDate: CalendarDate | null;
  sortOrder: number;
}

/** The milestones of a draft in their currency, in the order they were sent in where none was given. */
export function handOver(milestones: readonly AgreedMilestone[], currency: string): HandedOver[] {
  return milestones.map(({ id, title, description, amount, dueDate, sortOrder }, index) => ({
    milestoneId: id,
    title,
    description: description ?? null,
    amount: Money.of(amount, currency).toJSON(),
    dueDate: dueDate ?? null,
    sortOrder: sortOrder ?? index,
  }));
}
