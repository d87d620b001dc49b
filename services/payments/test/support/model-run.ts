import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sql } from 'kysely';
import { EXPONENTS, Model, netOf, show, type Currency, type ModelPayment, type Script } from './model.js';
import type { Scene } from './scene.js';
import { TestWorkspace, type Contract, type PaymentMutation } from './test-workspace.js';

const SCRIPTS: readonly Script[] = [
  ...(['sandbox:iban', 'sandbox:declines', 'sandbox:declines-once', 'sandbox:settles-later'] as const),
  ...(['sandbox:times-out', 'sandbox:answer-lost', 'sandbox:order-lost', 'unverified', 'missing'] as const),
];

const currency = fc.constantFrom(...(Object.keys(EXPONENTS) as Currency[]));
const units = fc.bigInt({ min: 1n, max: 3_000n });
/** Picks one of the existing payments. */
const pick = fc.nat({ max: 1_000 });

const script = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...SCRIPTS.filter((one) => one !== 'missing' && one !== 'unverified')) },
  { weight: 1, arbitrary: fc.constantFrom('missing' as const, 'unverified' as const) },
);

/** Weighted so that most payments make progress: a model that refuses everything proves little. */
export const action = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('approve' as const),
      ...{ currency, units, script },
      source: fc.constantFrom('milestone', 'timesheet', 'timesheet without auto-pay'),
      dayOfJune: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('fund' as const), currency, units: fc.bigInt({ min: 1n, max: 9_000n }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('deduct' as const), pick, units }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('requestPayout', 'cancelPayment'), pick }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('requestRetry' as const), pick }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('business' as const), verified: fc.constantFrom(true, true, false) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('round' as const), runners: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('day' as const) }) },
);
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;

const FIRST_DAY = new Date('2027-06-01T00:00:00Z');

/** Applies the same steps to the model and to the service. */
export class Run {
  readonly model = new Model();
  private readonly contracts = new Map<Script, Contract>();
  private readonly scene: Scene;
  private now = FIRST_DAY;

  private constructor(private readonly workspace: TestWorkspace) {
    this.scene = workspace.scene;
  }

  static async begin(scene: Scene): Promise<Run> {
    await scene.clock.set(FIRST_DAY);
    const run = new Run(await TestWorkspace.open(scene));
    for (const one of SCRIPTS) {
      const destination = one === 'missing' ? undefined : one === 'unverified' ? 'sandbox:iban' : one;
      run.contracts.set(one, await run.workspace.contract(destination, one !== 'unverified'));
    }
    for (const code of Object.keys(EXPONENTS) as Currency[]) {
      await run.take({ do: 'fund', currency: code, units: 4_000n });
    }
    return run;
  }

  async take(one: Action): Promise<void> {
    switch (one.do) {
      case 'fund':
        this.model.fund(one.currency, one.units);
        return await this.workspace.fund(show(one.units, one.currency), one.currency);
      case 'approve':
        return await this.approve(one);
      case 'deduct':
        return await this.deduct(one);
      case 'business':
        this.model.businessVerified = one.verified;
        return await this.workspace.business(one.verified ? 'verified' : 'rejected');
      case 'round':
        return await this.round(one.runners);
      case 'day':
        return await this.pass(24);
      default:
        return await this.act(one);
    }
  }

  /** Several concurrent jobs give the result of one. Leases expire before the next round. */
  async round(runners: number): Promise<void> {
    this.model.round(this.now.toISOString().slice(0, 10));
    await Promise.all(Array.from({ length: runners }, () => this.scene.round()));
    await this.pass(2);
  }

  private async pass(hours: number): Promise<void> {
    this.now = new Date(this.now.getTime() + hours * 3_600_000);
    await this.scene.clock.set(this.now);
  }

  private async approve({ source, units: gross, dayOfJune, ...more }: Action & { do: 'approve' }): Promise<void> {
    const contract = this.contracts.get(more.script)!;
    const amount = show(gross, more.currency);
    const autoPay = source !== 'timesheet without auto-pay';
    const day = source === 'milestone' ? '' : `2027-06-0${dayOfJune}`;
    const id =
      source === 'milestone'
        ? await this.workspace.milestone(contract, amount, more.currency)
        : await this.workspace.timesheet(contract, amount, { currency: more.currency, day, autoPay });
    const fresh = { status: 'pending', reason: null, attempts: 0, asked: 0 } as const;
    const { script: of, currency: code } = more;
    this.model.payments.push({ id, day, autoPay, script: of, gross, currency: code, ...fresh, deductions: [] });
  }

  private async deduct({ pick: index, units: less }: Action & { do: 'deduct' }): Promise<void> {
    const payment = this.picked(index, 'pending');
    if (!payment) return;
    const answer = await this.workspace.deduct(payment.id, show(less, payment.currency));
    const allowed = payment.status === 'pending' && less <= netOf(payment);
    assert.equal(answer.errors === undefined, allowed);
    if (allowed) payment.deductions.push(less);
  }

  private async act({ do: mutation, pick: index }: { do: PaymentMutation; pick: number }): Promise<void> {
    const payment = this.picked(index, mutation === 'requestRetry' ? 'failed' : 'pending');
    if (!payment) return;
    const allowed = payment.status === (mutation === 'requestRetry' ? 'failed' : 'pending');
    const answer = await this.workspace.act(mutation, payment.id);
    assert.equal(answer.errors?.[0]?.extensions.code, allowed ? undefined : 'INVALID_STATE');
    if (!allowed) return;
    if (mutation === 'requestPayout') this.model.process(payment);
    else if (mutation === 'cancelPayment') payment.status = 'cancelled';
    else Object.assign(payment, { status: 'pending', reason: null });
  }

  /** Every fifth pick ignores the status, so that refusals occur too. */
  private picked(index: number, status: string): ModelPayment | undefined {
    const fitting = this.model.payments.filter((one) => index % 5 === 0 || one.status === status);
    return fitting[index % Math.max(fitting.length, 1)];
  }

  async compare(): Promise<void> {
    const { model, workspace } = this;
    const rows = await this.scene.sql(sql<{ id: string; status: string; reason: string | null; net: string }>`
      select id, status, failure_reason as reason, net from payment where workspace_id = ${workspace.id}`);
    const shown = new Map(rows.map((row) => [row.id, [row.status, row.reason, row.net]]));
    const modelled = model.payments.map((one): [string, unknown[]] => [
      one.id,
      [one.status, one.reason, show(netOf(one), one.currency)],
    ]);
    assert.deepEqual(shown, new Map(modelled));
    await this.compareMoney(await workspace.accounts());
  }

  private async compareMoney(accounts: Record<string, string>): Promise<void> {
    for (const code of Object.keys(EXPONENTS) as Currency[]) {
      const of = (status: string) =>
        this.model.payments.filter((one) => one.currency === code && one.status === status);
      const sum = (amounts: bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
      const settled = sum(of('completed').map(({ gross }) => gross));
      const expected = {
        funding: -(this.model.funded.get(code) ?? 0n),
        available: this.model.available.get(code) ?? 0n,
        in_flight: sum(of('processing').map(netOf)),
        settled,
        deductions_payable: sum(of('completed').map(netOf)) - settled,
      };
      for (const [account, amount] of Object.entries(expected)) {
        assert.equal(accounts[`${code}/${account}`] ?? show(0n, code), show(amount, code), `${code}/${account}`);
      }
      assert.equal(sum(Object.values(expected)), 0n, `${code} adds up to zero`);
    }
  }

  /** The provider paid each completed payment's net once, by its own books. */
  async comparePaidOut(): Promise<void> {
    for (const payment of this.model.payments) {
      const paid = payment.status === 'completed' && netOf(payment) > 0n;
      const expected = paid ? [show(netOf(payment), payment.currency)] : [];
      assert.deepEqual(await this.workspace.paidOut(payment.id), expected);
    }
  }
}
