import { CONTRACT_STATUSES, typesAgree, type ContractStatus } from '@payroll/kernel';
import { describe, expect, it } from 'vitest';
import { resolveTypes } from './agreement.js';
import { contractMachine, followContract, requireDraft, sign, type ContractEdge } from './contract.js';

const LIFE: Record<ContractEdge, [ContractStatus, ContractStatus][]> = {
  'submit for verification': [['draft', 'pending_verification']],
  verify: [['pending_verification', 'ready_for_signature']],
  return: [['pending_verification', 'draft']],
  'request signatures': [['ready_for_signature', 'pending_signature']],
  sign: [['pending_signature', 'signed']],
  activate: [['signed', 'active']],
  'start offboarding': [
    ['active', 'offboarding'],
    ['offboarding', 'offboarding'],
  ],
  complete: [['offboarding', 'completed']],
  cancel: (
    [
      'draft',
      'pending_verification',
      'ready_for_signature',
      'pending_signature',
      'signed',
      'active',
      'offboarding',
    ] as const
  ).map((from) => [from, 'cancelled']),
};

const every = Object.keys(LIFE).flatMap((edge) =>
  CONTRACT_STATUSES.map((from) => [edge as ContractEdge, from] as const),
);

describe('contract state machine', () => {
  it.each(every)('the edge "%s" from %s leads where the table says, or is refused', (edge, from) => {
    const to = LIFE[edge].find(([start]) => start === from)?.[1];
    if (to) expect(followContract(from, edge)).toBe(to);
    else expect(() => followContract(from, edge)).toThrow(expect.objectContaining({ code: 'INVALID_STATE' }));
  });

  it('its final states have no edges', () => {
    expect(contractMachine.completed).toEqual({});
    expect(contractMachine.cancelled).toEqual({});
  });
});

describe('signing a contract', () => {
  const unsigned = { businessSignedAt: null, workerSignedAt: null };
  const [t1, t2] = ['2027-01-01T00:00:00.000000Z', '2027-01-02T00:00:00.000000Z'];

  it('needs both sides, in either order', () => {
    for (const [first, second] of [
      ['business', 'worker'],
      ['worker', 'business'],
    ] as const) {
      const once = sign('pending_signature', unsigned, first, t1);
      expect(once.status).toBe('pending_signature');
      expect(sign(once.status, once, second, t2).status).toBe('signed');
    }
  });

  it('a second signature by the same side changes nothing', () => {
    const once = sign('pending_signature', unsigned, 'worker', t1);
    expect(sign(once.status, once, 'worker', t2)).toEqual(once);
  });
});

describe('resolveTypes', () => {
  it.each([
    [{}, 'contractor', 'contractor_fixed'],
    [{ employmentType: 'employee' }, 'employee', 'employment_at_will'],
    [{ employmentType: 'contractor' }, 'contractor', 'contractor_fixed'],
    [{ contractType: 'employment_at_will' }, 'employee', 'employment_at_will'],
    [{ contractType: 'contractor_creator' }, 'contractor', 'contractor_creator'],
  ] as const)('%j resolves to %s, %s', (given, employmentType, contractType) => {
    expect(typesAgree(given)).toBe(true);
    expect(resolveTypes(given)).toEqual({ employmentType, contractType });
  });

  it.each([
    { employmentType: 'employee', contractType: 'contractor_fixed' },
    { employmentType: 'contractor', contractType: 'employment_at_will' },
  ] as const)('reports a problem for %j, which disagree', (given) => {
    expect(typesAgree(given)).toBe(false);
  });
});

it.each(CONTRACT_STATUSES)("a draft's content can be changed only in status draft: %s", (status) => {
  if (status === 'draft') expect(() => requireDraft(status)).not.toThrow();
  else expect(() => requireDraft(status)).toThrow(expect.objectContaining({ code: 'INVALID_STATE' }));
});
