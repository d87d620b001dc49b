import { parseEvent, type EventBody } from '@payroll/events';
import { KYB_STATUSES, type KybStatus } from '@payroll/kernel';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { apiKey, Workspaces, type Answer, type Place } from './support.js';

let place: Place;
const workspaces = await Workspaces.open('workspaces_business');
afterAll(() => workspaces[Symbol.asyncDispose]());
beforeEach(async () => {
  place = await workspaces.provision();
});

const only = ({ data }: Answer): Record<string, unknown> => Object.values(data ?? {})[0] as Record<string, unknown>;
const mutate = (call: string, fields = 'id'): Promise<Answer> =>
  workspaces.graphql(place.origin, `mutation { ${call} { ${fields} } }`);

function told(): EventBody<'business.changed'>[] {
  return workspaces.events
    .filter(({ aboutId }) => aboutId === place.workspaceId)
    .map((event) => parseEvent(JSON.parse(JSON.stringify(event))).body as EventBody<'business.changed'>);
}

it('emits an event when a business is created and at each change of its verification', async () => {
  const way: KybStatus[] = ['pending', 'rejected', 'pending', 'verified', 'pending', 'verified', 'rejected'];
  for (const status of way) {
    const after = only(await mutate(`setVerificationStatus(kybStatus: ${status})`, 'kybStatus'));
    expect(after).toEqual({ kybStatus: status });
  }
  expect(told()).toEqual(
    ['not_started', ...way].map((kybStatus, n) => ({
      businessId: place.workspaceId,
      revision: n + 1,
      kybStatus,
      name: 'Northwind',
      country: 'DE',
    })),
  );
  expect((await workspaces.audited(place.workspaceId)).at(-1)).toMatchObject({
    action: 'business.verification-changed',
    actorKind: 'staff',
    principalId: place.origin.actor.principalId,
    subjectId: place.workspaceId,
    change: { kybStatus: { from: 'verified', to: 'rejected' } },
  });
});

it.each(KYB_STATUSES.filter((status) => status !== 'pending'))('not_started cannot become %s', async (status) => {
  const { errors } = await mutate(`setVerificationStatus(kybStatus: ${status})`);
  expect(errors?.[0]?.extensions.code).toBe('INVALID_STATE');
  expect(told()).toHaveLength(1);
});

it('a change of name or country keeps omitted fields', async () => {
  const before = only(await workspaces.graphql(place.origin, '{ business { updatedAt } }'));
  const renamed = only(await mutate('updateBusiness(name: "Südwind")', 'name country updatedAt'));
  expect(renamed).toMatchObject({ name: 'Südwind', country: 'DE' });
  expect(String(renamed['updatedAt']) > String(before['updatedAt'])).toBe(true);
  expect(only(await mutate('updateBusiness(country: "AT")', 'name country'))).toEqual({
    name: 'Südwind',
    country: 'AT',
  });
  expect(only(await mutate('updateBusiness(country: "AT")', 'id'))).toEqual({ id: place.workspaceId });
  // One event per change: contracts shows the name.
  expect(told().map(({ revision, name, country }) => [revision, name, country])).toEqual([
    [1, 'Northwind', 'DE'],
    [2, 'Südwind', 'DE'],
    [3, 'Südwind', 'AT'],
  ]);
  const audit = await workspaces.audited(place.workspaceId);
  expect(audit.slice(1).map(({ change }) => change)).toEqual([
    { from: { name: 'Northwind', country: 'DE' }, to: { name: 'Südwind', country: 'DE' } },
    { from: { name: 'Südwind', country: 'DE' }, to: { name: 'Südwind', country: 'AT' } },
  ]);
});

it.each([
  ['name', 'too_short', 'name: " "'],
  ['name', 'too_long', `name: "${'n'.repeat(201)}"`],
  ['name', 'invalid_characters', String.raw`name: "a\u0000"`],
  ['country', 'invalid_format', 'country: "Germany"'],
])('refuses a %s that is %s', async (path, code, argument) => {
  const { errors } = await mutate(`updateBusiness(${argument})`);
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ path, code }] });
});

describe('integration switches', () => {
  it('can be set and read by internal teams, and changes are audited', async () => {
    const set = 'setIntegrationSwitches(integrationEnabled: true, writesEnabled: false)';
    const off = { switches: { integrationEnabled: true, writesEnabled: false } };
    expect(only(await mutate(set, 'switches { integrationEnabled writesEnabled }'))).toEqual(off);
    const query = '{ business { switches { integrationEnabled writesEnabled } } }';
    expect(only(await workspaces.graphql(place.origin, query))).toEqual(off);
    await mutate(set);
    const audit = await workspaces.audited(place.workspaceId);
    expect(audit.slice(1)).toMatchObject([
      {
        action: 'business.switches-set',
        change: { from: { integrationEnabled: true, writesEnabled: true }, to: off.switches },
      },
    ]);
  });

  it('that are not given stay: two admins who each switch one off leave both off', async () => {
    const shown = 'switches { integrationEnabled writesEnabled }';
    await mutate('setIntegrationSwitches(integrationEnabled: false)');
    expect(only(await mutate('setIntegrationSwitches(writesEnabled: false)', shown))).toEqual({
      switches: { integrationEnabled: false, writesEnabled: false },
    });
  });

  it('are not readable with an API key', async () => {
    const key = apiKey(place.workspaceId);
    expect(only(await workspaces.graphql(key, '{ business { name } }'))).toEqual({ name: 'Northwind' });
    const { errors } = await workspaces.graphql(key, '{ business { switches { writesEnabled } } }');
    expect(errors?.[0]?.extensions.code).toBe('INSUFFICIENT_SCOPE');
  });
});

it.each([
  'setVerificationStatus(kybStatus: pending) { id }',
  'updateBusiness(name: "x") { id }',
  'setIntegrationSwitches(integrationEnabled: false, writesEnabled: false) { id }',
  'addMember(name: "x", email: "x@example.com", role: admin) { id }',
  'changeMemberRole(id: "x", role: admin) { id }',
  'removeMember(id: "x") { id }',
  'createApiKey(input: { memberId: "x", name: "x", scopes: [], expiresAt: "2099-01-01T00:00:00Z" }) { secret }',
  'rotateApiKey(id: "x", expiresAt: "2099-01-01T00:00:00Z") { secret }',
  'revokeApiKey(id: "x") { id }',
])('an API key cannot call %s', async (call) => {
  const { errors } = await workspaces.graphql(apiKey(place.workspaceId), `mutation { ${call} }`);
  expect(errors?.[0]?.extensions.code).toBe('INSUFFICIENT_SCOPE');
});
