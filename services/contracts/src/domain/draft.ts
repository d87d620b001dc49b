import {
  canonicalJson,
  DRAFT_DEFAULTS,
  Money,
  type ContractDraft,
  type DraftFields,
  type ErrorDetail,
} from '@payroll/kernel';

type DraftMilestone = NonNullable<ContractDraft['milestones']>[number];
type DraftDeliverable = NonNullable<ContractDraft['creatorDeliverables']>[number];

/** A milestone of a draft with its id, which review uses too. */
export type AgreedMilestone = DraftMilestone & {
  id: string;
  /** How often it was changed after the first agreement; review keeps the highest. */
  agreement?: number;
};

type AgreedDeliverable = DraftDeliverable & { id: string };

/** A draft as stored: items of its lists have ids, and defaults are filled in. */
export interface StoredDraft extends ContractDraft {
  milestones: AgreedMilestone[];
  creatorDeliverables?: AgreedDeliverable[] | null | undefined;
}

/** Omitted fields keep their value; null clears. */
type ChangesOf<Whole> = { [Name in keyof Whole]?: Whole[Name] | null | undefined };

/** Nested objects that are merged field by field: a change of the rate keeps the salary. */
const PARTS = ['compensation', 'invoicingSettings', 'benefits', 'creatorTerms'] as const;
type Part = (typeof PARTS)[number];

/**
 * Omitted fields keep their value and null clears, including inside objects. Milestones are never removed;
 * deliverables can be.
 */
export interface DraftChanges
  extends
    Omit<ContractDraft, 'title' | 'externalReference' | 'milestones' | 'creatorDeliverables' | Part>,
    ChangesOf<{ [Name in Part]: ChangesOf<NonNullable<ContractDraft[Name]>> }> {
  title?: string | null | undefined;
  correctedMilestones?: (ChangesOf<DraftMilestone> & { id: string })[] | null | undefined;
  furtherMilestones?: DraftMilestone[] | null | undefined;
  correctedDeliverables?: (ChangesOf<DraftDeliverable> & { id: string })[] | null | undefined;
  furtherDeliverables?: DraftDeliverable[] | null | undefined;
  removedDeliverables?: string[] | null | undefined;
}

export function toStoredDraft(draft: ContractDraft, newId: () => string): StoredDraft {
  const { creatorDeliverables, ...rest } = draft;
  return withDefaults({
    ...rest,
    milestones: withIds(draft.milestones ?? [], newId),
    ...(creatorDeliverables && { creatorDeliverables: withIds(creatorDeliverables, newId) }),
  });
}

type PresentTerms = ReturnType<typeof invoicingOf> & { rate: string | null; autoApproveAfterDays: number | null };

/**
 * The content of a contract as that of a new one: with the terms that hold now, without the reference and the day of its own
 * termination.
 */
export function copyOf(draft: StoredDraft, { rate, ...terms }: PresentTerms): ContractDraft {
  const { compensation, invoicingSettings, milestones } = draft;
  const paid = compensation?.rate == null ? 'retainerAmount' : 'rate';
  return {
    ...draft,
    externalReference: undefined,
    terminationDate: undefined,
    compensation: compensation && (rate === null ? compensation : { ...compensation, [paid]: rate }),
    invoicingSettings: { ...invoicingSettings, ...terms },
    milestones: milestones.map((milestone) => ({ ...milestone, agreement: undefined })),
  };
}

/** A new currency applies to the milestones too and makes a new version of each. */
export function changeDraft(draft: StoredDraft, changes: DraftChanges, newId: () => string): StoredDraft {
  const { correctedMilestones, furtherMilestones, correctedDeliverables, furtherDeliverables, ...others } = changes;
  const { removedDeliverables, ...fields } = others;
  const parts = PARTS.filter((name) => fields[name] != null).map((name) => [
    name,
    { ...draft[name], ...given(fields[name]!) },
  ]);
  const after = { ...draft, ...given<StoredDraft>(fields), ...(Object.fromEntries(parts) as Pick<StoredDraft, Part>) };
  const isAnotherCurrency = currencyOf(after) !== currencyOf(draft);
  const milestones = [
    ...correctMilestones(draft.milestones, correctedMilestones ?? [], isAnotherCurrency),
    ...withIds(furtherMilestones ?? [], newId, draft.milestones.length),
  ];
  const before = draft.creatorDeliverables ?? [];
  const creatorDeliverables = [
    ...before
      .filter(({ id }) => !removedDeliverables?.includes(id))
      .map((each) => corrected(each, correctedDeliverables ?? [])),
    ...withIds(furtherDeliverables ?? [], newId, before.length),
  ];
  const areThere = draft.creatorDeliverables != null || creatorDeliverables.length > 0;
  return withDefaults({ ...after, milestones, ...(areThere && { creatorDeliverables }) });
}

export function currencyOf({ compensation }: ContractDraft): string {
  return compensation?.currency ?? DRAFT_DEFAULTS.currency;
}

/** How work is approved and paid, with defaults for omitted fields. */
export function invoicingOf({ invoicingSettings }: ContractDraft) {
  return {
    paymentDueDays: invoicingSettings?.paymentDueDays ?? DRAFT_DEFAULTS.paymentDueDays,
    timesheetApprovalRequired: invoicingSettings?.timesheetApprovalRequired ?? DRAFT_DEFAULTS.timesheetApprovalRequired,
    autoPayEnabled: invoicingSettings?.autoPayEnabled ?? DRAFT_DEFAULTS.autoPayEnabled,
  };
}

/** Defaults apply only inside objects that were sent (public-api.md §4). */
function withDefaults(draft: StoredDraft): StoredDraft {
  const { compensation, invoicingSettings } = draft;
  return {
    ...draft,
    compensation: compensation && { ...compensation, currency: currencyOf(draft) },
    invoicingSettings: invoicingSettings && { ...invoicingSettings, ...invoicingOf(draft) },
  };
}

/** Sorts by `sortOrder`, which defaults to the item's position; ties keep the order sent. */
export function inOrder<Item extends { sortOrder?: number | null | undefined }>(items: readonly Item[]): Item[] {
  return items
    .map((item, index) => ({ item, place: item.sortOrder ?? index }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

/** The draft's milestones in the shape of the event for review. */
export function toEventMilestones(milestones: readonly AgreedMilestone[], currency: string) {
  return milestones.map(({ id, title, description, amount, dueDate, sortOrder }, index) => ({
    milestoneId: id,
    title,
    description: description ?? null,
    amount: Money.of(amount, currency).toJSON(),
    dueDate: dueDate ?? null,
    sortOrder: sortOrder ?? index,
  }));
}

export function milestoneRevisions(milestones: readonly AgreedMilestone[]): Record<string, number> {
  return Object.fromEntries(milestones.flatMap(({ id, agreement }) => (agreement ? [[id, agreement]] : [])));
}

/**
 * Gives items ids. Lists show the newest id first, so the first item gets the greatest id. `from`: the number of
 * items before these.
 */
function withIds<Item extends { sortOrder?: number | null | undefined }>(
  items: readonly Item[],
  newId: () => string,
  from = 0,
): (Item & { id: string })[] {
  const ids = items
    .map(() => newId())
    .toSorted()
    .toReversed();
  const places = items.map(({ sortOrder }, index) => ({ index, sortOrder: sortOrder ?? from + index }));
  const idAt = new Map(inOrder(places).map(({ index }, rank) => [index, ids[rank]!]));
  return items.map((item, index) => ({ ...item, id: idAt.get(index)! }));
}

/**
 * Applies corrections, and counts a new version of each corrected milestone, or of all of them if the currency
 * changes.
 */
function correctMilestones(
  milestones: readonly AgreedMilestone[],
  corrections: readonly (ChangesOf<DraftMilestone> & { id: string })[],
  all: boolean,
): AgreedMilestone[] {
  return milestones.map((milestone) => {
    const after = corrected(milestone, corrections);
    return after === milestone && !all ? milestone : { ...after, agreement: (milestone.agreement ?? 0) + 1 };
  });
}

function corrected<Item extends { id: string }>(item: Item, corrections: readonly { id: string }[]): Item {
  const correction = corrections.find(({ id }) => id === item.id);
  return correction ? { ...item, ...given<Item>(correction) } : item;
}

/** Required fields that a change has cleared or left out. */
export function missingRequiredFields(fields: DraftFields, values: object, path = ''): ErrorDetail[] {
  return Object.entries(fields).flatMap(([name, field]): ErrorDetail[] => {
    const at = path === '' ? name : `${path}.${name}`;
    const value = (values as Readonly<Record<string, unknown>>)[name];
    if (value == null) return field.required ? [{ path: at, code: 'required' }] : [];
    if (field.kind === 'object') return missingRequiredFields(field.fields, value, at);
    if (field.kind !== 'list') return [];
    return (value as object[]).flatMap((each, n) => missingRequiredFields(field.item.fields, each, `${at}[${n}]`));
  });
}

function given<Whole>(change: object): Partial<Whole> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Partial<Whole>;
}

/** The changed fields, each with its old and new value; an absent value is null. */
export function differences<Whole extends object>(
  before: Whole,
  after: Whole,
): Record<string, { from: unknown; to: unknown }> {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof Whole & string)[];
  const pairs = names.map((name) => [name, { from: before[name] ?? null, to: after[name] ?? null }] as const);
  return Object.fromEntries(pairs.filter(([, { from, to }]) => canonicalJson(from) !== canonicalJson(to)));
}
