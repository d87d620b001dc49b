import { newId } from '@payroll/kernel';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import {
  assignWorker,
  copyContract,
  createContractDraft,
  updateContractDraft,
} from '../src/commands/contract-drafts.js';
import { registerWorker } from '../src/commands/workers.js';
import { submitContractForVerification } from '../src/commands/contract-life.js';
import { apiKey, Contracts, HOURLY, staff } from './support.js';

const contracts = await Contracts.open('contracts_drafts');
afterAll(() => contracts[Symbol.asyncDispose]());

const milestone = { title: 'First version', amount: '1000.5', dueDate: '2027-03-01', documentIds: [newId()] };

describe('creating a draft', () => {
  it("emits only the draft's milestones, with their final ids", async () => {
    const origin = apiKey(newId());
    const draft = {
      title: 't',
      compensation: { type: 'milestone', currency: 'EUR' },
      milestones: [milestone],
    } as const;
    const { id } = await contracts.run(createContractDraft, { ...draft, milestones: [milestone] }, origin);
    expect(contracts.typesTold(id)).toEqual(['contract.milestones-agreed']);
    expect(contracts.told('contract.milestones-agreed', id)).toEqual([
      {
        contractId: id,
        milestones: [
          {
            milestoneId: expect.any(String),
            title: milestone.title,
            description: null,
            amount: { amount: '1000.50', currency: 'EUR' },
            dueDate: '2027-03-01',
            sortOrder: 0,
          },
        ],
        agreements: {},
      },
    ]);
  });

  it('orders by sortOrder, then as sent; milestone ids sort newest first like lists', async () => {
    const origin = apiKey(newId());
    const milestones = [
      { ...milestone, title: 'third', sortOrder: 2 },
      { ...milestone, title: 'second' },
      { ...milestone, title: 'fourth', sortOrder: 2 },
      { ...milestone, title: 'first', sortOrder: 0 },
    ];
    const creatorDeliverables = [3, undefined, 1, 0].map((sortOrder, index) => {
      const brief = ['fourth', 'second', 'third', 'first'][index]!;
      return { platform: 'x', format: 'post', brief, amount: '1', sortOrder } as const;
    });
    const draft = { title: 't', contractType: 'contractor_creator', milestones, creatorDeliverables } as const;
    const input = { ...draft, milestones, creatorDeliverables };
    const { id, creator } = await contracts.run(createContractDraft, input, origin);
    const [told] = contracts.told('contract.milestones-agreed', id);
    const byId = told!.milestones.toSorted((a, b) => (a.milestoneId < b.milestoneId ? 1 : -1));
    expect(byId.map(({ title }) => title)).toEqual(['first', 'second', 'third', 'fourth']);
    expect(creator?.deliverables.map(({ brief }) => brief)).toEqual(['first', 'second', 'third', 'fourth']);
    const byOrder = '{ contracts { nodes { details { milestones { title } } creator { deliverables { brief } } } } }';
    const { data } = await contracts.graphql(staff(origin.actor.workspaceId), byOrder);
    const titles = ['first', 'second', 'third', 'fourth'];
    expect(data).toEqual({
      contracts: {
        nodes: [
          {
            details: { milestones: titles.map((title) => ({ title })) },
            creator: { deliverables: titles.map((brief) => ({ brief })) },
          },
        ],
      },
    });
  });

  it('emits no milestones event for a draft without milestones', async () => {
    const { id } = await contracts.run(createContractDraft, { title: 't' }, apiKey(newId()));
    expect(contracts.typesTold(id)).toEqual([]);
  });

  it('refuses what the facade would refuse, naming every problem, and writes nothing', async () => {
    const origin = apiKey(newId());
    const draft = { title: '', compensation: { type: 'hourly', currency: 'EURO', rate: '-1' } } as const;
    await expect(contracts.run(createContractDraft, draft, origin)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [
        { path: 'title', code: 'too_short' },
        { path: 'compensation.currency', code: 'invalid_format' },
        { path: 'compensation.rate', code: 'out_of_range' },
      ],
    });
    expect(await contracts.audited(origin.actor.workspaceId)).toEqual([]);
  });

  it('refuses more milestones than fit into one event', async () => {
    const milestones = Array.from({ length: 100 }, () => ({ ...milestone, description: 'd'.repeat(10_000) }));
    await expect(contracts.run(createContractDraft, { title: 't', milestones }, staff())).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ path: 'milestones', code: 'too_long' }],
    });
  });

  it('a reference is unique per workspace and principal; a repeated operation returns the draft', async () => {
    const [workspaceId, operationId] = [newId(), newId()];
    const origin = apiKey(workspaceId);
    const draft = { title: 't', externalReference: 'po-1' };
    const first = await contracts.run(createContractDraft, draft, { ...origin, operationId });
    expect(await contracts.run(createContractDraft, draft, { ...origin, operationId })).toEqual(first);
    await expect(contracts.run(createContractDraft, draft, origin)).rejects.toMatchObject({
      code: 'EXTERNAL_REFERENCE_EXISTS',
    });
    await expect(contracts.run(createContractDraft, draft, apiKey(workspaceId))).resolves.toBeTruthy();
    await expect(contracts.run(createContractDraft, draft, apiKey(newId(), origin.actor))).rejects.toMatchObject({
      code: 'EXTERNAL_REFERENCE_EXISTS',
    });
  });

  it('refuses a reference with a character that Postgres does not store, as any other text', async () => {
    const draft = { title: 't', externalReference: 'PO-\0' };
    await expect(contracts.run(createContractDraft, draft, staff())).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ path: 'externalReference', code: 'invalid_characters' }],
    });
  });

  it.each(['viewer', 'member'] as const)(
    'an API key with role %s creates a draft only if the role allows it',
    async (role) => {
      const made = contracts.run(createContractDraft, { title: 't' }, apiKey(newId(), { role }));
      if (role === 'member') await expect(made).resolves.toMatchObject({ status: 'draft' });
      else await expect(made).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
    },
  );

  it('keeps every digit of an amount', async () => {
    const rate = '1234567890123456789012345678.12345678';
    const draft = { title: 't', compensation: { type: 'hourly', currency: 'EUR', rate } } as const;
    const origin = staff();
    const { id } = await contracts.run(createContractDraft, draft, origin);
    const { data } = await contracts.graphql(origin, `{ contract(id: "${id}") { details { terms { rate } } } }`);
    expect(data).toEqual({ contract: { details: { terms: { rate } } } });
  });
});

interface Row {
  draft: { milestones: { id: string; title: string }[] };
}

it('a copy has the content, the worker and the present terms, and new ids; the contract stays as it is', async () => {
  const workspaceId = newId();
  const [origin, key] = [staff(workspaceId), apiKey(workspaceId)];
  const worker = await contracts.run(registerWorker, { name: 'Wanda', email: 'w@example.com' }, origin);
  const draft = {
    ...{ title: 'Site', startDate: '2026-01-01', externalReference: 'po-1', compensation: HOURLY.compensation },
    milestones: [milestone, { ...milestone, title: 'Second' }],
  };
  const made = await contracts.run(createContractDraft, draft, key);
  await contracts.run(assignWorker, { contractId: made.id, workerId: worker.id }, origin);
  const rowOf = async (id: string) => {
    const { rows } = await sql<{ row: Row }>`select to_jsonb(contract) as row from contract where id = ${id}`.execute(
      contracts.em.getKysely(),
    );
    return rows[0]!.row;
  };
  await sql`update contract set rate = '91.5', payment_due_days = 9, auto_pay_enabled = false where id = ${made.id}`.execute(
    contracts.em.getKysely(),
  );
  const before = await rowOf(made.id);
  const copied = await contracts.run(copyContract, { id: made.id }, origin);
  const after = await rowOf(copied.id);
  expect(await rowOf(made.id)).toEqual(before);
  expect(after).toMatchObject({
    ...{ status: 'draft', revision: 1, worker_id: worker.id, external_reference: null },
    ...{ rate: 91.5, payment_due_days: 9, auto_pay_enabled: false },
    draft: { compensation: { rate: '91.5' }, invoicingSettings: { paymentDueDays: 9, autoPayEnabled: false } },
  });
  expect(after.draft.milestones.map(({ title }) => title)).toEqual(['First version', 'Second']);
  const ids = new Set([...before.draft.milestones, ...after.draft.milestones].map(({ id }) => id));
  expect(ids.size).toBe(4);
  expect(contracts.told('contract.milestones-agreed', copied.id)).toMatchObject([{ agreements: {} }]);
  for (const id of [newId(), 'no-id']) await expect(contracts.run(copyContract, { id }, origin)).rejects.toThrow();
  await expect(contracts.run(copyContract, { id: made.id }, staff(newId()))).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});

it('a complete draft can be submitted for verification and cannot be changed afterwards', async () => {
  const origin = staff();
  const { id } = await contracts.run(createContractDraft, { title: 't', contractType: 'contractor_payg' }, origin);
  await expect(contracts.run(submitContractForVerification, { id }, origin)).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    details: ['worker', 'startDate', 'compensation.rate'].map((path) => ({ path, code: 'required' })),
  });
  const worker = await contracts.run(registerWorker, { name: 'Wanda', email: 'w@example.com' }, origin);
  await contracts.run(assignWorker, { contractId: id, workerId: worker.id }, origin);
  await contracts.run(updateContractDraft, { id, ...HOURLY }, origin);
  await expect(contracts.run(submitContractForVerification, { id }, origin)).resolves.toMatchObject({
    status: 'pending_verification',
    worker: { id: worker.id, name: 'Wanda' },
  });
  await expect(contracts.run(updateContractDraft, { id, title: 'x' }, origin)).rejects.toMatchObject({
    code: 'INVALID_STATE',
  });
  await expect(contracts.run(assignWorker, { contractId: id, workerId: worker.id }, origin)).rejects.toMatchObject({
    code: 'INVALID_STATE',
  });
});
