import type { Origin } from '@payroll/kernel';
import { afterAll, expect, it } from 'vitest';
import { Review } from './review.js';
import { workOf } from './work.js';

const review = await Review.open('review_internal_teams');
const subgraph = await review.serve();
afterAll(() => review[Symbol.asyncDispose]());

type Fields = Record<string, unknown> & { id: string; version: string };

/** Runs a document with one field and returns that field's value. */
async function ask(origin: Origin, query: string, variables: Record<string, unknown> = {}): Promise<Fields> {
  const { data, errors } = await subgraph.ask<Record<string, Fields>>(origin, query, variables);
  expect(errors).toBeUndefined();
  return Object.values(data!)[0]!;
}

const MILESTONE = 'id title description status amount { amount currency } dueDate sortOrder rejectionReason version';

it('an internal team agrees on a milestone and rejects it; a member approves it later', async () => {
  const at = review.workspace();
  const contractId = await at.contract();
  const input = { contractId, title: 'Launch', amount: '99.5', dueDate: '2027-06-01' };
  const add = `mutation ($input: MilestoneInput!) { addMilestone(input: $input) { ${MILESTONE} } }`;
  const added = await ask(at.staff, add, { input });
  expect(added).toMatchObject({ description: null, sortOrder: 0, amount: { amount: '99.50', currency: 'EUR' } });
  const { id } = added;
  const update = `mutation ($id: ID!, $input: MilestoneChangeInput!) { updateMilestone(id: $id, input: $input) { ${MILESTONE} } }`;
  expect(await ask(at.staff, update, { id, input: { dueDate: null, sortOrder: 2 } })).toMatchObject({
    title: 'Launch',
    dueDate: null,
    sortOrder: 2,
  });
  const submitted = await ask(at.staff, `mutation ($id: ID!) { submitMilestone(id: $id) { id version } }`, { id });
  const reject = `mutation ($id: ID!, $version: String!) {
    rejectMilestone(id: $id, expectedVersion: $version, reason: "Not yet") { ${MILESTONE} } }`;
  expect(await ask(at.staff, reject, submitted)).toMatchObject({ status: 'rejected', rejectionReason: 'Not yet' });
  const again = await ask(at.staff, `mutation ($id: ID!) { resubmitMilestone(id: $id) { id version } }`, { id });
  const approve = `mutation ($id: ID!, $version: String!) { approveMilestone(id: $id, expectedVersion: $version) {
    status paymentId paymentDate rejectionReason payment { id } contract { id } } }`;
  const approved = await ask(at.application, approve, again);
  expect(approved).toMatchObject({
    status: 'approved',
    rejectionReason: null,
    payment: { id: approved['paymentId'] },
    contract: { id: contractId },
  });
});

it("an internal team reads a timesheet's rejection and its payment, and may not hand a timesheet in", async () => {
  const at = review.workspace();
  const { timesheet: id } = await workOf(review, at);
  const TIMESHEET = 'id version status rejectionReason unitsWorked paymentId paymentStatus submittedAt updatedAt';
  const read = `query ($id: ID!) { timesheet(id: $id) { ${TIMESHEET} } }`;
  const submitted = await ask(at.staff, read, { id });
  const reject = `mutation ($id: ID!, $version: String!) { rejectTimesheet(id: $id, expectedVersion: $version, reason: "Less") { id } }`;
  await ask(at.staff, reject, submitted);
  expect(await ask(at.staff, read, { id })).toMatchObject({ status: 'rejected', rejectionReason: 'Less' });
  const resubmit = `mutation ($id: ID!, $input: CorrectedWorkInput) { resubmitTimesheet(id: $id, input: $input) { ${TIMESHEET} } }`;
  const refused = await subgraph.ask(at.staff, resubmit, { id, input: { unitsWorked: '9' } });
  expect(refused.errors?.map(({ extensions }) => extensions.code)).toEqual(['INSUFFICIENT_SCOPE']);
  const again = await ask(at.application, resubmit, { id, input: { unitsWorked: '9' } });
  expect(again).toMatchObject({ status: 'submitted', rejectionReason: null, unitsWorked: '9', paymentStatus: null });
  const approve = `mutation ($id: ID!, $version: String!) { approveTimesheet(id: $id, expectedVersion: $version) { ${TIMESHEET} } }`;
  const approved = await ask(at.application, approve, again);
  const source = { sourceType: 'timesheet', sourceId: id, paymentId: String(approved['paymentId']) } as const;
  await at.paymentTold(at.payment(source, 'processing', 2));
  expect(await ask(at.staff, read, { id })).toEqual({ ...approved, paymentStatus: 'processing' });
});
