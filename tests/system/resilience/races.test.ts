import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { ask } from '@payroll/tools/demo/graphql-client';
import { SUBMIT_MILESTONE } from '@payroll/tools/demo/operations';
import { ownerOf } from '../owner.js';
import { activeContract, joinSystem, submittedTimesheet, type Answer } from '../support.js';

const system = await joinSystem();
const owner = await ownerOf(system);
const contractId = await activeContract(system.access());

afterAll(() => owner[Symbol.asyncDispose]());
beforeEach(() => owner.passForLimits(60));

interface Work {
  id: string;
  version: string;
}

const KINDS = ['timesheets', 'milestones'] as const;
type Kind = (typeof KINDS)[number];

const ADD_MILESTONE = `mutation ($input: MilestoneInput!) { addMilestone(input: $input) { id version } }`;

async function pendingMilestone(): Promise<Work> {
  const input = { contractId, title: 'A step', amount: '100' };
  return await ask<Work>(system.access(), ADD_MILESTONE, { input });
}

async function submitted(kind: Kind): Promise<Work> {
  if (kind === 'timesheets') return await submittedTimesheet(system.access(), contractId);
  const { id } = await pendingMilestone();
  return await ask<Work>(system.access(), SUBMIT_MILESTONE, { id });
}

/** Each call is a separate intent with its own key. */
function decide(kind: Kind, id: string, decision: 'approve' | 'reject', expectedVersion: string): Promise<Answer> {
  const body = decision === 'approve' ? { expectedVersion } : { expectedVersion, reason: 'Not what was agreed' };
  return system.rest(system.workspaces[0].apiKeys.admin, 'POST', `/${kind}/${id}/${decision}`, body);
}

const codesOf = (answers: readonly Answer[]): string[] =>
  answers.map(({ body }) => (body['error'] as { code?: string } | undefined)?.code ?? 'decided').toSorted();

const read = async (kind: Kind, id: string): Promise<Answer['body']> =>
  (await system.rest(system.workspaces[0].apiKeys.viewer, 'GET', `/${kind}/${id}`)).body;

describe.each(KINDS)('decisions about %s', (kind) => {
  it('with concurrent approvals and rejections of one version, one wins and the others are stale', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { id, version } = await submitted(kind);
      const decisions = ['approve', 'reject', 'approve', 'reject', 'approve', 'reject'] as const;
      const answers = await Promise.all(decisions.map((decision) => decide(kind, id, decision, version)));
      expect(codesOf(answers)).toEqual([...Array.from({ length: 5 }, () => 'STALE_RESOURCE_VERSION'), 'decided']);
      const winner = answers.find(({ status }) => status === 200)!;
      const now = await read(kind, id);
      expect(now['status'] === 'rejected').toBe(winner.body['status'] === 'rejected');
      expect(now['paymentId']).toBe(winner.body['paymentId']);
    }
  });

  it('a decision checks the version first, then the state', async () => {
    const { id, version } = await submitted(kind);
    const { body } = await decide(kind, id, 'reject', version);
    expect(codesOf([await decide(kind, id, 'approve', version)])).toEqual(['STALE_RESOURCE_VERSION']);
    for (const decision of ['approve', 'reject'] as const) {
      expect(await decide(kind, id, decision, String(body['version']))).toMatchObject({
        status: 409,
        body: { error: { type: 'conflict', code: 'INVALID_STATE' } },
      });
    }
    expect(await read(kind, id)).toEqual(body);
  });
});

/** Makes the changes one after the other; after each, a decision with the version before it is refused. */
async function eachMakesStale(
  kind: Kind,
  { id, version }: Work,
  changes: readonly (() => Promise<unknown>)[],
): Promise<void> {
  const versions = [version];
  for (const change of changes) {
    const before = versions.at(-1)!;
    await change();
    await expect.poll(async () => (await read(kind, id))['version'], { timeout: 20_000 }).not.toBe(before);
    versions.push(String((await read(kind, id))['version']));
    const late = await Promise.all(versions.slice(0, -1).map((old) => decide(kind, id, 'approve', old)));
    expect(new Set(codesOf(late))).toEqual(new Set(['STALE_RESOURCE_VERSION']));
  }
  expect(new Set(versions).size).toBe(versions.length);
}

describe('every write makes the previous version stale:', () => {
  it('new terms, a rejection and a resubmission of a timesheet', async () => {
    const own = await activeContract(system.access());
    const work = await submittedTimesheet(system.access(), own);
    const terms = (change: string) => () =>
      ask(system.access(), `mutation { changeContractTerms(id: "${own}", ${change}) { id } }`);
    await eachMakesStale('timesheets', work, [
      terms('rate: "61"'),
      terms('paymentDueDays: 30'),
      terms('autoPayEnabled: true'),
      async () => decide('timesheets', work.id, 'reject', String((await read('timesheets', work.id))['version'])),
      () => ask(system.access(), 'mutation ($id: ID!) { resubmitTimesheet(id: $id) { id } }', { id: work.id }),
    ]);
    const { version } = await read('timesheets', work.id);
    expect(await decide('timesheets', work.id, 'approve', String(version))).toMatchObject({
      status: 200,
      body: { rate: { amount: '61.00' }, total: { amount: '610.00' }, autoPayEnabled: true },
    });
  });

  it("a new agreement, a submission, a decision and the payment's result of a milestone", async () => {
    const work = await pendingMilestone();
    const byId = (field: string) => () =>
      ask(system.access(), `mutation ($id: ID!) { ${field} { id } }`, { id: work.id });
    const decideNow = (decision: 'approve' | 'reject') => async () =>
      decide('milestones', work.id, decision, String((await read('milestones', work.id))['version']));
    await eachMakesStale('milestones', work, [
      byId('updateMilestone(id: $id, input: { amount: "120" })'),
      byId('submitMilestone(id: $id)'),
      decideNow('reject'),
      byId('resubmitMilestone(id: $id)'),
      decideNow('approve'),
    ]);
  });
});
