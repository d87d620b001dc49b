import {
  Money,
  type CalendarDate,
  type ContractType,
  type CreatorFormat,
  type CreatorPlatform,
  type Exclusivity,
  type IpOwnership,
} from '@payroll/kernel';
import type { ContractDraft } from './contract-draft.js';

/** What a creator and the business agree on. */
export interface Creator {
  terms: CreatorTerms | null;
  deliverables: CreatorDeliverable[];
}

export interface CreatorTerms {
  exclusivity: Exclusivity;
  exclusivityEndDate: CalendarDate | null;
  ipOwnership: IpOwnership;
  usageNote: string | null;
}

export interface CreatorDeliverable {
  id: string;
  platform: CreatorPlatform;
  format: CreatorFormat;
  brief: string;
  dueDate: CalendarDate | null;
  amount: { amount: string; currency: string };
  sortOrder: number;
}

/** The creator part of a draft: there is one for creator contracts, and wherever creator data was sent. */
export function creatorOf(
  draft: ContractDraft,
  contractType: ContractType,
  currency: string,
  idOfDeliverable: (index: number) => string,
): Creator | null {
  const { creatorTerms, creatorDeliverables } = draft;
  if (contractType !== 'contractor_creator' && !creatorTerms && !creatorDeliverables?.length) return null;
  return {
    terms: creatorTerms
      ? {
          exclusivity: creatorTerms.exclusivity,
          exclusivityEndDate: creatorTerms.exclusivityEndDate ?? null,
          ipOwnership: creatorTerms.ipOwnership,
          usageNote: creatorTerms.usageNote ?? null,
        }
      : null,
    deliverables: (creatorDeliverables ?? []).map((deliverable, index) => ({
      id: idOfDeliverable(index),
      platform: deliverable.platform,
      format: deliverable.format,
      brief: deliverable.brief,
      dueDate: deliverable.dueDate ?? null,
      amount: Money.of(deliverable.amount, currency).toJSON(),
      sortOrder: deliverable.sortOrder ?? index,
    })),
  };
}
