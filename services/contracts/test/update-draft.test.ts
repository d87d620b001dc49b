import { afterAll, expect, it } from 'vitest';
import { createContractDraft, updateContractDraft } from '../src/commands/contract-drafts.js';
import { apiKey, Contracts, HOURLY, staff } from './support.js';

const contracts = await Contracts.open('contracts_update_draft');
afterAll(() => contracts[Symbol.asyncDispose]());

const milestone = { title: 'First version', amount: '1000.5' };

it('changes contract, terms and creator part, keeps omitted fields and emits no event', async () => {
  const origin = staff();
  const { id, updatedAt } = await contracts.run(createContractDraft, { ...HOURLY }, origin);
  const updated = await contracts.run(
    updateContractDraft,
    {
      id,
      contractType: 'contractor_creator',
      endDate: '2027-12-31',
      compensation: { type: 'hourly', currency: 'USD', rate: '10' },
      invoicingSettings: { paymentDueDays: 14, autoPayEnabled: false, autoApproveAfterDays: 2 },
      creatorTerms: { exclusivity: 'ongoing', ipOwnership: 'business' },
      furtherDeliverables: [{ platform: 'x', format: 'post', brief: 'b', amount: '5' }],
    },
    origin,
  );
  expect(updated).toMatchObject({
    title: HOURLY.title,
    contractType: 'contractor_creator',
    startDate: '2027-01-01',
    endDate: '2027-12-31',
    creator: {
      terms: { exclusivity: 'ongoing', exclusivityEndDate: null, ipOwnership: 'business', usageNote: null },
      deliverables: [{ amount: { amount: '5.00', currency: 'USD' }, sortOrder: 0 }],
    },
  });
  expect(updated.updatedAt > updatedAt).toBe(true);
  const terms = 'currency rate paymentDueDays autoPayEnabled autoApproveAfterDays';
  const query = `{ contract(id: "${id}") { details { revision terms { ${terms} } } } }`;
  expect((await contracts.graphql(origin, query)).data).toMatchObject({
    contract: {
      details: {
        revision: 2,
        terms: { currency: 'USD', rate: '10', paymentDueDays: 14, autoPayEnabled: false, autoApproveAfterDays: 2 },
      },
    },
  });
  expect(contracts.typesTold(id)).toEqual([]);
  const [, audit] = await contracts.audited(origin.actor.workspaceId);
  expect(audit).toMatchObject({
    action: 'contract.draft-updated',
    subjectId: id,
    change: { endDate: { from: null, to: '2027-12-31' }, contractType: { from: 'contractor_payg' } },
  });
});

it('deliverables keep their ids even in another currency; the sent termination date is shown', async () => {
  const origin = staff();
  const creatorDeliverables = [{ platform: 'x', format: 'post', brief: 'b', amount: '5' } as const];
  const sent = { title: 't', terminationDate: '2027-05-31', creatorDeliverables };
  const draft = await contracts.run(createContractDraft, sent, origin);
  const deliverableId = draft.creator!.deliverables[0]!.id;
  const update = (changes: object) => contracts.run(updateContractDraft, { id: draft.id, ...changes }, origin);
  const inYen = await update({ compensation: { type: 'per_task', currency: 'JPY' } });
  expect(inYen.creator?.deliverables).toMatchObject([{ id: deliverableId, amount: { amount: '5', currency: 'JPY' } }]);
  const corrected = await update({ correctedDeliverables: [{ id: deliverableId, brief: 'c' }] });
  expect(corrected.creator?.deliverables).toMatchObject([{ id: deliverableId, brief: 'c' }]);
  const query = `{ contract(id: "${draft.id}") { details { terminationDate creatorDeliverables { id place brief } } } }`;
  expect((await contracts.graphql(origin, query)).data).toEqual({
    contract: {
      details: {
        terminationDate: '2027-05-31',
        creatorDeliverables: [{ id: deliverableId, place: 0, brief: 'c' }],
      },
    },
  });
  expect((await update({ removedDeliverables: [deliverableId] })).creator).toBeNull();
});

it.each([{ currency: null }, null])(
  'deliverables are not converted to the default currency by compensation %j',
  async (compensation) => {
    const origin = staff();
    const creatorDeliverables = [{ platform: 'x', format: 'post', brief: 'b', amount: '500' } as const];
    const sent = { title: 't', compensation: { type: 'per_task', currency: 'EUR' } as const, creatorDeliverables };
    const draft = await contracts.run(createContractDraft, sent, origin);
    const deliverableId = draft.creator!.deliverables[0]!.id;
    const update = (changes: object) => contracts.run(updateContractDraft, { id: draft.id, ...changes }, origin);
    await expect(update({ compensation })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ path: 'compensation.currency', code: 'required' }],
    });
    expect((await update({ compensation, removedDeliverables: [deliverableId] })).creator).toBeNull();
  },
);

it('adds milestones: the newest event has all of them, each with its id', async () => {
  const origin = staff();
  const { id } = await contracts.run(createContractDraft, { title: 't', milestones: [milestone] }, origin);
  await contracts.run(updateContractDraft, { id, furtherMilestones: [{ title: 'Second', amount: '2' }] }, origin);
  await contracts.run(updateContractDraft, { id, title: 'renamed' }, origin);
  const told = contracts.told('contract.milestones-agreed', id).map(({ milestones }) => milestones);
  expect(told).toHaveLength(2);
  expect(told[1]).toEqual([told[0]![0], expect.objectContaining({ title: 'Second', sortOrder: 1 })]);
});

it('changing a draft to its current values changes nothing', async () => {
  const origin = staff();
  const before = await contracts.run(createContractDraft, { ...HOURLY }, origin);
  expect(await contracts.run(updateContractDraft, { id: before.id, title: HOURLY.title }, origin)).toEqual(before);
  expect(await contracts.audited(origin.actor.workspaceId)).toHaveLength(1);
});

it.each([
  [{ title: null }, 'title', 'required'],
  [{ contractType: 'employment_at_will' }, 'countryOfEmployment', 'required'],
  [{ employmentType: 'employee' }, 'contractType', 'types_disagree'],
  [{ endDate: '2026-12-31' }, 'endDate', 'before_start_date'],
  [{ compensation: { type: 'hourly', rate: '0' } }, 'compensation.rate', 'out_of_range'],
  [{ creatorTerms: { usageNote: 'n', ipOwnership: 'creator' } }, 'creatorTerms.exclusivity', 'required'],
  [{ removedDeliverables: ['x'] }, 'removedDeliverables[0].id', 'not_found'],
  [{ furtherMilestones: [{ title: 'm', amount: '-1' }] }, 'milestones[0].amount', 'out_of_range'],
] as const)('refuses to change a draft to %j', async (changes, path, code) => {
  const origin = staff();
  const { id } = await contracts.run(createContractDraft, { ...HOURLY }, origin);
  const input = { id, ...changes } as Parameters<typeof updateContractDraft.decide>[1];
  await expect(contracts.run(updateContractDraft, input, origin)).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    details: [{ path, code }],
  });
});

it('is refused for API keys and for a contract of another workspace', async () => {
  const origin = staff();
  const { id } = await contracts.run(createContractDraft, { title: 't' }, origin);
  const update = (by: typeof origin) => contracts.run(updateContractDraft, { id, title: 'x' }, by);
  await expect(update(apiKey(origin.actor.workspaceId))).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
  await expect(update(staff())).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
