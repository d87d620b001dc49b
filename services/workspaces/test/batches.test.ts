import type { EntityManager } from '@mikro-orm/postgresql';
import { verifyActorToken, type AdmissionAnswer, type AdmissionQuestion } from '@payroll/admission';
import { SCOPES } from '@payroll/kernel';
import fc from 'fast-check';
import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { setIntegrationSwitches } from '../src/commands/set-integration-switches.js';
import { question, Workspaces } from './support.js';

interface Case {
  name: string;
  asked: Partial<AdmissionQuestion> & Pick<AdmissionQuestion, 'credential'>;
  /** The refusal, or the actor that is let in. */
  expected: string | object;
}

let workspaces: Workspaces;
let cases: Case[];
beforeAll(async () => {
  workspaces = await Workspaces.open('workspaces_batches');
  cases = await everyKindOfCaller();
});
afterAll(() => workspaces[Symbol.asyncDispose]());

async function everyKindOfCaller(): Promise<Case[]> {
  const [one, two, closed] = [await workspaces.provision(), await workspaces.provision(), await workspaces.provision()];
  await workspaces.run(setIntegrationSwitches, { integrationEnabled: false, writesEnabled: true }, closed.origin);
  const admin = await workspaces.key(one);
  const viewer = await workspaces.key(two, await workspaces.member(two, 'viewer'), ['read']);
  const shut = await workspaces.key(closed);
  const [service, support] = [await workspaces.token('service'), await workspaces.token('support')];
  const { workspaceId } = two;
  const key = {
    kind: 'api_key',
    workspaceId: one.workspaceId,
    principalId: admin.principalId,
    role: 'admin',
    scopes: SCOPES,
  };
  const token = { workspaceId, role: null, scopes: SCOPES };
  const graphql = { via: 'graphql', scope: null, workspaceId } as const;
  return [
    { name: 'admin', asked: { credential: admin.credential }, expected: key },
    {
      name: 'viewer',
      asked: { credential: viewer.credential },
      expected: { kind: 'api_key', workspaceId, principalId: viewer.principalId, role: 'viewer', scopes: ['read'] },
    },
    {
      name: 'viewer writes',
      asked: { credential: viewer.credential, scope: 'contracts:write' },
      expected: 'INSUFFICIENT_SCOPE',
    },
    { name: 'switched off', asked: { credential: shut.credential }, expected: 'INTEGRATION_DISABLED' },
    { name: 'nobody', asked: { credential: null }, expected: 'INVALID_CREDENTIAL' },
    { name: 'forger', asked: { credential: { ...admin.credential, proof: 'x' } }, expected: 'INVALID_CREDENTIAL' },
    {
      name: 'service',
      asked: { credential: service, ...graphql },
      expected: { kind: 'service', principalId: service.id, ...token },
    },
    {
      name: 'staff',
      asked: { credential: support, ...graphql, reason: 'a ticket' },
      expected: { kind: 'staff', principalId: support.id, ...token },
    },
    { name: 'staff without a word', asked: { credential: support, ...graphql }, expected: 'INVALID_REQUEST' },
    {
      name: 'staff nowhere',
      asked: { credential: support, ...graphql, workspaceId: 'x' },
      expected: 'INVALID_CREDENTIAL',
    },
  ];
}

/** Each caller's own answer: its actor and request, in tokens that say the same. */
function expectAnswer(answer: AdmissionAnswer, asked: AdmissionQuestion, { name, expected }: Case): void {
  if (typeof expected === 'string') return expect(answer, name).toMatchObject({ admitted: false, code: expected });
  if (!answer.admitted) throw new Error(`${name}: ${answer.code}`);
  expect(answer.origin, name).toEqual({ actor: expected, via: asked.via, requestId: asked.requestId });
  for (const service of ['workspaces', 'payments'] as const) {
    const origin = verifyActorToken(service, workspaces.actorKeys[service], answer.tokens[service], new Date());
    expect(origin, name).toEqual(answer.origin);
  }
}

it('a batch of whatever callers in whatever order gives each its own answer', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(cases.length - 1), { minLength: 1, maxLength: 20 }), async (picks) => {
      // A minute later: limits are another test's matter.
      await workspaces.age(60);
      const asked = picks.map((pick) => question(cases[pick]!.asked.credential, cases[pick]!.asked));
      const answers = await workspaces.admit(asked);
      expect(answers).toHaveLength(picks.length);
      for (const [n, pick] of picks.entries()) expectAnswer(answers[n]!, asked[n]!, cases[pick]!);
    }),
    { numRuns: 40 },
  );
});

it('keys are found, counted and let in by one statement, however many ask', async () => {
  const statements: string[] = [];
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => {
      statements.push(node.kind);
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  const em = Object.create(workspaces.em, {
    getKysely: { value: () => workspaces.em.getKysely().withPlugin(counting) },
  }) as EntityManager;
  const key = cases.find(({ name }) => name === 'admin')!.asked;
  const viewer = cases.find(({ name }) => name === 'viewer')!.asked;
  const batch = Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? key : viewer));
  const answers = await workspaces.admit(
    batch.map((asked) => question(asked.credential, asked)),
    em,
  );
  expect(answers.every(({ admitted }) => admitted)).toBe(true);
  expect(statements).toHaveLength(1);
});
