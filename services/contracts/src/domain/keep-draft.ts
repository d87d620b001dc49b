import type { ContractDraft, DraftChanges, KeptDraft } from './contract-draft.js';
import { correctMilestones, withIds } from './milestones.js';

export function keepDraft(draft: ContractDraft, newId: () => string): KeptDraft {
  return withDefaults({ ...draft, milestones: withIds(draft.milestones ?? [], newId) });
}

/** Another currency is that of the milestones too: each of them is agreed anew. */
export function changeDraft(
  draft: KeptDraft,
  { correctedMilestones, furtherMilestones, ...changes }: DraftChanges,
  newId: () => string,
): KeptDraft {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  const after = { ...draft, ...(Object.fromEntries(given) as Partial<KeptDraft>) };
  const isAnotherCurrency = currencyOf(after) !== currencyOf(draft);
  const milestones = [
    ...correctMilestones(draft.milestones, correctedMilestones ?? [], isAnotherCurrency),
    ...withIds(furtherMilestones ?? [], newId, draft.milestones.length),
  ];
  return withDefaults({ ...after, milestones });
}

function currencyOf({ compensation }: ContractDraft): string {
  return compensation?.currency ?? 'USD';
}

/** The schema's defaults hold inside objects that were sent (public-api.md §4). */
function withDefaults(draft: KeptDraft): KeptDraft {
  const { compensation, invoicingSettings } = draft;
  return {
    ...draft,
    compensation: compensation && { ...compensation, currency: compensation.currency ?? 'USD' },
    invoicingSettings: invoicingSettings && {
      ...invoicingSettings,
      paymentDueDays: invoicingSettings.paymentDueDays ?? 0,
      timesheetApprovalRequired: invoicingSettings.timesheetApprovalRequired ?? true,
      autoPayEnabled: invoicingSettings.autoPayEnabled ?? true,
    },
  };
}
