import assert from 'node:assert/strict';
import { vi } from 'vitest';
import { CANCEL_PAYMENT, REQUEST_PAYOUT, REQUEST_RETRY } from '@payroll/tools/demo/operations';
import { AGREEMENTS } from './agreements.js';
import { lineOf, Model, paysItself, type Deal, type Work } from './model.js';
import { CURRENCIES, plain } from './money.js';
import { addDays, Players } from './play.js';
import { readBalances, readLines, readPayments } from './reads.js';
import { Workspace } from './workspace.js';

/** A payout to a destination that always declines fails permanently after this many attempts. */
export const MAX_ATTEMPTS = 3;
/** Longer than any contract's due days. */
const AFTERMATH_DAYS = 60;
const MILESTONE_DAY = '-10';

/**
 * Plays a year, day by day. At the end of each month it compares every piece of work and its payment with the model.
 */
export class Year implements AsyncDisposable {
  readonly model = new Model();
  readonly deals: Deal[] = [];
  /** Failure reasons of payments seen at the end of any month. */
  readonly failures = new Set<string>();
  private readonly players: Players;

  private constructor(
    readonly workspace: Workspace,
    private readonly year: number,
  ) {
    this.players = new Players(workspace, this.model, year);
  }

  static async begin(year: number): Promise<Year> {
    return new Year(await Workspace.open(morningOf(`${year}-01-01`)), year);
  }

  async live(seed: number): Promise<void> {
    // One after the other: a workspace's commands run in turn anyway, and on a busy machine some would time out.
    for (const [n, agreement] of AGREEMENTS.entries()) this.deals.push(await this.players.agree(agreement, seed + n));
    for (const currency of CURRENCIES) if (currency !== 'KWD') await this.players.fund(currency, '9000000');
    for (let day = `${this.year}-01-01`; day <= `${this.year}-12-31`; day = addDays(day, 1)) {
      await this.beforeDay(day);
      await this.workspace.clock.set(morningOf(day));
      await Promise.all(this.deals.filter(({ hasEnded }) => !hasEnded).map((deal) => this.workDay(deal, day)));
      if (isLastOfMonth(day)) await this.closeMonth(day);
    }
    const last = addDays(`${this.year}-12-31`, AFTERMATH_DAYS);
    await this.workspace.clock.set(morningOf(last));
    // The first round pays what is due by then, the second what was declined in the first.
    for (let round = 0; round < 2; round++) {
      await this.seeToPayments(last);
      await this.closeMonth(last);
    }
  }

  /** Funds and payees change while no payment is due: the clock still shows the day before. */
  private async beforeDay(day: string): Promise<void> {
    const isDay = (given = '01-01'): boolean => day === `${this.year}-${given}`;
    if (isDay('04-01')) await this.players.fund('KWD', '750000.125');
    for (const deal of this.deals) {
      if (isDay(deal.payeeFrom)) await this.players.registerPayee(deal);
      if (isDay(deal.verifiedFrom ?? deal.payeeFrom)) await this.players.verifyPayee(deal);
    }
    if (day.endsWith('-01')) await this.seeToPayments(day);
  }

  private async workDay(deal: Deal, day: string): Promise<void> {
    switch (deal.work) {
      case 'weeks':
        if (new Date(day).getUTCDay() === 0) await this.players.workPeriod(deal, addDays(day, -6), day);
        return;
      case 'months':
        if (isLastOfMonth(day)) await this.players.workPeriod(deal, `${day.slice(0, 8)}01`, day);
        return;
      case 'milestones':
        if (day.endsWith(MILESTONE_DAY)) await this.players.workMilestone(deal, Number(day.slice(5, 7)));
        return await this.players.endByDay(deal, day);
    }
  }

  /** Retries failed payments; pays or cancels by hand those without automatic payment. */
  private async seeToPayments(day: string): Promise<void> {
    const payments = await readPayments(this.workspace);
    const idOf = new Map(payments.map(({ id, timesheetId, milestoneId }) => [timesheetId ?? milestoneId, id]));
    for (const work of this.model.works) await this.seeTo(work, idOf.get(work.id), day);
  }

  private async seeTo(work: Work, id: string | undefined, day: string): Promise<void> {
    if (work.payment === 'failed' && work.attempts < MAX_ATTEMPTS) {
      await this.workspace.instruct(REQUEST_RETRY, { id });
      Object.assign(work, { payment: 'pending', reason: null });
    }
    if (work.payment !== 'pending' || paysItself(work) || work.due! > day) return;
    const isCancelled = Number(work.due!.slice(5, 7)) % 4 === 0;
    if (isCancelled) {
      await this.workspace.ask(CANCEL_PAYMENT, { id });
      work.payment = 'cancelled';
    } else {
      await this.workspace.instruct(REQUEST_PAYOUT, { id });
      this.model.pay(work);
    }
  }

  /** Waits until the services show what the model expects, then checks that they show nothing else. */
  private async closeMonth(day: string): Promise<void> {
    this.model.pass(day);
    const expected = new Map(this.model.works.map((work) => [work.id, lineOf(work)]));
    const look = async (): Promise<void> => {
      // Payouts without an answer are polled again after a while.
      await this.workspace.clock.pass(60_000);
      assert.deepEqual(await readLines(this.workspace, this.deals), expected);
    };
    await vi.waitFor(look, { timeout: 25_000, interval: 250 });
    for (const { reason } of this.model.works) if (reason !== null) this.failures.add(reason);
    assert.deepEqual(await readBalances(this.workspace), this.balances());
  }

  private balances(): Map<string, string> {
    const all = CURRENCIES.flatMap((currency): [string, bigint][] => [
      [`available/${currency}`, this.model.availableIn(currency)],
      [`pending/${currency}`, this.model.pendingIn(currency)],
    ]);
    return new Map(all.filter(([, amount]) => amount !== 0n).map(([name, amount]) => [name, plain(amount)]));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.workspace[Symbol.asyncDispose]();
  }
}

function morningOf(day: string): Date {
  return new Date(`${day}T06:00:00Z`);
}

function isLastOfMonth(day: string): boolean {
  return addDays(day, 1).endsWith('-01');
}
