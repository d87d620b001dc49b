import { newId, type Origin, type Role } from '@payroll/kernel';
import { afterAll, describe, expect, it } from 'vitest';
import { apiKey, application, Contracts, HOURLY, person, staff } from './support.js';
import { advance, codes, draft, must } from './walk.js';

const contracts = await Contracts.open('contracts_persons');
afterAll(() => contracts[Symbol.asyncDispose]());

const READ = `query ($id: ID!) { contract(id: $id) { status revision missing { path message } agreement { text digest isFixed
  signatures { side signedBy { id } } amendments { number text digest holdsFrom } } } }`;

interface Read {
  status: string;
  revision: number;
  missing: { path: string; message: string }[];
  agreement: {
    text: string;
    digest: string;
    isFixed: boolean;
    signatures: { side: string; signedBy: { id: string } | null }[];
    amendments: { number: number; text: string; digest: string; holdsFrom: string }[];
  };
}

const read = async (origin: Origin, id: string): Promise<Read> =>
  (await must(contracts, origin, READ, { id })) as unknown as Read;

/** Acts on the current revision. */
async function act(origin: Origin, id: string, step: string): Promise<unknown> {
  const { revision, agreement } = await read(origin, id);
  const named = step.replace('$digest', `"${agreement.digest}"`);
  const done = await contracts.graphql(origin, `mutation ($id: ID!, $seen: Int) { ${named} { status } }`, {
    id,
    seen: revision,
  });
  return done.errors ? codes(done)[0] : Object.values(done.data!)[0];
}

const SUBMIT = 'submitContractForVerification(id: $id, expectedRevision: $seen)';
const SIGN = 'signContract(id: $id, expectedRevision: $seen, digest: $digest)';

it('members prepare a contract and admins decide, from draft to completion', async () => {
  const workspaceId = newId();
  const [member, admin] = [person(workspaceId, 'member'), person(workspaceId, 'admin')];
  const id = (await must(contracts, member, 'mutation { createContractDraft(input: { title: "Design" }) { id } }'))[
    'id'
  ] as string;
  expect((await read(member, id)).missing.map(({ path }) => path)).toEqual([
    'worker',
    'startDate',
    'compensation.rate',
  ]);
  expect(await act(member, id, SUBMIT)).toBe('VALIDATION_FAILED');
  const change =
    'startDate: "2027-01-01", contractType: contractor_payg, compensation: { type: hourly, rate: "85.50", currency: "EUR" }';
  await act(member, id, `updateContractDraft(id: $id, expectedRevision: $seen, input: { ${change} })`);
  const { id: worker } = await must(
    contracts,
    member,
    'mutation { registerWorker(name: "Wanda", email: "w@example.com") { id } }',
  );
  await act(member, id, `assignWorker(contractId: $id, expectedRevision: $seen, workerId: "${String(worker)}")`);
  expect((await read(member, id)).missing).toEqual([]);
  expect(await act(member, id, SUBMIT)).toEqual({ status: 'pending_verification' });
  expect(await act(admin, id, 'returnContractToDraft(id: $id, expectedRevision: $seen, reason: "r")')).toEqual({
    status: 'draft',
  });
  expect(await act(member, id, SUBMIT)).toEqual({ status: 'pending_verification' });
  await act(admin, id, 'verifyContract(id: $id, expectedRevision: $seen)');
  await act(admin, id, 'requestContractSignatures(id: $id, expectedRevision: $seen)');
  expect(await act(admin, id, SIGN)).toEqual({ status: 'pending_signature' });
  await must(contracts, application(workspaceId), 'mutation ($id: ID!) { sandboxSignAsWorker(id: $id) { id } }', {
    id,
  });
  expect(await act(admin, id, 'activateContract(id: $id, expectedRevision: $seen)')).toEqual({ status: 'active' });
  await act(admin, id, 'changeContractTerms(id: $id, expectedRevision: $seen, rate: "90")');
  await act(admin, id, 'startContractOffboarding(id: $id, expectedRevision: $seen, endDate: "2027-12-31")');
  expect(await act(admin, id, 'completeContract(id: $id, expectedRevision: $seen)')).toEqual({ status: 'completed' });
  const by = await contracts.audited(workspaceId);
  expect(by.filter(({ actorKind }) => actorKind !== 'person').map(({ action }) => action)).toEqual(['contract.signed']);
  expect(by.at(-1)).toMatchObject({ action: 'contract.completed', principalId: admin.actor.principalId });
});

/** Every action of a person, the step from which it is possible, and whether members may do it. */
const ACTS: readonly [step: string, after: number, isForMembers: boolean][] = [
  ['updateContractDraft(id: $id, expectedRevision: $seen, input: { description: "d" })', 0, true],
  [SUBMIT, 0, true],
  ['deleteContract(id: $id, expectedRevision: $seen)', 0, false],
  ['cancelContract(id: $id, expectedRevision: $seen, reason: "r")', 0, false],
  ['verifyContract(id: $id, expectedRevision: $seen)', 1, false],
  ['returnContractToDraft(id: $id, expectedRevision: $seen, reason: "r")', 1, false],
  ['requestContractSignatures(id: $id, expectedRevision: $seen)', 2, false],
  [SIGN, 3, false],
  ['activateContract(id: $id, expectedRevision: $seen)', 5, false],
  ['changeContractTerms(id: $id, expectedRevision: $seen, paymentDueDays: 9)', 6, false],
  ['startContractOffboarding(id: $id, expectedRevision: $seen, endDate: "2027-06-30")', 6, false],
  ['completeContract(id: $id, expectedRevision: $seen)', 7, false],
];

describe.each(ACTS)('%s', (step, after, isForMembers) => {
  it('refuses other roles, keys, other workspaces and an outdated revision, then succeeds', async () => {
    const workspaceId = newId();
    const id = await draft(contracts, staff(workspaceId));
    await advance(contracts, staff(workspaceId), id, after);
    const { revision, agreement } = await read(person(workspaceId, 'admin'), id);
    const attempt = async (origin: Origin, seen: number | null): Promise<string[]> => {
      const named = step.replace('$digest', `"${agreement.digest}"`);
      return codes(
        await contracts.graphql(origin, `mutation ($id: ID!, $seen: Int) { ${named} { id } }`, { id, seen }),
      );
    };
    const refused: Role[] = isForMembers ? ['viewer'] : ['viewer', 'member'];
    for (const role of refused)
      expect(await attempt(person(workspaceId, role), revision)).toEqual(['INSUFFICIENT_SCOPE']);
    expect(await attempt(apiKey(workspaceId), revision)).toEqual(['INSUFFICIENT_SCOPE']);
    expect(await attempt(person(newId(), 'admin'), revision)).toEqual(['NOT_FOUND']);
    const doer = person(workspaceId, isForMembers ? 'member' : 'admin');
    expect(await attempt(doer, null)).toEqual(['VALIDATION_FAILED']);
    expect(await attempt(doer, revision - 1)).toEqual(['STALE_RESOURCE_VERSION']);
    const both = await Promise.all([attempt(doer, revision), attempt(person(workspaceId, 'admin'), revision)]);
    expect(both.flat()).toEqual(step.startsWith('deleteContract') ? ['NOT_FOUND'] : ['STALE_RESOURCE_VERSION']);
  });
});

it('an admin signs for the business alone, and only the text that was read', async () => {
  const workspaceId = newId();
  const [admin, team] = [person(workspaceId, 'admin'), staff(workspaceId)];
  const id = await draft(contracts, team);
  await advance(contracts, team, id, 3);
  expect(await act(admin, id, SIGN.replace('$digest', `"${'0'.repeat(64)}"`))).toBe('STALE_RESOURCE_VERSION');
  expect(await act(admin, id, SIGN.replace(', digest: $digest', ''))).toBe('VALIDATION_FAILED');
  const before = await read(admin, id);
  expect(await act(admin, id, SIGN)).toEqual({ status: 'pending_signature' });
  const { agreement } = await read(admin, id);
  expect(agreement.digest).toBe(before.agreement.digest);
  expect(agreement.signatures).toEqual([{ side: 'business', signedBy: { id: admin.actor.principalId } }]);
});

it('a sent text stays when the worker is renamed; changed terms become amendments', async () => {
  const workspaceId = newId();
  const [admin, team] = [person(workspaceId, 'admin'), staff(workspaceId)];
  const id = await draft(contracts, team, { ...HOURLY, specialClauses: 'One\nRate: 1 EUR' });
  const { isFixed, text } = (await read(admin, id)).agreement;
  expect(isFixed).toBe(false);
  expect(text).toContain('Rate: 85.50 EUR');
  expect(text).toContain('Special clauses: One\n    Rate: 1 EUR');
  await advance(contracts, team, id, 6);
  const { workers } = (await contracts.graphql(admin, '{ workers { nodes { id revision } } }')).data as never as {
    workers: { nodes: { id: string; revision: number }[] };
  };
  const rename =
    'mutation ($id: ID!, $seen: Int) { updateWorker(id: $id, expectedRevision: $seen, name: "Other") { revision } }';
  const [{ id: worker, revision: seen }] = workers.nodes as [{ id: string; revision: number }];
  expect(await must(contracts, admin, rename, { id: worker, seen })).toEqual({ revision: seen + 1 });
  expect(codes(await contracts.graphql(admin, rename, { id: worker, seen }))).toEqual(['STALE_RESOURCE_VERSION']);
  await act(admin, id, 'changeContractTerms(id: $id, expectedRevision: $seen, rate: "90", autoPayEnabled: false)');
  await act(admin, id, 'changeContractTerms(id: $id, expectedRevision: $seen, paymentDueDays: 14)');
  const { agreement } = await read(person(workspaceId, 'viewer'), id);
  expect(agreement.isFixed).toBe(true);
  expect(agreement.text).toContain('Wanda');
  expect(agreement.amendments.map(({ number }) => number)).toEqual([1, 2]);
  const [first] = agreement.amendments;
  expect(first?.text).toContain(
    'Rate: 90 EUR (until then 85.50 EUR)\nPayments are made automatically when due: no (until then yes)',
  );
  expect(first?.text).toContain(agreement.digest);
  expect(first?.holdsFrom).toMatch(/^\d{4}-\d{2}-\d{2}$/);
});
