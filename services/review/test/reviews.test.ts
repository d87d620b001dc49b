import { newId } from '@payroll/kernel';
import { afterAll, describe, expect, it } from 'vitest';
import { applyContractChange } from '../src/commands/apply-events.js';
import { runAutoApproval } from '../src/runners.js';
import { codesOf, Review } from './review.js';
import { workOf } from './work.js';
import type { Workspace } from './workspace.js';

const review = await Review.open('review_reviews');
const subgraph = await review.serve();
afterAll(() => review[Symbol.asyncDispose]());

const REVIEWS = 'reviews { step actorKind by { id } reason rule }';

interface Asked {
  work: { version: string; status: string; paymentId: string | null; reviews: object[] };
}

async function read(at: Workspace, id: string, kind = 'timesheet'): Promise<Asked['work']> {
  const query = `query ($id: ID!) { work: ${kind}(id: $id) { version status paymentId ${REVIEWS} } }`;
  return (await subgraph.ask<Asked>(at.people.viewer, query, { id })).data!.work;
}

const APPROVE = `mutation ($id: ID!, $version: String!, $operation: ID) {
  work: approveTimesheet(id: $id, expectedVersion: $version, operationId: $operation) { version status paymentId ${REVIEWS} } }`;
const REJECT = `mutation ($id: ID!, $version: String!, $operation: ID) {
  work: rejectTimesheet(id: $id, expectedVersion: $version, reason: "Too much", operationId: $operation) { id } }`;

describe('approval by a person', () => {
  it('an admin approves once per operation, and the audit trail names them', async () => {
    const at = review.workspace();
    const { timesheet: id } = await workOf(review, at);
    const { version } = await read(at, id);
    const operation = newId();
    const approve = () => subgraph.ask<Asked>(at.people.admin, APPROVE, { id, version, operation });
    const [first, second] = await Promise.all([approve(), approve()]);
    const again = await approve();
    expect(codesOf(first)).toEqual([]);
    const { paymentId } = first.data!.work;
    expect([second, again].map(({ data }) => data?.work.paymentId)).toEqual([paymentId, paymentId]);
    expect(await at.eventsForPayments()).toMatchObject([{ type: 'timesheet.approved', about_id: paymentId }]);
    const approved = (await at.audit()).at(-1);
    const { principalId } = at.people.admin.actor;
    expect(approved).toMatchObject({ action: 'timesheet.approved', actor_kind: 'person', principal_id: principalId });
    expect(await read(at, id)).toMatchObject({ status: 'approved', paymentId });
  });

  it.each(['member', 'viewer'] as const)('a %s cannot decide', async (role) => {
    const at = review.workspace();
    const { timesheet: id } = await workOf(review, at);
    const { version } = await read(at, id);
    for (const decide of [APPROVE, REJECT]) {
      expect(codesOf(await subgraph.ask(at.people[role], decide, { id, version }))).toEqual(['INSUFFICIENT_SCOPE']);
    }
    expect(await read(at, id)).toMatchObject({ status: 'submitted', version });
  });

  it('a member who has lost the role gets a refusal, even for an applied operation', async () => {
    const at = review.workspace();
    const { timesheet: id } = await workOf(review, at);
    const variables = { id, version: (await read(at, id)).version, operation: newId() };
    expect(codesOf(await subgraph.ask(at.people.admin, REJECT, variables))).toEqual([]);
    const { actor } = at.people.member;
    const demoted = { ...at.people.member, actor: { ...actor, principalId: at.people.admin.actor.principalId } };
    expect(codesOf(await subgraph.ask(demoted, REJECT, variables))).toEqual(['INSUFFICIENT_SCOPE']);
  });

  it('the second reviewer gets STALE_RESOURCE_VERSION', async () => {
    const at = review.workspace();
    const { timesheet: id } = await workOf(review, at);
    const { version } = await read(at, id);
    expect(codesOf(await subgraph.ask(at.people.admin, APPROVE, { id, version }))).toEqual([]);
    expect(codesOf(await subgraph.ask(at.people.admin, REJECT, { id, version }))).toEqual(['STALE_RESOURCE_VERSION']);
  });
});

describe('the reviews of a piece of work', () => {
  it('list who submitted and who decided, with the reason, newest first', async () => {
    const at = review.workspace();
    const { timesheet: id, contract: contractId } = await workOf(review, at);
    const first = await read(at, id);
    await subgraph.ask(at.people.admin, REJECT, { id, version: first.version });
    await subgraph.ask(at.application, 'mutation ($id: ID!) { resubmitTimesheet(id: $id) { id } }', { id });
    await at.termsChanged({ contractId, revision: 2, rate: '51.00' });
    const { version } = await read(at, id);
    await subgraph.ask(at.admin, APPROVE, { id, version });
    const step = { by: null, reason: null, rule: null };
    expect((await read(at, id)).reviews).toEqual([
      { ...step, step: 'approved', actorKind: 'api_key', by: { id: at.admin.actor.principalId } },
      { ...step, step: 'terms_changed', actorKind: 'system' },
      { ...step, step: 'resubmitted', actorKind: 'service' },
      {
        ...{ ...step, step: 'rejected', reason: 'Too much' },
        ...{ actorKind: 'person', by: { id: at.people.admin.actor.principalId } },
      },
      { ...step, step: 'submitted', actorKind: 'service' },
    ]);
  });

  it('name the contract rule that approved it', async () => {
    const at = review.workspace();
    const { timesheet: id, contract: contractId } = await workOf(review, at);
    const terms = at.terms({ contractId, revision: 2, timesheetApprovalRequired: false });
    await at.hear(applyContractChange, terms);
    await runAutoApproval(review.parts);
    const [approved] = (await read(at, id)).reviews;
    expect(approved).toMatchObject({ step: 'approved', actorKind: 'system', rule: 'timesheetApprovalRequired' });
  });

  it("list only the milestone's own steps, and none for another workspace's", async () => {
    const at = review.workspace();
    const { milestone: id } = await workOf(review, at);
    await subgraph.ask(at.staff, 'mutation ($id: ID!) { submitMilestone(id: $id) { id } }', { id });
    expect((await read(at, id, 'milestone')).reviews).toMatchObject([{ step: 'submitted' }]);
    expect(await read(review.workspace(), id, 'milestone')).toBeNull();
  });
});
