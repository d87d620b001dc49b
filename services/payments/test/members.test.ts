import { newId, type Origin, type Role } from '@payroll/kernel';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { person } from './support/person.js';
import { Scene, codeOf } from './support/scene.js';
import { TestWorkspace } from './support/test-workspace.js';

let workspace: TestWorkspace;
let admin: Origin;
const scene = await Scene.open('payments_members');
beforeEach(async () => {
  workspace = await TestWorkspace.open(scene);
  admin = person(workspace.id, 'admin');
});
afterAll(() => scene[Symbol.asyncDispose]());

const as = async (origin: Origin, query: string, variables: object = {}) =>
  await workspace.send(query, variables, origin);

it('payments can be filtered by worker and by due date', async () => {
  const [one, two] = [await workspace.contract('sandbox:iban'), await workspace.contract('sandbox:iban')];
  const early = await workspace.timesheet(one, '1.00', { day: '2027-07-01' });
  const late = await workspace.timesheet(one, '1.00', { day: '2027-07-09' });
  const other = await workspace.timesheet(two, '1.00', { day: '2027-07-09' });
  const list = async (filters: string, by: Origin = admin): Promise<unknown> =>
    (
      (await as(by, `{ payments(${filters}) { nodes { id } } }`)).data!['payments'] as { nodes: { id: string }[] }
    ).nodes.map(({ id }) => id);
  expect(await list(`workerId: "${one.workerId}"`)).toEqual([late, early]);
  expect(await list('scheduledFrom: "2027-07-02"')).toEqual([other, late]);
  expect(await list('scheduledFrom: "2027-07-01", scheduledTo: "2027-07-08"')).toEqual([early]);
  expect(await list('workerId: "none"')).toEqual([]);
  expect(await list(`workerId: "${one.workerId}"`, person(newId(), 'admin'))).toEqual([]);
});

const UPCOMING = `{ upcoming { weeks { week amount { amount currency } payments } days { day balanceAfter { amount currency } }
  shortfalls { day missing { amount } missingInAll { amount } } } fundingReference }`;

it('upcoming payments are listed by week, day and currency, with the missing amounts', async () => {
  const contract = await workspace.contract('sandbox:iban');
  await workspace.fund('10.00');
  await workspace.timesheet(contract, '8.00', { day: '2027-05-01', autoPay: false });
  await workspace.timesheet(contract, '3.00', { day: '2027-06-09' });
  await workspace.timesheet(contract, '5', { day: '2027-06-09', currency: 'JPY' });
  await workspace.timesheet(contract, '90.00', { day: '2028-06-09' });
  const answer = await as(person(workspace.id, 'viewer'), UPCOMING);
  expect(answer.data).toEqual({
    upcoming: {
      weeks: [
        { week: '2027-05-31', amount: { amount: '8.00', currency: 'EUR' }, payments: 1 },
        { week: '2027-06-07', amount: { amount: '3.00', currency: 'EUR' }, payments: 1 },
        { week: '2027-06-07', amount: { amount: '5', currency: 'JPY' }, payments: 1 },
        { week: null, amount: { amount: '90.00', currency: 'EUR' }, payments: 1 },
      ],
      days: [
        { day: '2027-06-01', balanceAfter: { amount: '2.00', currency: 'EUR' } },
        { day: '2027-06-09', balanceAfter: { amount: '-1.00', currency: 'EUR' } },
        { day: '2027-06-09', balanceAfter: { amount: '-5', currency: 'JPY' } },
      ],
      shortfalls: [
        { day: '2027-06-09', missing: { amount: '1.00' }, missingInAll: { amount: '1.00' } },
        { day: '2027-06-09', missing: { amount: '5' }, missingInAll: { amount: '5' } },
      ],
    },
    fundingReference: expect.stringMatching(/^RF\d\d( [0-9A-F]{4}){4}$/) as string,
  });
  const other = (await as(person(newId(), 'admin'), UPCOMING)).data as { upcoming: object };
  expect(other.upcoming).toEqual({ weeks: [], days: [], shortfalls: [] });
});

const READS: [string, Record<Role, boolean>][] = [
  [
    '{ payees { nodes { id workerId verificationStatus version payoutMethod } } }',
    { admin: true, member: true, viewer: true },
  ],
  ['{ payees { nodes { destinationEnding } } }', { admin: true, member: false, viewer: false }],
  ['{ payees { nodes { changedBy } } }', { admin: false, member: false, viewer: false }],
  ['{ payees { nodes { rejectionReason } } }', { admin: false, member: false, viewer: false }],
  [
    '{ payments { nodes { payoutAttempts { number status amount { amount } createdAt } } } }',
    { admin: true, member: true, viewer: true },
  ],
  ['{ payments { nodes { payoutAttempts { providerReference } } } }', { admin: false, member: false, viewer: false }],
  ['{ payments { nodes { payoutAttempts { alarm } } } }', { admin: false, member: false, viewer: false }],
  ['{ ledgerAccounts { account } }', { admin: false, member: false, viewer: false }],
  ['{ ledgerEntries { hasMore } }', { admin: false, member: false, viewer: false }],
  ['{ instructions { hasMore } }', { admin: false, member: false, viewer: false }],
];

it.each(READS)('%s is readable by the listed roles only', async (query, who) => {
  await workspace.contract('sandbox:iban');
  const roles = Object.keys(who) as Role[];
  const read = await Promise.all(
    roles.map(async (role) => [role, codeOf(await as(person(workspace.id, role), query))]),
  );
  expect(Object.fromEntries(read)).toEqual(
    Object.fromEntries(roles.map((role) => [role, who[role] ? undefined : 'INSUFFICIENT_SCOPE'])),
  );
});

it("only an admin registers and changes a worker's payee, in the version they saw", async () => {
  const register =
    'mutation ($w: ID!) { registerPayee(workerId: $w, payoutMethod: bank_transfer, destination: "DE02120300000000202051") { id version verificationStatus } }';
  for (const role of ['member', 'viewer'] as const) {
    expect(codeOf(await as(person(workspace.id, role), register, { w: newId() }))).toBe('INSUFFICIENT_SCOPE');
  }
  const registered = await as(admin, register, { w: newId() });
  const payee = registered.data!['registerPayee'] as { id: string; version: string };
  const change = `mutation ($id: ID!, $seen: String) {
    changePayee(id: $id, payoutMethod: payoneer, destination: "sandbox:elsewhere", expectedVersion: $seen) { verificationStatus } }`;
  expect(codeOf(await as(admin, change, { id: payee.id }))).toBe('STALE_RESOURCE_VERSION');
  expect((await as(admin, change, { id: payee.id, seen: payee.version })).errors).toBeUndefined();
  expect(codeOf(await as(admin, change, { id: payee.id, seen: payee.version }))).toBe('STALE_RESOURCE_VERSION');
  expect(
    codeOf(
      await as(
        admin,
        `mutation { verifyPayee(id: "${payee.id}", expectedVersion: "x", destination: "sandbox:x") { id } }`,
      ),
    ),
  ).toBe('INSUFFICIENT_SCOPE');
  expect((await workspace.verify(payee.id)).data).toMatchObject({ verifyPayee: { verificationStatus: 'verified' } });
});
