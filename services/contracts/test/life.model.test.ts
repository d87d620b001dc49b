import { DomainError } from '@payroll/kernel';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { createContractDraft } from '../src/commands/contract-drafts.js';
import { registerWorker } from '../src/commands/workers.js';
import type { Contract } from '../src/store/views.js';
import { ACTIONS, play, type Action, type Paper } from './paper.js';
import { Contracts, staff } from './support.js';

const contracts = await Contracts.open('contracts_life_model');
afterAll(() => contracts[Symbol.asyncDispose]());

const FORWARD = ['assign worker', 'set start date', 'agree on 10', 'submit', 'verify', 'request signatures'];
const ONWARD = ['sign by worker', 'sign by business', 'activate', 'change terms', 'start offboarding', 'complete'];
const byName = (name: string): Action => ACTIONS.find((action) => action.name === name)!;

/** Random sequences, and long ones: a prefix of the ordinary life with other actions mixed in. */
const anyActions = fc.array(fc.constantFrom(...ACTIONS), { maxLength: 15 });
const farActions = fc
  .tuple(fc.integer({ min: 1, max: 12 }), fc.array(fc.tuple(fc.nat(12), fc.constantFrom(...ACTIONS)), { maxLength: 6 }))
  .map(([length, thrownIn]) => {
    const life = [...FORWARD, ...ONWARD].slice(0, length).map(byName);
    for (const [at, action] of thrownIn) life.splice(at, 0, action);
    return life;
  });
const actionLists = fc
  .oneof(anyActions, farActions)
  .map((actions) => Object.assign(actions, { toString: () => actions.map(({ name }) => name).join(' · ') }));

it('a contract behaves like its paper model under any sequence of actions', async () => {
  await fc.assert(
    fc.asyncProperty(actionLists, async (actions) => {
      const origin = staff();
      const { id } = await contracts.run(createContractDraft, { title: 't', contractType: 'contractor_payg' }, origin);
      const worker = await contracts.run(registerWorker, { name: 'Wanda', email: 'w@example.com' }, origin);
      const paper: Paper = {
        ...{ status: 'draft', hasWorker: false, startDate: null, rate: null, endDate: null },
        ...{ signed: new Set(), isDeleted: false, revision: 1, submittedAs: null },
      };
      let updatedAt = '';
      for (const action of actions) {
        const expected = play(paper, action);
        const outcome = await action.run(contracts, id, origin, worker.id).catch((error: unknown) => error);
        if (expected !== null) {
          expect(outcome, action.name).toBeInstanceOf(DomainError);
          expect(outcome, action.name).toMatchObject({ code: expected });
          continue;
        }
        expect(outcome, action.name).toMatchObject({
          status: paper.status,
          startDate: paper.startDate,
          endDate: paper.endDate,
          worker: { id: paper.hasWorker ? worker.id : null },
        });
        const contract = outcome as Contract;
        expect(contract.deletedAt === null).toBe(!paper.isDeleted);
        expect(contract.updatedAt >= updatedAt).toBe(true);
        updatedAt = contract.updatedAt;
      }
      const told = contracts.told('contract.changed', id);
      const first = paper.submittedAs ?? paper.revision + 1;
      const published = Array.from({ length: paper.revision + 1 - first }, (_, n) => first + n);
      expect(told.map(({ revision }) => revision)).toEqual(published);
      const { revision, status, rate, isDeleted: deleted } = paper;
      if (paper.submittedAs !== null) expect(told.at(-1)).toMatchObject({ revision, status, rate, deleted });
      contracts.events.length = 0;
      expect(await contracts.audited(origin.actor.workspaceId)).toHaveLength(paper.revision + 1);
    }),
    { numRuns: 40, verbose: 1 },
  );
}, 120_000);
