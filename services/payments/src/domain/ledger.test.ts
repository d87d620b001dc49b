import { Money } from '@payroll/kernel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  clearingEntries,
  fundingEntries,
  fundingReference,
  releaseEntries,
  reservationEntries,
  settlementEntries,
  type EntryDraft,
} from './ledger.js';
import { netOf } from './payment.js';

const yen = (units: number): Money => Money.of(String(units), 'JPY');
const shown = (entries: readonly EntryDraft[]): unknown =>
  Object.fromEntries(entries.map(({ account, amount }) => [account, amount.amount]));
const sum = (entries: readonly EntryDraft[]): string =>
  entries.reduce((total, { amount }) => total.plus(amount), yen(0)).amount;

describe('ledger entries', () => {
  it('move money from its source account to its target', () => {
    expect(shown(fundingEntries(yen(5)))).toEqual({ funding: '-5', available: '5' });
    expect(shown(reservationEntries(yen(5)))).toEqual({ available: '-5', in_flight: '5' });
    expect(shown(releaseEntries(yen(5)))).toEqual({ in_flight: '-5', available: '5' });
    expect(shown(settlementEntries(yen(5), yen(3)))).toEqual({
      in_flight: '-3',
      settled: '5',
      deductions_payable: '-2',
    });
  });

  it('of another amount than ordered record what the worker is owed or owes', () => {
    const ofWork = { in_flight: '-4', settled: '5', deductions_payable: '-1' };
    expect(shown(settlementEntries(yen(5), yen(4), yen(3)))).toEqual({
      ...ofWork,
      available: '1',
      workers_payable: '-1',
    });
    expect(shown(settlementEntries(yen(5), yen(4), yen(6)))).toEqual({
      ...{ ...ofWork, available: '-2', workers_receivable: '2' },
    });
    const dollars = settlementEntries(yen(5), yen(4), Money.of('6.00', 'USD')).map(
      ({ account, amount }) => `${account} ${amount.amount} ${amount.currency}`,
    );
    expect(dollars).toEqual([
      ...[
        'in_flight -4 JPY',
        'settled 5 JPY',
        'deductions_payable -1 JPY',
        'available 4 JPY',
        'workers_payable -4 JPY',
      ],
      ...['available -6.00 USD', 'workers_receivable 6.00 USD'],
    ]);
  });

  it('of a clearing do not touch spendable money', () => {
    expect(shown(clearingEntries('workers_payable', yen(2)))).toEqual({ workers_payable: '2', funding: '-2' });
    expect(shown(clearingEntries('workers_receivable', yen(2)))).toEqual({ workers_receivable: '-2', funding: '2' });
  });

  it('include no entry of zero', () => {
    expect(shown(settlementEntries(yen(5), yen(5)))).toEqual({ in_flight: '-5', settled: '5' });
    expect(shown(settlementEntries(yen(5), yen(0)))).toEqual({ settled: '5', deductions_payable: '-5' });
    expect(settlementEntries(yen(0), yen(0))).toEqual([]);
  });

  it('add up to zero for any amounts', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.nat(), (gross, less, paid) => {
        const net = yen(Math.max(gross - less, 0));
        for (const entries of [
          fundingEntries(net),
          reservationEntries(net),
          settlementEntries(yen(gross), net, yen(paid)),
          clearingEntries('workers_payable', net),
          clearingEntries('workers_receivable', net),
        ]) {
          expect(sum(entries)).toBe('0');
        }
      }),
    );
  });
});

describe('the net of a payment', () => {
  it('is the gross less all deductions, and not below zero', () => {
    expect(netOf(yen(10), [yen(3), yen(7)]).amount).toBe('0');
    expect(() => netOf(yen(10), [yen(3), yen(8)])).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }));
  });
});

it("a funding reference is the end of the workspace's id with ISO 11649 check digits", () => {
  const reference = fundingReference('0192b3c4-d5e6-7f01-8a2b-3c4d5e6f7081');
  expect(reference).toMatch(/^RF\d\d 8A2B 3C4D 5E6F 7081$/);
  const moved = reference.replaceAll(' ', '').replace(/^(....)(.*)$/, '$2$1');
  const digits = [...moved].map((letter) => Number.parseInt(letter, 36)).join('');
  expect(BigInt(digits) % 97n).toBe(1n);
});

it('a funding reference is stable and differs between workspaces', () => {
  const id = '0192b3c4-d5e6-7f01-8a2b-3c4d5e6f7081';
  expect(fundingReference(id)).toBe(fundingReference(id));
  expect(fundingReference(id.replace(/1$/, '2'))).not.toBe(fundingReference(id));
});
