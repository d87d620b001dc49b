import { defineEntity, p } from '@mikro-orm/core';
import { CONTRACT_STATUSES, CONTRACT_TYPES, EMPLOYMENT_TYPES } from '@payroll/kernel';
import { exactNumber, instant } from '@payroll/store';
import type { StoredDraft } from '../domain/draft.js';
import type { Creator } from '../domain/agreement.js';
import type { SigningProof } from '../domain/contract.js';
import type { ProposedTerms } from '../domain/terms.js';

export const ContractTable = defineEntity({
  name: 'Contract',
  tableName: 'contract',
  properties: {
    workspaceId: p.uuid().primary(),
    id: p.uuid().primary(),
    revision: p.integer(),
    title: p.text(),
    employmentType: p.enum(EMPLOYMENT_TYPES).columnType('text'),
    contractType: p.enum(CONTRACT_TYPES).columnType('text'),
    status: p.enum(CONTRACT_STATUSES).columnType('text'),
    workerId: p.uuid().strictNullable(),
    startDate: p.date().strictNullable(),
    endDate: p.date().strictNullable(),
    terminationDate: p.date().strictNullable(),
    currency: p.text(),
    rate: exactNumber().strictNullable(),
    paymentDueDays: p.integer(),
    autoPayEnabled: p.boolean(),
    timesheetApprovalRequired: p.boolean(),
    autoApproveAfterDays: p.integer().strictNullable(),
    draft: p.json<StoredDraft>().comment('What was agreed while it was a draft, with the defaults of the schema.'),
    creator: p.json<Creator>().strictNullable(),
    createdByPrincipal: p.uuid(),
    externalReference: p.text().strictNullable(),
    businessSignedAt: instant().strictNullable(),
    workerSignedAt: instant().strictNullable(),
    returnReason: p.text().strictNullable().comment('Why it was returned to draft; null once submitted again.'),
    cancellationReason: p.text().strictNullable(),
    createdAt: instant(),
    updatedAt: instant(),
    deletedAt: instant().strictNullable(),
  },
  indexes: [
    { name: 'contract_newest', properties: ['workspaceId', 'createdAt', 'id'] },
    { name: 'contract_changed', properties: ['workspaceId', 'updatedAt', 'id'] },
    { name: 'contract_newest_by_status', properties: ['workspaceId', 'status', 'createdAt', 'id'] },
    { name: 'contract_changed_by_status', properties: ['workspaceId', 'status', 'updatedAt', 'id'] },
    { name: 'contract_of_worker', properties: ['workspaceId', 'workerId'] },
  ],
  uniques: [
    {
      name: 'contract_external_reference',
      properties: ['workspaceId', 'createdByPrincipal', 'externalReference'],
    },
  ],
});

/** The business of a workspace, from its newest event. */
export const BusinessTable = defineEntity({
  name: 'Business',
  tableName: 'business',
  properties: { workspaceId: p.uuid().primary(), name: p.text(), country: p.text(), revision: p.integer() },
});

/** A frozen text: the contract as signed (number 0) and its amendments. */
export const AgreementTable = defineEntity({
  name: 'Agreement',
  tableName: 'agreement',
  properties: {
    workspaceId: p.uuid().primary(),
    contractId: p.uuid().primary(),
    number: p.integer().primary(),
    text: p.text(),
    digest: p.text().comment('SHA-256 of the text; what is signed.'),
    holdsFrom: p.date().strictNullable().comment('Of an amendment; the contract says itself when it begins.'),
    madeAt: instant(),
    madeBy: p.uuid().comment('The principal who sent it for signature, or changed the terms.'),
    businessSignedAt: instant().strictNullable(),
    businessSignedBy: p.uuid().strictNullable(),
    workerSignedAt: instant().strictNullable(),
    workerSignedBy: p.uuid().strictNullable(),
    workerProof: p.json<SigningProof>().strictNullable().comment('How the worker signed in person; null until then.'),
    changesAsked: p.text().strictNullable().comment('What the worker asked to be changed before they sign.'),
    changesAskedAt: instant().strictNullable(),
    proposed: p
      .json<ProposedTerms>()
      .strictNullable()
      .comment('Of an amendment that needs the worker: the terms that hold from their signature.'),
    withdrawnAt: instant().strictNullable(),
  },
});

export const WorkerTable = defineEntity({
  name: 'Worker',
  tableName: 'worker',
  properties: {
    workspaceId: p.uuid().primary(),
    id: p.uuid().primary(),
    revision: p.integer().default(1),
    name: p.text(),
    email: p.text(),
    createdAt: instant(),
    updatedAt: instant(),
  },
  indexes: [{ name: 'worker_newest', properties: ['workspaceId', 'createdAt', 'id'] }],
});
