import { systemOrigin, unavailable, type Origin } from '@payroll/kernel';
import { Commands, type Command } from '@payroll/commands';
import { sql } from 'kysely';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { recordPayoutAnswer } from '../src/commands/record-payout-answer.js';
import type { OrderingProvider } from '../src/payouts/provider.js';
import { Scene } from './support/scene.js';
import { TestWorkspace, type Contract } from './support/test-workspace.js';

let workspace: TestWorkspace;
const scene = await Scene.open('payments_exactly_once');
beforeEach(async () => {
  workspace = await TestWorkspace.open(scene);
  await workspace.fund('1000');
});
afterAll(() => scene[Symbol.asyncDispose]());

/** Simulates that the process is killed at this point. */
const killed = (): Promise<never> => Promise.reject(new Error('killed'));

function providerThat(replaced: Partial<OrderingProvider>): OrderingProvider {
  const { sandbox } = scene;
  return {
    submit: replaced.submit ?? ((order) => sandbox.submit(order)),
    lookUp: replaced.lookUp ?? ((order) => sandbox.lookUp(order)),
  };
}

/** Can begin payouts, but not record their outcome. */
class BrokenRunner extends Commands {
  override run<Input, Result>(command: Command<Input, Result>, input: Input, origin: Origin): Promise<Result> {
    if (command.name === recordPayoutAnswer.name) return Promise.reject(unavailable('The database'));
    return super.run(command, input, origin);
  }
}

async function expectPaidOnce(id: string, amount: string): Promise<void> {
  expect(await workspace.payment(id)).toMatchObject({ status: 'completed' });
  expect(await workspace.paidOut(id)).toEqual([amount]);
  expect(await workspace.accounts()).toMatchObject({ 'EUR/in_flight': '0.00', 'EUR/settled': amount });
}

it('pays once if killed after committing the attempt and before submitting it', async () => {
  const id = await workspace.milestone(await workspace.contract('sandbox:iban'), '10.00');
  await scene.round(providerThat({ submit: killed }));
  expect(await workspace.payment(id)).toMatchObject({ status: 'processing', payoutAttempts: [{ status: 'prepared' }] });
  expect(await workspace.paidOut(id)).toEqual([]);
  await scene.round();
  expect((await workspace.payment(id)).status, 'its lease is not over').toBe('processing');
  await scene.passTwoHours();
  await scene.round();
  await expectPaidOnce(id, '10.00');
});

it('pays once if killed after submitting and before recording the answer', async () => {
  const id = await workspace.milestone(await workspace.contract('sandbox:iban'), '10.00');
  const { sandbox } = scene;
  await scene.round(providerThat({ submit: (order) => sandbox.submit(order).then(killed) }));
  expect(await workspace.payment(id)).toMatchObject({ status: 'processing' });
  expect(await workspace.paidOut(id), 'the money is gone').toEqual(['10.00']);
  await scene.passTwoHours();
  const submitAgain = (): Promise<never> => Promise.reject(new Error('must be looked up, not submitted'));
  await scene.round(providerThat({ submit: submitAgain }));
  await expectPaidOnce(id, '10.00');
});

it('pays once if Postgres fails in the settling transaction repeatedly', async () => {
  const id = await workspace.milestone(await workspace.contract('sandbox:iban'), '10.00');
  const broken = new BrokenRunner({ em: scene.em });
  for (let times = 0; times < 3; times += 1) {
    await scene.round(scene.sandbox, broken);
    await scene.passTwoHours();
  }
  expect((await workspace.payment(id)).status).toBe('processing');
  await scene.round();
  await expectPaidOnce(id, '10.00');
});

it.each(['sandbox:settles-later', 'sandbox:times-out', 'sandbox:answer-lost', 'sandbox:order-lost'])(
  'pays once with a provider that plays %s',
  async (script) => {
    const id = await workspace.milestone(await workspace.contract(script), '10.00');
    await scene.round();
    expect((await workspace.payment(id)).status).toBe('processing');
    expect(await workspace.accounts()).toMatchObject({ 'EUR/available': '990.00', 'EUR/in_flight': '10.00' });
    await scene.passTwoHours();
    await scene.round();
    await expectPaidOnce(id, '10.00');
    expect((await workspace.payment(id)).payoutAttempts).toHaveLength(1);
  },
);

it('without a final answer, the net stays reserved and no second attempt is made', async () => {
  const id = await workspace.milestone(await workspace.contract('sandbox:stays-under-way'), '10.00');
  for (let rounds = 0; rounds < 3; rounds += 1) {
    await scene.round();
    await scene.passTwoHours();
  }
  expect(await workspace.payment(id)).toMatchObject({
    status: 'processing',
    payoutAttempts: [
      {
        number: 1,
        status: 'submitted',
        providerReference: expect.stringMatching(/^sandbox-milestone:.{36}:1$/) as string,
      },
    ],
  });
  expect(await workspace.accounts()).toMatchObject({ 'EUR/available': '990.00', 'EUR/in_flight': '10.00' });
});

it('a payee change during a payout does not redirect it: the same attempt is submitted again', async () => {
  const contract = await workspace.contract('sandbox:iban-of-before');
  const id = await workspace.milestone(contract, '10.00');
  await scene.round(providerThat({ submit: killed }));
  const { id: payee } = (
    await workspace.ask<{ nodes: { id: string }[] }>('query ($w: ID) { payees(workerId: $w) { nodes { id } } }', {
      w: contract.workerId,
    })
  ).nodes[0]!;
  await workspace.ask(
    'mutation ($id: ID!) { changePayee(id: $id, payoutMethod: wise, destination: "sandbox:elsewhere") { id } }',
    { id: payee },
  );
  await scene.passTwoHours();
  const destinations: string[] = [];
  const { sandbox } = scene;
  const submit: OrderingProvider['submit'] = (order) => {
    destinations.push(order.destination);
    return sandbox.submit(order);
  };
  await scene.round(providerThat({ submit }));
  expect(destinations).toEqual(['sandbox:iban-of-before']);
  await expectPaidOnce(id, '10.00');
});

it('a repeated answer, or one after a final answer, is recorded once', async () => {
  const id = await workspace.milestone(await workspace.contract('sandbox:iban'), '10.00');
  await scene.round();
  const told = workspace.toldOf(id);
  const terms = {
    amount: { amount: '10', currency: 'EUR' },
    payoutMethod: 'bank_transfer',
    destination: 'sandbox:iban',
  } as const;
  const late = (['settled', 'declined', 'submitted'] as const).map((status) => ({
    ...terms,
    status,
    reference: 'late',
  }));
  const { idempotencyKey } = await workspace.order(id);
  for (const heard of [...late, null]) {
    await scene.commands.run(
      recordPayoutAnswer,
      { paymentId: id, attempt: 1, idempotencyKey, heard },
      systemOrigin(workspace.id, 'runner', 'req_late'),
    );
  }
  expect(workspace.toldOf(id)).toEqual(told);
  await expectPaidOnce(id, '10.00');
});

it('concurrent jobs on the same due payments pay each once, even if one is killed repeatedly', async () => {
  const scripts = [
    'sandbox:iban',
    'sandbox:settles-later',
    'sandbox:answer-lost',
    'sandbox:order-lost',
    'sandbox:times-out',
  ];
  const contracts: Contract[] = [];
  for (const script of scripts) contracts.push(await workspace.contract(script));
  const ids: string[] = [];
  for (let each = 0; each < 20; each += 1) ids.push(await workspace.milestone(contracts[each % 5]!, '1.25'));
  const mortal = providerThat({ submit: killed });
  for (let rounds = 0; rounds < 6; rounds += 1) {
    await Promise.all([scene.round(), scene.round(), ...(rounds < 3 ? [scene.round(mortal)] : [])]);
    await scene.passTwoHours();
  }
  for (const id of ids) {
    expect(await workspace.payment(id)).toMatchObject({ status: 'completed', payoutAttempts: [{ number: 1 }] });
    expect(await workspace.paidOut(id)).toEqual(['1.25']);
    expect(workspace.toldOf(id).map(([, status]) => status)).toEqual(['processing', 'completed']);
  }
  expect(await workspace.accounts()).toEqual({
    'EUR/funding': '-1000.00',
    'EUR/available': '975.00',
    'EUR/in_flight': '0.00',
    'EUR/settled': '25.00',
  });
});

it('pays once if a person initiates a payout repeatedly', async () => {
  const id = await workspace.timesheet(await workspace.contract('sandbox:iban'), '10.00', { autoPay: false });
  const answers = await Promise.all(Array.from({ length: 8 }, () => workspace.act('requestPayout', id)));
  expect(answers.filter(({ errors }) => errors === undefined)).toHaveLength(1);
  await Promise.all([scene.round(), scene.round()]);
  await expectPaidOnce(id, '10.00');
});

it('Postgres refuses a second attempt, settlement or payment for the same work', async () => {
  const id = await workspace.milestone(await workspace.contract('sandbox:iban'), '10.00');
  await scene.round();
  const insert = (statement: ReturnType<typeof sql>): Promise<unknown> => statement.execute(scene.em.getKysely());
  await expect(
    insert(sql`insert into payout_attempt (workspace_id, payment_id, number, status, idempotency_key, payee_id, worker_id, payout_method,
        destination, currency, amount, polls, created_at, updated_at)
      select workspace_id, payment_id, 2, 'prepared', 'another', payee_id, worker_id, payout_method, destination, currency, amount, 0, created_at,
        updated_at from payout_attempt where payment_id = ${id}`),
  ).rejects.toThrow('payout_attempt_alone');
  await expect(
    insert(sql`insert into ledger_posting select workspace_id, gen_random_uuid(), kind, payment_id, 2, null, created_at
      from ledger_posting where payment_id = ${id} and kind = 'settlement'`),
  ).rejects.toThrow('ledger_posting_settled_once');
  await expect(
    insert(sql`insert into payment select workspace_id, gen_random_uuid(), contract_id, source_type, source_id, status,
      sequence, currency, gross, net, scheduled_date, auto_pay_enabled, null, null, null, null, created_at, updated_at
      from payment where id = ${id}`),
  ).rejects.toThrow('payment_once_per_source');
});
