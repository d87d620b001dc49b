import { newId } from '@payroll/kernel';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { balancesOf } from '../src/queries/money.js';
import { Scene } from './support/scene.js';
import { TestWorkspace } from './support/test-workspace.js';

let workspace: TestWorkspace;
const scene = await Scene.open('payments_ledger');
beforeEach(async () => {
  workspace = await TestWorkspace.open(scene);
});
afterAll(() => scene[Symbol.asyncDispose]());

const ENTRIES = `query ($account: LedgerAccountName, $currency: String, $paymentId: ID, $limit: Int!, $cursor: String) {
  ledgerEntries(account: $account, currency: $currency, paymentId: $paymentId, limit: $limit, cursor: $cursor) {
    nodes { id postingId kind paymentId account amount { amount currency } } hasMore nextCursor } }`;

interface Entries {
  nodes: {
    id: string;
    postingId: string;
    kind: string;
    account: string;
    amount: { amount: string; currency: string };
  }[];
  hasMore: boolean;
  nextCursor: string | null;
}

describe('funding', () => {
  it('keeps all digits of a currency with six', async () => {
    await workspace.fund('0.000001', 'USDC');
    await workspace.fund('1.1', 'USDC');
    expect((await workspace.accounts())['USDC/available']).toBe('1.100001');
  });
});

it('lists entries newest first, page by page, by account, currency and payment', async () => {
  await workspace.fund('100');
  await workspace.fund('7', 'USD');
  const paymentId = await workspace.milestone(await workspace.contract('sandbox:iban'), '30.00');
  await scene.round();
  const all = await workspace.ask<Entries>(ENTRIES, { limit: 100 });
  expect(all.nodes).toHaveLength(8);
  const paged: Entries['nodes'] = [];
  let page: Entries = { nodes: [], hasMore: true, nextCursor: null };
  while (page.hasMore) {
    page = await workspace.ask<Entries>(ENTRIES, { limit: 3, cursor: page.nextCursor });
    paged.push(...page.nodes);
  }
  expect(paged).toEqual(all.nodes);
  const of = async (filter: object): Promise<Entries['nodes']> =>
    (await workspace.ask<Entries>(ENTRIES, { limit: 100, ...filter })).nodes;
  expect(await of({ currency: 'USD' })).toHaveLength(2);
  expect((await of({ account: 'available' })).map(({ amount }) => amount.amount)).toEqual(['-30.00', '7.00', '100.00']);
  expect(new Set((await of({ paymentId })).map(({ kind }) => kind))).toEqual(new Set(['reservation', 'settlement']));
  expect(await of({ paymentId: 'no-id' })).toEqual([]);
});

describe('the ledger in Postgres', () => {
  const posting = async (amounts: Record<string, [string, string]>): Promise<unknown> => {
    const id = newId();
    return await scene.em.fork().transactional(async (em) => {
      const db = em.getKysely();
      await sql`insert into ledger_posting values (${workspace.id}, ${id}, 'funding', null, null, null, now())`.execute(
        db,
      );
      for (const [account, [amount, currency]] of Object.entries(amounts)) {
        await sql`insert into ledger_entry
          values (${workspace.id}, ${newId()}, ${id}, ${account}, ${currency}, ${amount}, now())`.execute(db);
      }
    });
  };

  beforeEach(async () => {
    await workspace.fund('10');
    await workspace.fund('10', 'USD');
  });

  it('accepts a posting that adds up to zero, and refuses any other', async () => {
    await posting({ funding: ['-5', 'EUR'], available: ['5', 'EUR'] });
    await expect(posting({ funding: ['-5', 'EUR'], available: ['5.01', 'EUR'] })).rejects.toThrow('does not add up');
    await expect(posting({ available: ['5', 'EUR'] })).rejects.toThrow('does not add up');
    await expect(posting({ funding: ['-5', 'EUR'], available: ['5', 'USD'] })).rejects.toThrow('in each currency');
  });

  it('refuses an entry in an unknown account', async () => {
    await expect(posting({ in_flight: ['5', 'EUR'], available: ['-5', 'EUR'] })).rejects.toThrow(
      'ledger_entry_in_an_account',
    );
  });

  it.each(['ledger_entry', 'ledger_posting', 'audit_entry'])('lets the service change no row of %s', async (table) => {
    const refuse = (statement: ReturnType<typeof sql>) =>
      expect(statement.execute(scene.em.getKysely())).rejects.toThrow('permission denied');
    await refuse(sql`update ${sql.table(table)} set workspace_id = workspace_id`);
    await refuse(sql`delete from ${sql.table(table)}`);
    await refuse(sql`truncate ${sql.table(table)}`);
  });

  it.each([
    ['available', '-0.01'],
    ['funding', '0.01'],
  ])('refuses a balance of %s on the wrong side of zero', async (account, balance) => {
    await expect(
      scene.sql(sql`
        update ledger_account set balance = ${balance}
        where workspace_id = ${workspace.id} and account = ${account} and currency = 'EUR'`),
    ).rejects.toThrow('ledger_account_balance_check');
  });
});

describe('balances', () => {
  const BALANCES = '{ balances { available { amount currency } pending { amount currency } asOf } }';

  it('are empty, as of now, for a workspace without money', async () => {
    expect(await workspace.ask(BALANCES)).toEqual({
      available: [],
      pending: [],
      asOf: expect.stringMatching(/^\d{4}-.*\.\d{6}Z$/),
    });
  });

  it('have one amount per currency, spendable and the net of pending and processing payments', async () => {
    await workspace.fund('100');
    await workspace.fund('3', 'USDC');
    const later = await workspace.contract('sandbox:settles-later');
    await workspace.milestone(later, '40.00');
    await scene.round();
    const deducted = await workspace.timesheet(later, '10.00', { autoPay: false });
    await workspace.deduct(deducted, '2.50');
    await workspace.timesheet(later, '500', { currency: 'JPY', autoPay: false });
    const cancelled = await workspace.timesheet(later, '99.00', { autoPay: false });
    await workspace.act('cancelPayment', cancelled);
    expect(await workspace.ask(BALANCES)).toMatchObject({
      available: [
        { amount: '60.00', currency: 'EUR' },
        { amount: '0', currency: 'JPY' },
        { amount: '3.000000', currency: 'USDC' },
      ],
      pending: [
        { amount: '47.50', currency: 'EUR' },
        { amount: '500', currency: 'JPY' },
        { amount: '0.000000', currency: 'USDC' },
      ],
    });
  });

  it('requested together are each of their own workspace, and of one moment', async () => {
    const [poor, rich, european] = [workspace, await TestWorkspace.open(scene), await TestWorkspace.open(scene)];
    await rich.fund('100', 'USD');
    await rich.fund('7');
    await european.fund('3');
    await european.timesheet(await european.contract('sandbox:iban'), '500', { currency: 'JPY', autoPay: false });
    const all = [poor, rich, european, rich].map(({ id }) => ({ workspaceId: id, id }));
    all.push(...all.map(({ id }) => ({ workspaceId: id.toUpperCase(), id: id.toUpperCase() })));
    const found = await balancesOf(scene.em)(all);
    const [none, two, other] = [poor, rich, european].map(({ id }) => found.get(`${id}/${id}`)!);
    expect(found.size).toBe(3);
    expect(none).toMatchObject({ available: [], pending: [] });
    expect(two!.available).toEqual([
      { amount: '7.00', currency: 'EUR' },
      { amount: '100.00', currency: 'USD' },
    ]);
    expect(other).toMatchObject({
      available: [{ amount: '3.00', currency: 'EUR' }, { currency: 'JPY' }],
      pending: [{ currency: 'EUR' }, { amount: '500', currency: 'JPY' }],
    });
    expect(new Set([none, two, other].map((each) => each!.asOf)).size).toBe(1);
  });
});
