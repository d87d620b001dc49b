import { verifyActorToken, type AdmissionResponse, type BearerCredential } from '@payroll/admission';
import { newId, SCOPES } from '@payroll/kernel';
import fc from 'fast-check';
import { afterAll, expect, it, vi } from 'vitest';
import { setIntegrationSwitches } from '../../src/commands/business.js';
import { question, type Question, Workspaces } from '../support.js';

interface Case {
  name: string;
  asked: Partial<Question> & Pick<Question, 'credential'>;
  /** The refusal code, or the admitted actor. */
  expected: string | object;
}

const workspaces = await Workspaces.open('workspaces_batches');
const cases = await everyKindOfCaller();
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
      expected: { kind: 'staff', team: 'support', person: 'olga@example.com', principalId: support.id, ...token },
    },
    { name: 'staff without a word', asked: { credential: support, ...graphql }, expected: 'INVALID_REQUEST' },
    {
      name: 'staff nowhere',
      asked: { credential: support, ...graphql, workspaceId: 'x' },
      expected: 'INVALID_CREDENTIAL',
    },
  ];
}

/** The answer must have the caller's own actor and request, in tokens that agree. */
function expectAnswer(answer: AdmissionResponse, asked: Question, { name, expected }: Case): void {
  if (typeof expected === 'string') return expect(answer, name).toMatchObject({ admitted: false, code: expected });
  if (!answer.admitted) throw new Error(`${name}: ${answer.code}`);
  expect(answer.origin, name).toEqual({ actor: expected, via: asked.via, requestId: asked.requestId });
  for (const service of ['workspaces', 'payments'] as const) {
    const origin = verifyActorToken(service, [workspaces.actorKeys[service]], answer.tokens[service], new Date());
    expect(origin, name).toEqual(answer.origin);
  }
}

it('a batch of different callers in any order gives each its own answer', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(cases.length - 1), { minLength: 1, maxLength: 20 }), async (picks) => {
      // A minute later, so that limits do not interfere.
      await workspaces.age(60);
      const asked = picks.map((pick) => question(cases[pick]!.asked.credential, cases[pick]!.asked));
      const answers = await workspaces.admit(asked);
      expect(answers).toHaveLength(picks.length);
      for (const [n, pick] of picks.entries()) expectAnswer(answers[n]!, asked[n]!, cases[pick]!);
    }),
    { numRuns: 40 },
  );
});

it('keys are found, counted and admitted by one statement, for any number of questions', async () => {
  const key = cases.find(({ name }) => name === 'admin')!.asked;
  const viewer = cases.find(({ name }) => name === 'viewer')!.asked;
  const batch = Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? key : viewer));
  const admit = () => workspaces.admit(batch.map((asked) => question(asked.credential, asked)));
  // Notes that they are used; the next note is a minute later.
  await admit();
  const pool = await workspaces.em.getConnection().getNativeClient();
  const statements = vi.spyOn(pool, 'query');
  const answers = await admit();
  expect(answers.every(({ admitted }) => admitted)).toBe(true);
  expect(statements).toHaveBeenCalledOnce();
  statements.mockRestore();
});

it('an unreadable question is refused without affecting the batch', async () => {
  const { credential } = cases.find(({ name }) => name === 'admin')!.asked;
  const answers = await workspaces.admit([question(credential), null, question(null)]);
  expect(answers.map((answer) => (answer.admitted ? 'admitted' : answer.code))).toEqual([
    'admitted',
    'INTERNAL_ERROR',
    'INVALID_CREDENTIAL',
  ]);
});

it('the statement is planned five times, then one generic plan is used', async () => {
  const pool = await workspaces.em.getConnection().getNativeClient();
  const client = await pool.connect();
  const em = {
    isInTransaction: () => false,
    getConnection: () => ({ getNativeClient: () => Promise.resolve(client) }),
  } as unknown as typeof workspaces.em;
  const { credential } = cases.find(({ name }) => name === 'admin')!.asked;
  for (let size = 1; size <= 8; size++) {
    await workspaces.admit(
      Array.from({ length: size }, (_, n) =>
        question(n === 0 ? credential : ({ ...credential!, id: newId() } as BearerCredential)),
      ),
      em,
    );
  }
  const plans = `select custom_plans::int as custom from pg_prepared_statements where statement like '%join api_key%'`;
  expect((await client.query(plans)).rows).toEqual([{ custom: 5 }]);
  client.release();
});
