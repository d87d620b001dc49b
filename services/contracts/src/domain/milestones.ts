import { Money, type CalendarDate } from '@payroll/kernel';
import { inOrder } from './in-order.js';
import type { AgreedMilestone, DraftMilestone, MilestoneCorrection } from './contract-draft.js';

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

/** How often each was agreed anew, of those that were. */
export function agreementsOf(milestones: readonly AgreedMilestone[]): Record<string, number> {
  return Object.fromEntries(milestones.flatMap(({ id, agreement }) => (agreement ? [[id, agreement]] : [])));
}

/**
 * Lists go by their newest ids first, and what was agreed at once is as new as each other: the first in order gets the
 * greatest id. `from` is how many milestones there are before these.
 */
export function withIds(milestones: readonly DraftMilestone[], newId: () => string, from = 0): AgreedMilestone[] {
  const ids = milestones
    .map(() => newId())
    .toSorted()
    .toReversed();
  const places = milestones.map(({ sortOrder }, index) => ({ index, sortOrder: sortOrder ?? from + index }));
  const idAt = new Map(inOrder(places).map(({ index }, rank) => [index, ids[rank]!]));
  return milestones.map((milestone, index) => ({ ...milestone, id: idAt.get(index)! }));
}

/** Those that are corrected, or all of them, are agreed anew. */
export function correctMilestones(
  milestones: readonly AgreedMilestone[],
  corrections: readonly MilestoneCorrection[],
  all: boolean,
): AgreedMilestone[] {
  return milestones.map((milestone) => {
    const correction = corrections.find(({ id }) => id === milestone.id);
    if (!correction && !all) return milestone;
    return { ...corrected(milestone, correction), agreement: (milestone.agreement ?? 0) + 1 };
  });
}

function corrected(milestone: AgreedMilestone, correction: MilestoneCorrection | undefined): AgreedMilestone {
  const given = Object.entries(correction ?? {}).filter(
    ([name, value]) => value !== undefined && !(value === null && STAYS.has(name)),
  );
  return { ...milestone, ...(Object.fromEntries(given) as Partial<AgreedMilestone>) };
}

/** What every milestone has. */
const STAYS: ReadonlySet<string> = new Set(['title', 'amount'] satisfies (keyof DraftMilestone)[]);
