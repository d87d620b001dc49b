import type { Origin } from '@payroll/kernel';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { application, Contracts, HOURLY, staff, type Answer } from './support.js';
import { advance, codes, draft, must, only } from './walk.js';

const contracts = await Contracts.open('contracts_payable');
afterAll(() => contracts[Symbol.asyncDispose]());

const SUBMIT = 'mutation ($id: ID!) { submitContractForVerification(id: $id) { status } }';
const VERIFY = 'mutation ($id: ID!) { verifyContract(id: $id) { status } }';
const RETURN = `mutation ($id: ID!, $reason: String!) {
  returnContractToDraft(id: $id, reason: $reason) { status details { returnReason } } }`;
const UPDATE = `mutation ($id: ID!, $input: ContractDraftChangesInput!) {
  updateContractDraft(id: $id, input: $input) { details { milestones { title amount } } } }`;

const named = ({ errors = [] }: Answer): string[] =>
  errors.flatMap(({ extensions: { details = [] } }) => details.map(({ path, code }) => `${path} ${code}`));

async function submitted(origin: Origin, input: object): Promise<Answer> {
  return await contracts.graphql(origin, SUBMIT, { id: await draft(contracts, origin, input) });
}

describe('a draft keeps unpayable amounts, and verification refuses them, naming each', () => {
  it('amounts with more decimal places than the currency', async () => {
    const answer = await submitted(staff(), {
      ...HOURLY,
      compensation: { type: 'hourly', currency: 'JPY', rate: '85.5', retainerAmount: '10.5', signingBonus: '0' },
      invoicingSettings: { firstPaymentAmount: '0.1' },
      benefits: { bonusAmount: '1.5', allowanceAmount: '2' },
      milestones: [
        { title: 'm', amount: '10' },
        { title: 'n', amount: '10.5' },
      ],
      creatorDeliverables: [{ platform: 'x', format: 'post', brief: 'b', amount: '0.0000001' }],
    });
    expect(codes(answer)).toEqual(['VALIDATION_FAILED']);
    expect(named(answer)).toEqual([
      'compensation.retainerAmount too_precise',
      'invoicingSettings.firstPaymentAmount too_precise',
      'benefits.bonusAmount too_precise',
      'milestones[1].amount too_precise',
      'creatorDeliverables[0].amount too_precise',
    ]);
  });

  it.each(['ZQX', 'XXX', 'XAU', 'HRK'])('amounts in %s, which is not a currency that is paid out', async (currency) => {
    const answer = await submitted(staff(), {
      ...HOURLY,
      compensation: { type: 'hourly', currency, annualSalary: '1', rate: '1' },
      milestones: [{ title: 'm', amount: '1' }],
    });
    expect(named(answer)).toEqual(
      expect.arrayContaining([
        'compensation.currency unknown_currency',
        'compensation.annualSalary unknown_currency',
        'milestones[0].amount unknown_currency',
      ]),
    );
  });

  it('amounts above the maximum; a rate may be finer than its currency', async () => {
    const of = (rate: string) => submitted(staff(), { ...HOURLY, compensation: { type: 'hourly', rate } });
    expect(named(await of('9'.repeat(37)))).toEqual(['compensation.rate out_of_range']);
    expect(named(await of(`0.${'0'.repeat(36)}1`))).toEqual(['compensation.rate too_precise']);
    expect(only(await of('33.333333333333336'))).toEqual({ status: 'pending_verification' });
  });
});

it('a draft submitted before this check is refused at verification, returned and corrected', async () => {
  const origin = staff();
  const id = await draft(contracts, origin, { ...HOURLY, milestones: [{ title: 'm', amount: '10.01' }] });
  await advance(contracts, origin, id, 1);
  await sql`update contract set draft = jsonb_set(draft::jsonb, '{milestones,0,amount}', '"10.005"')
    where id = ${id}`.execute(contracts.em.getKysely());
  expect(named(await contracts.graphql(origin, VERIFY, { id }))).toEqual(['milestones[0].amount too_precise']);
  expect(codes(await contracts.graphql(origin, RETURN, { id, reason: ' ' }))).toEqual(['VALIDATION_FAILED']);
  const returned = await must(contracts, origin, RETURN, { id, reason: ' Half a cent. ' });
  expect(returned).toEqual({ status: 'draft', details: { returnReason: 'Half a cent.' } });
  expect((await contracts.audited(origin.actor.workspaceId)).at(-1)).toMatchObject({
    action: 'contract.returned-to-draft',
    change: { status: { from: 'pending_verification', to: 'draft' }, reason: 'Half a cent.' },
  });
  const [milestone] = contracts.told('contract.milestones-agreed', id)[0]!.milestones;
  const input = { correctedMilestones: [{ id: milestone!.milestoneId, amount: '10' }] };
  await must(contracts, origin, UPDATE, { id, input });
  expect(contracts.told('contract.milestones-agreed', id).at(-1)).toMatchObject({
    milestones: [{ ...milestone, amount: { amount: '10.00', currency: 'EUR' } }],
    agreements: { [milestone!.milestoneId]: 1 },
  });
  await advance(contracts, origin, id, 2);
  const shown = 'query ($id: ID!) { contract(id: $id) { status details { returnReason } } }';
  expect(await must(contracts, origin, shown, { id })).toEqual({
    status: 'ready_for_signature',
    details: { returnReason: null },
  });
  expect(codes(await contracts.graphql(origin, RETURN, { id, reason: 'late' }))).toEqual(['INVALID_STATE']);
});

it('a new currency makes new versions of all milestones; an unknown milestone is refused', async () => {
  const origin = staff();
  const milestones = [
    { title: 'm', amount: '10.5' },
    { title: 'n', amount: '11' },
  ];
  const compensation = { type: 'milestone', currency: 'ZQX' };
  const id = await draft(contracts, origin, { title: 't', compensation, milestones });
  const told = () => contracts.told('contract.milestones-agreed', id).at(-1)!;
  const before = told().milestones;
  await must(contracts, origin, UPDATE, { id, input: { compensation: { ...compensation, currency: 'EUR' } } });
  expect(told()).toMatchObject({
    milestones: before.map((each) => ({ ...each, amount: { ...each.amount, currency: 'EUR' } })),
    agreements: Object.fromEntries(before.map(({ milestoneId }) => [milestoneId, 1])),
  });
  expect(named(await contracts.graphql(origin, UPDATE, { id, input: { compensation: { currency: null } } }))).toEqual([
    'compensation.currency required',
  ]);
  const stranger = { correctedMilestones: [{ id, amount: '1' }] };
  expect(named(await contracts.graphql(origin, UPDATE, { id, input: stranger }))).toEqual([
    'correctedMilestones[0].id not_found',
  ]);
});

it('the rate of an active contract can change only to one that gives payable totals', async () => {
  const origin = application();
  const id = await draft(contracts, origin);
  await advance(contracts, origin, id, 6);
  const change = 'mutation ($id: ID!, $rate: Decimal) { changeContractTerms(id: $id, rate: $rate) { id } }';
  const to = (rate: string) => contracts.graphql(origin, change, { id, rate });
  expect(named(await to('9'.repeat(37)))).toEqual(['rate out_of_range']);
  expect((await to('12.3456')).errors).toBeUndefined();
});
