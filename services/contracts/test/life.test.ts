import { newId, systemOrigin, type Origin } from '@payroll/kernel';
import { afterAll, describe, expect, it } from 'vitest';
import { projectBusiness } from '../src/commands/apply-events.js';
import { apiKey, application, Contracts, HOURLY, staff } from './support.js';
import { advance, codes, draft, must, only, STEPS, takerOf } from './walk.js';

const contracts = await Contracts.open('contracts_life');
afterAll(() => contracts[Symbol.asyncDispose]());

it('goes through all states, emits each change once and audits who made it', async () => {
  const origin = staff();
  const id = await draft(contracts, origin);
  const moments: unknown[] = [];
  for (const [step, status] of STEPS) {
    const by = takerOf(step, origin);
    const after = await must(contracts, by, `mutation ($id: ID!) { ${step} { status updatedAt } }`, { id });
    expect(after['status']).toBe(status);
    moments.push(after['updatedAt']);
  }
  expect(moments).toEqual([...new Set(moments)].toSorted());
  const told = contracts.told('contract.changed', id);
  expect(told.map(({ revision }) => revision)).toEqual(STEPS.map((_, n) => n + 3));
  expect(told.map(({ status }) => status)).toEqual(STEPS.map(([, status]) => status));
  const audit = await contracts.audited(origin.actor.workspaceId);
  expect(audit.slice(3).map(({ action }) => action)).toEqual(STEPS.map(([, , action]) => action));
  expect(audit.slice(3).every(({ change }) => 'status' in change)).toBe(true);
});

it('an API key can make none of the changes, and read-only staff neither', async () => {
  const origin = staff();
  const id = await draft(contracts, origin);
  const reader: Origin = { ...origin, actor: { ...origin.actor, scopes: ['read'] } };
  for (const [step] of [
    ...STEPS,
    ['deleteContract(id: $id)'] as const,
    ['cancelContract(id: $id, reason: "r")'] as const,
  ]) {
    for (const by of [apiKey(origin.actor.workspaceId), reader]) {
      const answer = await contracts.graphql(by, `mutation ($id: ID!) { ${step} { status } }`, { id });
      expect(codes(answer)).toEqual(['INSUFFICIENT_SCOPE']);
    }
  }
});

it('offboarding requires a last day that is not before the first', async () => {
  const origin = staff();
  const id = await draft(contracts, origin);
  await advance(contracts, origin, id, 6);
  const start = (args: string) =>
    contracts.graphql(
      origin,
      `mutation ($id: ID!) { startContractOffboarding(id: $id, ${args}) { endDate details { terminationDate } } }`,
      { id },
    );
  const early = await start('endDate: "2026-12-31", terminationDate: "2026-12-01"');
  expect(early.errors?.[0]?.extensions.details?.map(({ path }) => path)).toEqual(['endDate', 'terminationDate']);
  expect(only(await start('endDate: "2027-03-31", terminationDate: "2027-03-01"'))).toEqual({
    endDate: '2027-03-31',
    details: { terminationDate: '2027-03-01' },
  });
});

it('the worker is mailed when a contract that was sent to them ends, and not before it was sent', async () => {
  const kinds = (id: string) => contracts.told('notice.contract', id).map(({ kind }) => kind);
  const [origin, other] = [staff(), staff()];
  const [ended, cancelled] = [await draft(contracts, origin), await draft(contracts, other)];
  await advance(contracts, origin, ended, STEPS.length);
  expect(kinds(ended)).toEqual(['contract_to_sign', 'contract_ended', 'contract_ended']);
  const cancel = 'mutation ($id: ID!) { cancelContract(id: $id, reason: "No budget") { status } }';
  await must(contracts, other, cancel, { id: cancelled });
  expect(kinds(cancelled)).toEqual([]);
  const sent = await draft(contracts, other);
  await advance(contracts, other, sent, 3);
  await must(contracts, other, cancel, { id: sent });
  expect(kinds(sent)).toEqual(['contract_to_sign', 'contract_ended']);
});

it('a cancellation requires a reason, which is trimmed and stored', async () => {
  const origin = staff();
  const id = await draft(contracts, origin);
  const cancel = (reason: string) =>
    contracts.graphql(
      origin,
      'mutation ($id: ID!, $reason: String!) { cancelContract(id: $id, reason: $reason) { status details { cancellationReason } } }',
      { id, reason },
    );
  expect(codes(await cancel('  '))).toEqual(['VALIDATION_FAILED']);
  expect(codes(await cancel('r'.repeat(2001)))).toEqual(['VALIDATION_FAILED']);
  expect(only(await cancel(' No budget. '))).toEqual({
    status: 'cancelled',
    details: { cancellationReason: 'No budget.' },
  });
  expect(codes(await cancel('again'))).toEqual(['INVALID_STATE']);
});

it('a deleted contract is readable by id and listed on request, and its reference stays taken', async () => {
  const workspaceId = newId();
  const [origin, integrator] = [staff(workspaceId), apiKey(workspaceId)];
  const create = 'mutation { createContractDraft(input: { title: "t", externalReference: "po" }) { id } }';
  const { id } = await must(contracts, integrator, create);
  const remove = 'mutation ($id: ID!) { deleteContract(id: $id) { deletedAt updatedAt } }';
  const { deletedAt, updatedAt } = await must(contracts, origin, remove, { id });
  expect(deletedAt).toBe(updatedAt);
  expect(codes(await contracts.graphql(origin, remove, { id }))).toEqual(['NOT_FOUND']);
  expect(await must(contracts, integrator, 'query ($id: ID!) { contract(id: $id) { deletedAt } }', { id })).toEqual({
    deletedAt,
  });
  expect(await must(contracts, integrator, '{ contracts { nodes { id } } }')).toEqual({ nodes: [] });
  expect(await must(contracts, integrator, '{ contracts(includeDeleted: true) { nodes { id } } }')).toEqual({
    nodes: [{ id }],
  });
  expect(codes(await contracts.graphql(integrator, create))).toEqual(['EXTERNAL_REFERENCE_EXISTS']);
});

describe('events for other services', () => {
  const RETURN = 'mutation ($id: ID!) { returnContractToDraft(id: $id, reason: "r") { id } }';
  const RENAME = 'mutation ($id: ID!) { updateContractDraft(id: $id, input: { title: "renamed" }) { id } }';
  const CANCEL = 'mutation ($id: ID!) { cancelContract(id: $id, reason: "r") { id } }';
  const DELETE = 'mutation ($id: ID!) { deleteContract(id: $id) { id } }';
  /** Revision, status and deletion of the published events. */
  const told = (id: string) =>
    contracts.told('contract.changed', id).map(({ revision, status, deleted }) => [revision, status, deleted]);

  async function play(origin: Origin, id: string, ...steps: string[]): Promise<void> {
    for (const step of steps) await must(contracts, origin, step, { id });
  }

  it.each([
    ['changed and given a worker', []],
    ['deleted', [DELETE]],
    ['cancelled', [CANCEL]],
    ['cancelled and deleted', [CANCEL, DELETE]],
  ])('of a draft that is %s before its submission, only milestones are published', async (_, end) => {
    const origin = staff();
    const id = await draft(contracts, origin, { ...HOURLY, milestones: [{ title: 'm', amount: '1' }] });
    await play(origin, id, RENAME, ...end);
    expect(contracts.typesTold(id)).toEqual(['contract.milestones-agreed']);
  });

  it('a contract is published from its submission on, even when it is returned to draft', async () => {
    const origin = staff();
    const id = await draft(contracts, origin);
    await advance(contracts, origin, id, 1);
    await play(origin, id, RETURN, RENAME);
    await advance(contracts, origin, id, 1);
    await play(origin, id, CANCEL, DELETE);
    expect(told(id)).toEqual([
      [3, 'pending_verification', false],
      [4, 'draft', false],
      [5, 'draft', false],
      [6, 'pending_verification', false],
      [7, 'cancelled', false],
      [8, 'cancelled', true],
    ]);
  });

  it('the end of a draft that was returned is published', async () => {
    const origin = staff();
    const [cancelled, deleted] = [await draft(contracts, origin), await draft(contracts, origin)];
    for (const id of [cancelled, deleted]) await advance(contracts, origin, id, 1);
    await play(origin, cancelled, RETURN, CANCEL);
    await play(origin, deleted, RETURN, DELETE);
    expect(told(cancelled).at(-1)).toEqual([5, 'cancelled', false]);
    expect(told(deleted).at(-1)).toEqual([5, 'draft', true]);
  });
});

it('a second signature of the same side changes nothing and emits no event', async () => {
  const origin = staff();
  const id = await draft(contracts, origin);
  await advance(contracts, origin, id, 4);
  const told = contracts.told('contract.changed', id).length;
  const again = await must(
    contracts,
    application(origin.actor.workspaceId),
    'mutation ($id: ID!) { sandboxSignAsWorker(id: $id) { status } }',
    { id },
  );
  expect(again['status']).toBe('pending_signature');
  expect(contracts.told('contract.changed', id)).toHaveLength(told);
});

describe('the details of a contract', () => {
  it('internal teams read them, in one statement for a list', async () => {
    const origin = staff();
    const benefits = { commissionPercentage: '2.5', commissionFrequency: 'annual' };
    await draft(contracts, origin, {
      ...HOURLY,
      description: 'd',
      skills: ['ts'],
      benefits,
      milestones: [{ title: 'm', amount: '1' }],
    });
    await draft(contracts, origin);
    const list = await must(
      contracts,
      origin,
      `{ contracts { nodes { details { description skills benefits { commissionPercentage commissionFrequency }
        compensation { type currency rate } milestones { id title amount } createdByPrincipal businessSignedAt } } } }`,
    );
    expect(list['nodes']).toMatchObject([
      { details: { description: null, milestones: [] } },
      {
        details: {
          description: 'd',
          skills: ['ts'],
          benefits,
          compensation: HOURLY.compensation,
          milestones: [{ id: expect.any(String), title: 'm', amount: '1' }],
          createdByPrincipal: origin.actor.principalId,
          businessSignedAt: null,
        },
      },
    ]);
  });

  it('API keys cannot read them', async () => {
    const origin = staff();
    const id = await draft(contracts, origin);
    const query = 'query ($id: ID!) { contract(id: $id) { title details { description } } }';
    expect(codes(await contracts.graphql(apiKey(origin.actor.workspaceId), query, { id }))).toEqual([
      'INSUFFICIENT_SCOPE',
    ]);
  });
});

describe('the text that is signed', () => {
  const TEXT = '{ contract(id: "ID") { agreement { text } } }';
  const textOf = async (origin: Origin, id: string): Promise<string> => {
    const contract = only(await contracts.graphql(origin, TEXT.replace('ID', id)));
    return (contract['agreement'] as { text: string }).text;
  };
  const told = (origin: Origin, revision: number, name: string, country: string): Promise<unknown> => {
    const { workspaceId } = origin.actor;
    const body = { businessId: workspaceId, revision, kybStatus: 'verified' as const, name, country };
    return contracts.run(projectBusiness, body, systemOrigin(workspaceId, 'event', 'r'));
  };

  it('names the business as its newest event does, and no workspace id', async () => {
    const origin = staff();
    await told(origin, 3, 'Südwind GmbH', 'AT');
    await told(origin, 2, 'Northwind', 'DE');
    const text = await textOf(origin, await draft(contracts, origin));
    expect(text).toContain('Between Südwind GmbH (Austria)\nand ');
    expect(text).not.toContain(origin.actor.workspaceId);
  });

  it('stays as sent for signature when the business is renamed', async () => {
    const origin = staff();
    await told(origin, 1, 'Northwind', 'DE');
    const id = await draft(contracts, origin);
    await advance(contracts, origin, id, -1);
    await told(origin, 2, 'Renamed', 'AT');
    expect(await textOf(origin, id)).toContain('Between Northwind (Germany)');
  });
});
