import { afterAll, describe, expect, it } from 'vitest';
import { application, Contracts, staff } from './support.js';
import { advance, codes, draft, must } from './walk.js';

const contracts = await Contracts.open('contracts_terms');
afterAll(() => contracts[Symbol.asyncDispose]());

describe('terms of an active contract', () => {
  it('change with a new revision; the draft stays as agreed', async () => {
    const origin = application();
    const id = await draft(contracts, origin);
    await advance(contracts, origin, id, 6);
    const change =
      'rate: "90", paymentDueDays: 30, autoPayEnabled: false, timesheetApprovalRequired: false, autoApproveAfterDays: 2';
    const { details } = await must(
      contracts,
      origin,
      `mutation ($id: ID!) { changeContractTerms(id: $id, ${change}) { details {
        terms { currency rate paymentDueDays autoPayEnabled timesheetApprovalRequired autoApproveAfterDays }
        compensation { rate } revision } } }`,
      { id },
    );
    const terms = { currency: 'EUR', rate: '90', paymentDueDays: 30, autoPayEnabled: false };
    expect(details).toMatchObject({
      terms: { ...terms, timesheetApprovalRequired: false, autoApproveAfterDays: 2 },
      compensation: { rate: '85.50' },
      revision: 9,
    });
    expect(contracts.told('contract.changed', id).at(-1)).toMatchObject({ ...terms, revision: 9 });
    expect((await contracts.audited(origin.actor.workspaceId)).at(-1)).toMatchObject({
      action: 'contract.terms-changed',
      change: { rate: { from: '85.50', to: '90' } },
    });
    await must(
      contracts,
      origin,
      'mutation ($id: ID!) { changeContractTerms(id: $id, autoApproveAfterDays: null) { id } }',
      {
        id,
      },
    );
    expect(contracts.told('contract.changed', id).at(-1)).toMatchObject({ rate: '90', autoApproveAfterDays: null });
  });

  it('stay unchanged if nothing is given, and unpayable terms are refused', async () => {
    const origin = application();
    const id = await draft(contracts, origin);
    await advance(contracts, origin, id, 6);
    const told = contracts.told('contract.changed', id).length;
    await must(contracts, origin, 'mutation ($id: ID!) { changeContractTerms(id: $id, rate: "85.50") { id } }', { id });
    expect(contracts.told('contract.changed', id)).toHaveLength(told);
    const refused = await contracts.graphql(
      origin,
      'mutation ($id: ID!) { changeContractTerms(id: $id, rate: "0", paymentDueDays: -1, autoApproveAfterDays: 0) { id } }',
      { id },
    );
    expect(refused.errors?.[0]?.extensions).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: ['rate', 'paymentDueDays', 'autoApproveAfterDays'].map((path) => ({ path, code: 'out_of_range' })),
    });
  });

  it.each([0, 5, 7, 8])('cannot be changed after %i steps', async (steps) => {
    const origin = application();
    const id = await draft(contracts, origin);
    await advance(contracts, origin, id, steps);
    const answer = await contracts.graphql(
      origin,
      'mutation ($id: ID!) { changeContractTerms(id: $id, rate: "1") { id } }',
      { id },
    );
    expect(codes(answer)).toEqual(['INVALID_STATE']);
  });

  it('cannot be changed by a team of staff: one of them could have work paid without a review', async () => {
    const at = application();
    const id = await draft(contracts, at);
    await advance(contracts, at, id, 6);
    const answer = await contracts.graphql(
      staff(at.actor.workspaceId),
      'mutation ($id: ID!) { changeContractTerms(id: $id, timesheetApprovalRequired: false) { id } }',
      { id },
    );
    expect(codes(answer)).toEqual(['INSUFFICIENT_SCOPE']);
  });
});
