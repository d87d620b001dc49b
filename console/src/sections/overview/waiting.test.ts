import { expect, it } from 'vitest';
import { pilesOfContracts } from './waiting.js';

const none = { nodes: [] };

type Unsigned = Parameters<typeof pilesOfContracts>[0]['toSign']['nodes'][number];
const UNSIGNED = { details: { businessSignedAt: null }, agreement: { changesAsked: null } };
const SIGNED = { ...UNSIGNED, details: { businessSignedAt: '2027-03-01T09:30:00.000000Z' } };
const DISPUTED = { ...SIGNED, agreement: { changesAsked: 'Four days a week.' } };

function pilesOf(...nodes: Omit<Unsigned, 'id'>[]) {
  const lists = { drafts: none, toVerify: none, toSend: none, toActivate: none, active: none, workers: none };
  const toSign = { nodes: nodes.map((each, n) => ({ id: `ctr_${n}`, ...each })) };
  return pilesOfContracts({ ...lists, toSign }).filter(({ n }) => n > 0);
}

function signaturesOf(bySelf: number, byOthers: number): [label: string, n: number][] {
  const nodes = [...Array<typeof SIGNED>(byOthers).fill(SIGNED), ...Array<typeof UNSIGNED>(bySelf).fill(UNSIGNED)];
  return pilesOf(...nodes).map(({ label, n }) => [label, n]);
}

it('a contract whose worker wants changes waits for the business, not for the worker', () => {
  const [one, ...others] = pilesOf(DISPUTED, SIGNED);
  expect(one).toMatchObject({ label: 'Contracts whose worker asks for changes', n: 1, path: 'contracts/ctr_0' });
  expect(one!.needs).toEqual(['admin', 'member']);
  expect(others).toMatchObject([{ label: 'Contracts for the worker to sign', n: 1 }]);
  expect(pilesOf(DISPUTED, DISPUTED)).toMatchObject([{ n: 2, path: 'contracts?status=pending_signature' }]);
});

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
