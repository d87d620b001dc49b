import assert from 'node:assert/strict';
import { derivedId, newId, type Origin } from '@payroll/kernel';
import { sql } from 'kysely';
import type { PayoutOrder } from '../../src/payouts/provider.js';
import { staff, type GraphqlAnswer, type Scene } from './scene.js';

export interface Contract {
  contractId: string;
  workerId: string;
}

export interface ShownPayment {
  id: string;
  status: string;
  failureReason: string | null;
  grossAmount: { amount: string; currency: string };
  netAmount: { amount: string; currency: string };
  scheduledDate: string | null;
  processedAt: string | null;
  completedAt: string | null;
  updatedAt: string;
  deductions: { id: string; name: string; amount: { amount: string } }[];
  payoutAttempts: { number: number; status: string; providerReference: string | null; alarm: string | null }[];
}

const PAYMENT_FIELDS = `id status failureReason grossAmount { amount currency } netAmount { amount currency }
  scheduledDate processedAt completedAt updatedAt
  deductions { id name amount { amount } } payoutAttempts { number status providerReference alarm }`;

export type PaymentMutation = 'requestPayout' | 'requestRetry' | 'cancelPayment';

export const LETTER = 'Their letter of 3 June';

/** A workspace of its own in a scene: its staff's GraphQL requests and the events of other services. */
export class TestWorkspace {
  readonly origin: Origin;
  /** The second person of finance. */
  readonly second: Origin;
  private revision = 0;

  constructor(
    readonly scene: Scene,
    readonly id = newId(),
  ) {
    this.origin = staff(id);
    this.second = staff(id, { person: 'finn@example.com' });
  }

  /** With a verified business, so that a test has to set up only what it is about. */
  static async open(scene: Scene): Promise<TestWorkspace> {
    const workspace = new TestWorkspace(scene);
    await workspace.business('verified');
    return workspace;
  }

  async send(query: string, variables: object = {}, origin: Origin = this.origin): Promise<GraphqlAnswer> {
    return await this.scene.send(query, variables, origin);
  }

  /** The value of the answer's only field. */
  async ask<T>(query: string, variables: object = {}): Promise<T> {
    const answer = await this.send(query, variables);
    assert.equal(answer.errors, undefined);
    return Object.values(answer.data!)[0] as T;
  }

  async business(kybStatus: 'not_started' | 'pending' | 'verified' | 'rejected'): Promise<void> {
    const body = { businessId: this.id, revision: ++this.revision, kybStatus, name: 'Northwind', country: 'DE' };
    await this.scene.hear('business.changed', this.id, this.id, body);
  }

  /** A contract with a worker; with a destination also a payee, verified by default. */
  async contract(destination?: string, verified = true): Promise<Contract> {
    const contract = { contractId: newId(), workerId: newId() };
    await this.scene.hear('contract.changed', this.id, contract.contractId, contractBody(contract));
    if (destination !== undefined) {
      const id = await this.payee(contract.workerId, destination);
      if (verified) assert.equal((await this.verify(id)).errors, undefined);
    }
    return contract;
  }

  async payee(workerId: string, destination = 'DE02120300000000202051'): Promise<string> {
    const query = `mutation ($workerId: ID!, $destination: String!) {
      registerPayee(workerId: $workerId, payoutMethod: bank_transfer, destination: $destination) { id } }`;
    return (await this.ask<{ id: string }>(query, { workerId, destination })).id;
  }

  /** Verifies as the second person, with the current version and destination unless given. */
  async verify(
    id: string,
    seen: { version?: string; destination?: string } = {},
    by: Origin = this.second,
  ): Promise<GraphqlAnswer> {
    const query = `mutation ($id: ID!, $version: String!, $destination: String!) {
      verifyPayee(id: $id, expectedVersion: $version, destination: $destination) { verificationStatus changedBy verifiedBy } }`;
    const [entered] = await this.scene.sql<{ destination: string }>(
      sql`select destination from payee where id = ${id}`,
    );
    const { version = await this.versionOf(id), destination = entered?.destination ?? 'none' } = seen;
    return await this.send(query, { id, version, destination }, by);
  }

  async versionOf(payeeId: string): Promise<string> {
    const payee = await this.ask<{ version: string } | null>('query ($id: ID!) { payee(id: $id) { version } }', {
      id: payeeId,
    });
    return payee?.version ?? 'none';
  }

  async milestone(
    { contractId }: Pick<Contract, 'contractId'>,
    amount: string,
    currency = 'EUR',
    milestoneId = newId(),
  ): Promise<string> {
    const paymentId = derivedId('payment', 'milestone', milestoneId);
    const body = { milestoneId, contractId, paymentId, revision: 1, amount: { amount, currency } };
    await this.scene.hear('milestone.approved', this.id, paymentId, body);
    return paymentId;
  }

  async timesheet(
    { contractId }: Contract,
    amount: string,
    { currency = 'EUR', day = '2027-06-01', autoPay = true } = {},
  ): Promise<string> {
    const paymentId = newId();
    await this.scene.hear('timesheet.approved', this.id, paymentId, {
      timesheetId: newId(),
      contractId,
      paymentId,
      revision: 1,
      total: { amount, currency },
      periodStart: '2027-05-01',
      periodEnd: '2027-05-31',
      paymentScheduledDate: day,
      autoPayEnabled: autoPay,
    });
    return paymentId;
  }

  async fund(amount: string, currency = 'EUR'): Promise<void> {
    const { id } = await this.ask<{ id: string }>(
      `mutation ($amount: Decimal!, $currency: String!, $transaction: String!) {
        requestFunding(amount: $amount, currency: $currency, reference: "by a test", bankTransactionId: $transaction) { id } }`,
      { amount, currency, transaction: newId() },
    );
    assert.equal((await this.countersign(id)).errors, undefined);
  }

  async countersign(id: string, origin: Origin = this.second): Promise<GraphqlAnswer> {
    return await this.send('mutation ($id: ID!) { countersignInstruction(id: $id) { status } }', { id }, origin);
  }

  /** Requests, as the first person, that a payment be settled or failed. */
  async requestOutcome(id: string, wasPaid: boolean, reason = LETTER): Promise<GraphqlAnswer> {
    const query = `mutation ($id: ID!, $wasPaid: Boolean!, $reason: String!) {
      requestOutcome(paymentId: $id, wasPaid: $wasPaid, reason: $reason) { id kind reason paymentId amount { amount } } }`;
    return await this.send(query, { id, wasPaid, reason });
  }

  async payment(id: string): Promise<ShownPayment> {
    return await this.ask(`query ($id: ID!) { payment(id: $id) { ${PAYMENT_FIELDS} } }`, { id });
  }

  /**
   * Runs a mutation whose only argument is the payment, with both persons if it needs two. @returns the first refusal,
   * or the answer
   */
  async act(mutation: PaymentMutation, paymentId: string): Promise<GraphqlAnswer> {
    const answer = await this.send(`mutation ($id: ID!) { ${mutation}(paymentId: $id) { id } }`, { id: paymentId });
    if (answer.errors || mutation === 'cancelPayment') return answer;
    return await this.countersign((answer.data![mutation] as { id: string }).id);
  }

  async deduct(paymentId: string, amount: string, name = 'tax'): Promise<GraphqlAnswer> {
    return await this.send(
      `mutation ($paymentId: ID!, $name: String!, $amount: Decimal!) {
        addDeduction(paymentId: $paymentId, name: $name, amount: $amount) { ${PAYMENT_FIELDS} } }`,
      { paymentId, amount, name },
    );
  }

  /** `currency/account` → balance, after checking that every balance equals the sum of its entries. */
  async accounts(): Promise<Record<string, string>> {
    const accounts = await this.ask<
      { account: string; balance: { amount: string; currency: string }; entriesTotal: object }[]
    >('{ ledgerAccounts { account balance { amount currency } entriesTotal { amount currency } } }');
    for (const { balance, entriesTotal } of accounts) assert.deepEqual(entriesTotal, balance);
    return Object.fromEntries(
      accounts.map(({ account, balance }) => [`${balance.currency}/${account}`, balance.amount]),
    );
  }

  /** The sequence and status of this payment's events, in order. */
  toldOf(paymentId: string): [number, string][] {
    return this.scene.told
      .filter(({ aboutId, type }) => aboutId === paymentId && type.startsWith('payment.'))
      .map(({ body }) => body as { sequence: number; status: string })
      .toSorted((a, b) => a.sequence - b.sequence)
      .map(({ sequence, status }) => [sequence, status]);
  }

  /** The order that the provider is sent for the first attempt at a payment. */
  async order(paymentId: string): Promise<PayoutOrder> {
    const [order] = await this.scene.sql(sql<PayoutOrder>`
      select idempotency_key as "idempotencyKey", payout_method as "payoutMethod", destination,
        json_build_object('amount', amount::text, 'currency', currency) as amount,
        json_build_object('workspaceId', workspace_id, 'workerId', worker_id) as recipient
      from payout_attempt where payment_id = ${paymentId} and number = 1`);
    return order!;
  }

  async keyOf(paymentId: string): Promise<string> {
    return (await this.order(paymentId)).idempotencyKey;
  }

  /** The amounts that the provider really paid for a payment. */
  async paidOut(paymentId: string): Promise<string[]> {
    const attempts = await this.scene.sql(sql<{ key: string }>`
      select idempotency_key as key from payout_attempt where payment_id = ${paymentId}`);
    const orders = attempts.flatMap(({ key }) => this.scene.sandbox.booksOn(key));
    return orders.filter(({ state }) => state === 'settled').map(({ amount }) => amount);
  }
}

export function contractBody({ contractId, workerId }: { contractId: string; workerId: string | null }, revision = 1) {
  return {
    contractId,
    revision,
    status: 'active',
    employmentType: 'contractor',
    contractType: 'contractor_payg',
    workerId,
    currency: 'EUR',
    rate: '50',
    paymentDueDays: 0,
    autoPayEnabled: true,
    autoApproveAfterDays: null,
    timesheetApprovalRequired: true,
    deleted: false,
  } as const;
}
