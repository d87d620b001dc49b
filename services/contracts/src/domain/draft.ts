import { canonicalJson, DRAFT_DEFAULTS, Money, type ContractDraft } from '@payroll/kernel';

type DraftMilestone = NonNullable<ContractDraft['milestones']>[number];

/** A milestone with its id, under which review has it. */
export type AgreedMilestone = DraftMilestone & {
  id: string;
  /** How often it was agreed anew: review takes over the newer version. */
  agreement?: number;
};

/** A draft as it is kept: its milestones have ids, the defaults of its schema are filled in. */
export interface KeptDraft extends ContractDraft {
  milestones: AgreedMilestone[];
}

/** Corrects an agreed milestone. What is not given stays; null clears optional fields. */
type MilestoneCorrection = Pick<AgreedMilestone, 'id'> & {
  [Name in keyof DraftMilestone]?: DraftMilestone[Name] | null | undefined;
};

/** What is not given stays, null clears, objects and lists are replaced whole. Milestones keep their ids for review. */
export interface DraftChanges extends Omit<ContractDraft, 'title' | 'milestones' | 'externalReference'> {
  title?: string | null | undefined;
  correctedMilestones?: MilestoneCorrection[] | null | undefined;
  furtherMilestones?: DraftMilestone[] | null | undefined;
}

export function keepDraft(draft: ContractDraft, newId: () => string): KeptDraft {
  return withDefaults({ ...draft, milestones: withIds(draft.milestones ?? [], newId) });
}

/** A new currency holds for the milestones, too: each of them is agreed anew. */
export function changeDraft(
  draft: KeptDraft,
  { correctedMilestones, furtherMilestones, ...changes }: DraftChanges,
  newId: () => string,
): KeptDraft {
  const after = { ...draft, ...given<KeptDraft>(changes) };
  const isAnotherCurrency = currencyOf(after) !== currencyOf(draft);
  const milestones = [
    ...correctMilestones(draft.milestones, correctedMilestones ?? [], isAnotherCurrency),
    ...withIds(furtherMilestones ?? [], newId, draft.milestones.length),
  ];
  return withDefaults({ ...after, milestones });
}

export function currencyOf({ compensation }: ContractDraft): string {
  return compensation?.currency ?? DRAFT_DEFAULTS.currency;
}

/** How work is approved and paid, with defaults for what was not given. */
export function invoicingOf({ invoicingSettings }: ContractDraft) {
  return {
    paymentDueDays: invoicingSettings?.paymentDueDays ?? DRAFT_DEFAULTS.paymentDueDays,
    timesheetApprovalRequired: invoicingSettings?.timesheetApprovalRequired ?? DRAFT_DEFAULTS.timesheetApprovalRequired,
    autoPayEnabled: invoicingSettings?.autoPayEnabled ?? DRAFT_DEFAULTS.autoPayEnabled,
  };
}

/** The defaults hold inside objects that were sent (public-api.md §4). */
function withDefaults(draft: KeptDraft): KeptDraft {
  const { compensation, invoicingSettings } = draft;
  return {
    ...draft,
    compensation: compensation && { ...compensation, currency: currencyOf(draft) },
    invoicingSettings: invoicingSettings && { ...invoicingSettings, ...invoicingOf(draft) },
  };
}

/** By `sortOrder`, which is the place it was sent at where none was given; then as sent. */
export function inOrder<Item extends { sortOrder?: number | null | undefined }>(items: readonly Item[]): Item[] {
  return items
    .map((item, index) => ({ item, place: item.sortOrder ?? index }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

/** The milestones of a draft as review takes them over: in their currency, in the order sent where none was given. */
export function handOver(milestones: readonly AgreedMilestone[], currency: string) {
  return milestones.map(({ id, title, description, amount, dueDate, sortOrder }, index) => ({
    milestoneId: id,
    title,
    description: description ?? null,
    amount: Money.of(amount, currency).toJSON(),
    dueDate: dueDate ?? null,
    sortOrder: sortOrder ?? index,
  }));
}

export function agreementsOf(milestones: readonly AgreedMilestone[]): Record<string, number> {
  return Object.fromEntries(milestones.flatMap(({ id, agreement }) => (agreement ? [[id, agreement]] : [])));
}

/** Lists show the newest id first, so the first in order gets the greatest id. `from`: the milestones before these. */
function withIds(milestones: readonly DraftMilestone[], newId: () => string, from = 0): AgreedMilestone[] {
  const ids = milestones
    .map(() => newId())
    .toSorted()
    .toReversed();
  const places = milestones.map(({ sortOrder }, index) => ({ index, sortOrder: sortOrder ?? from + index }));
  const idAt = new Map(inOrder(places).map(({ index }, rank) => [index, ids[rank]!]));
  return milestones.map((milestone, index) => ({ ...milestone, id: idAt.get(index)! }));
}

/** Those that are corrected, or all of them, are agreed anew. */
function correctMilestones(
  milestones: readonly AgreedMilestone[],
  corrections: readonly MilestoneCorrection[],
  all: boolean,
): AgreedMilestone[] {
  return milestones.map((milestone) => {
    const correction = corrections.find(({ id }) => id === milestone.id);
    if (!correction && !all) return milestone;
    const { title, amount } = milestone;
    const after = { ...milestone, ...given<AgreedMilestone>(correction ?? {}) };
    // What every milestone has is not cleared.
    return {
      ...after,
      title: after.title ?? title,
      amount: after.amount ?? amount,
      agreement: (milestone.agreement ?? 0) + 1,
    };
  });
}

function given<Whole>(change: object): Partial<Whole> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Partial<Whole>;
}

/** Each part that is not what it was: from what to what. What is absent is null. */
export function differences<Whole extends object>(
  before: Whole,
  after: Whole,
): Record<string, { from: unknown; to: unknown }> {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof Whole & string)[];
  const pairs = names.map((name) => [name, { from: before[name] ?? null, to: after[name] ?? null }] as const);
  return Object.fromEntries(pairs.filter(([, { from, to }]) => canonicalJson(from) !== canonicalJson(to)));
}
