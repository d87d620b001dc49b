import { expect, it } from 'vitest';
import { pilesOfContracts } from './waiting.js';

const none = { nodes: [] };

function signaturesOf(bySelf: number, byOthers: number): [label: string, n: number][] {
  const unsigned = Array.from({ length: bySelf }, () => ({ details: { businessSignedAt: null } }));
  const signed = Array.from({ length: byOthers }, () => ({
    details: { businessSignedAt: '2027-03-01T09:30:00.000000Z' },
  }));
  const lists = { drafts: none, toVerify: none, toSend: none, toActivate: none, active: none, workers: none };
  const found = pilesOfContracts({ ...lists, toSign: { nodes: [...unsigned, ...signed] } });
  return found.filter(({ n }) => n > 0).map(({ label, n }) => [label, n]);
}

it('contracts to sign are counted apart from those that wait for the worker', () => {
  expect(signaturesOf(60, 39)).toEqual([
    ['Contracts to sign', 60],
    ['Contracts for the worker to sign', 39],
  ]);
});

it('where more lack a signature than are counted, neither side is given a number that is too small', () => {
  expect(signaturesOf(60, 40)).toEqual([['Contracts that lack a signature', 100]]);
  expect(signaturesOf(0, 100)).toEqual([['Contracts that lack a signature', 100]]);
});
