import type { Schemas } from '../support/client/client.js';

export type Draft = Schemas['ContractDraft'];

/**
 * Makes a draft obey the rules that the document states in prose: types agree, and employees have a country
 * (public-api.md §4).
 */
export function agreeing({ employmentType, contractType, ...draft }: Draft): Draft {
  const implied = contractType && (contractType === 'employment_at_will' ? 'employee' : 'contractor');
  const type = implied ?? employmentType;
  return {
    ...draft,
    ...(employmentType !== undefined && type !== undefined && { employmentType: type }),
    ...(contractType !== undefined && { contractType }),
    ...(type === 'employee' && { countryOfEmployment: draft.countryOfEmployment ?? 'DE' }),
  };
}

/** The fields that a contract must show for its draft; null for fields that were not sent. */
export function shownOf(draft: Draft): object {
  return {
    title: draft.title,
    status: 'draft',
    ...(draft.employmentType && { employmentType: draft.employmentType }),
    ...(draft.contractType && { contractType: draft.contractType }),
    startDate: draft.startDate ?? null,
    endDate: draft.endDate ?? null,
    worker: { id: null, name: null },
    deletedAt: null,
  };
}

/** The same for its creator part, as the detail shows it. */
export function creatorOf({
  creatorTerms,
  creatorDeliverables = [],
  contractType,
  compensation,
}: Draft): object | null {
  if (contractType !== 'contractor_creator' && !creatorTerms && creatorDeliverables.length === 0) return null;
  const currency = compensation?.currency ?? 'USD';
  return {
    terms: creatorTerms
      ? {
          exclusivity: creatorTerms.exclusivity,
          exclusivityEndDate: creatorTerms.exclusivityEndDate ?? null,
          ipOwnership: creatorTerms.ipOwnership,
          usageNote: creatorTerms.usageNote ?? null,
        }
      : null,
    deliverables: inOrder(creatorDeliverables).map(
      ({ platform, format, brief, dueDate = null, amount, sortOrder }) => ({
        platform,
        format,
        brief,
        dueDate,
        amount: { amount: plain(amount), currency },
        ...(sortOrder !== undefined && { sortOrder }),
      }),
    ),
  };
}

export function milestonesOf({ milestones = [], compensation }: Draft): object[] {
  const currency = compensation?.currency ?? 'USD';
  return inOrder(milestones).map(({ title, description = null, amount, dueDate = null }) => ({
    title,
    description,
    dueDate,
    status: 'pending',
    amount: { amount: plain(amount), currency },
  }));
}

/** By `sortOrder`, which defaults to the item's index; ties keep the sent order. */
function inOrder<Item extends { sortOrder?: number }>(items: readonly Item[]): Item[] {
  return items
    .map((item, place) => ({ item, place, sortOrder: item.sortOrder ?? place }))
    .toSorted((a, b) => a.sortOrder - b.sortOrder || a.place - b.place)
    .map(({ item }) => item);
}

/** Normalises amounts, so that a sent and a returned value can be compared. */
export function withPlainAmounts(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, part: unknown) =>
    key === 'amount' && typeof part === 'string' ? plain(part) : part,
  );
}

/** Writes `1e-7` and `0.00000010` as `0.0000001`. */
function plain(number: number | string): string {
  const [digits = '', exponent = '0'] = String(number).split('e');
  const [whole = '', fraction = ''] = digits.split('.');
  const point = whole.length + Number(exponent);
  const all = (whole + fraction).padEnd(point, '0').padStart((whole + fraction).length - Math.min(0, point), '0');
  const [before, after] = point <= 0 ? ['0', all] : [all.slice(0, point), all.slice(point)];
  return `${before.replace(/^0+(?=\d)/, '')}.${after}`.replace(/\.?0*$/, '');
}
