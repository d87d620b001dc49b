import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_ATTEMPTS, Year } from './calendar.js';
import { netOf, type Work } from './model.js';
import { CURRENCIES, exact, plain, sum, type Currency } from './money.js';
import { readAccounts, readEntries, readPayments, type ShownEntry } from './reads.js';

/** Set YEAR_SEED to repeat a year. */
const seed = Number(process.env['YEAR_SEED'] ?? randomInt(2 ** 31));
/** Next year: the time that a database has shown never goes back. */
const yearNumber = new Date().getUTCFullYear() + 1;

describe(`the year ${yearNumber} of a workspace, by the seed ${seed}`, () => {
  let year: Year;
  let works: readonly Work[];
  let entries: ShownEntry[];

  beforeAll(async () => {
    year = await Year.begin(yearNumber);
    await year.live(seed);
    works = year.model.works;
    entries = await readEntries(year.workspace);
  });
  afterAll(() => year?.[Symbol.asyncDispose]());

  const settled = (currency: Currency): Work[] => year.model.ofCurrency(currency, 'completed');

  it('the year has work of every kind, totals to round half-even, and every resolvable failure', () => {
    expect(new Set(year.deals.map(({ contractType }) => contractType)).size).toBe(5);
    expect(works.filter(({ due }) => due !== null).length).toBeGreaterThan(150);
    expect(works.filter(({ due, payment }) => due === null && payment !== null).length).toBeGreaterThan(18);
    expect(year.model.ties).toBeGreaterThan(10);
    const mended = ['insufficient_funds', 'payee_missing', 'payee_unverified', 'provider_declined'];
    expect([...year.failures].toSorted()).toEqual(mended);
    for (const currency of CURRENCIES) expect(settled(currency).length).toBeGreaterThan(0);
  });

  it('the year ends with every payment settled, cancelled, or failed for a permanent reason', async () => {
    const payments = await readPayments(year.workspace);
    expect(payments.map(({ timesheetId, milestoneId }) => timesheetId ?? milestoneId).toSorted()).toEqual(
      works.flatMap(({ id, payment }) => (payment === null ? [] : [id])).toSorted(),
    );
    const workOf = new Map(works.map((work) => [work.id, work]));
    for (const { id, timesheetId, milestoneId, status, failureReason, completedAt, payoutAttempts } of payments) {
      const { deal, attempts } = workOf.get((timesheetId ?? milestoneId)!)!;
      const arrived = payoutAttempts.filter((attempt) => attempt.status === 'settled').length;
      if (status === 'completed') {
        expect({ id, arrived, done: completedAt !== null }).toEqual({ id, arrived: Math.min(attempts, 1), done: true });
      } else if (status === 'failed') {
        const forGood = { destination: 'sandbox:declines', attempts: MAX_ATTEMPTS, reason: 'provider_declined' };
        expect({ destination: deal.destination, attempts, reason: failureReason }).toEqual(forGood);
      } else expect({ id, status, attempts: 0 }).toEqual({ id, status: 'cancelled', attempts });
    }
  });

  it('every posting balances in one currency', () => {
    for (const [postingId, lines] of Map.groupBy(entries, (entry) => entry.postingId)) {
      const currencies = new Set(lines.map(({ amount }) => amount.currency));
      expect({ postingId, total: total(lines), currencies: currencies.size }).toEqual({
        postingId,
        total: 0n,
        currencies: 1,
      });
    }
  });

  it('every account equals its entries and the amounts paid in, paid out and withheld', async () => {
    const byAccount = Map.groupBy(entries, ({ account, amount }) => `${account}/${amount.currency}`);
    const shown = new Map<string, string>();
    for (const { account, balance, entriesTotal } of await readAccounts(year.workspace)) {
      const name = `${account}/${balance.currency}`;
      expect(entriesTotal).toEqual(balance);
      expect([name, exact(balance.amount)]).toEqual([name, total(byAccount.get(name) ?? [])]);
      shown.set(name, plain(exact(balance.amount)));
    }
    for (const currency of CURRENCIES) {
      const gross = sum(settled(currency).map((work) => work.gross));
      const net = sum(settled(currency).map(netOf));
      const expected = {
        funding: -year.model.fundedIn(currency),
        available: year.model.fundedIn(currency) - net,
        in_flight: 0n,
        settled: gross,
        deductions_payable: net - gross,
      };
      for (const [account, amount] of Object.entries(expected)) {
        const name = `${account}/${currency}`;
        expect([name, shown.get(name) ?? '0']).toEqual([name, plain(amount)]);
      }
    }
  });

  it('the ledger moved the money of each payment once per attempt, and no other money', async () => {
    const ofPayment = Map.groupBy(entries, ({ paymentId }) => paymentId);
    const fundings = ofPayment.get(null)!;
    expect(new Set(fundings.map(({ kind }) => kind))).toEqual(new Set(['funding']));
    for (const { id, status, grossAmount, netAmount, deductions, payoutAttempts } of await readPayments(
      year.workspace,
    )) {
      const lines = ofPayment.get(id) ?? [];
      const net = exact(netAmount.amount);
      expect(net).toBe(exact(grossAmount.amount) - sum(deductions.map(({ amount }) => exact(amount.amount))));
      for (const { amount } of payoutAttempts) expect(amount).toEqual(netAmount);
      const declined = payoutAttempts.filter((attempt) => attempt.status === 'declined').length;
      expect([id, on(lines, 'reservation', 'in_flight')]).toEqual([id, net * BigInt(payoutAttempts.length)]);
      expect([id, on(lines, 'release', 'available')]).toEqual([id, net * BigInt(declined)]);
      const paid = status === 'completed' ? exact(grossAmount.amount) : 0n;
      expect([id, on(lines, 'settlement', 'settled')]).toEqual([id, paid]);
    }
  });
});

function total(lines: readonly ShownEntry[]): bigint {
  return sum(lines.map(({ amount }) => exact(amount.amount)));
}

/** The total that one kind of posting put on an account. */
function on(lines: readonly ShownEntry[], kind: string, account: string): bigint {
  return total(lines.filter((line) => line.kind === kind && line.account === account));
}
