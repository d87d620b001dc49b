import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { ask } from '@payroll/tools/demo/graphql-client';
import { codeOf, exchange, type RawAnswer, type RawRequest } from '../integrator.js';
import { ownerOf } from '../owner.js';
import { newKey, newMember, newPrincipal, rotated, type Key } from '@payroll/tools/demo/people';
import { activeContract, joinSystem, submittedTimesheet } from '../support.js';

const system = await joinSystem();
const owner = await ownerOf(system);
const contractId = await activeContract(system.access());
// Makes a second page.
await submittedTimesheet(system.access(), contractId);

afterAll(() => owner[Symbol.asyncDispose]());
beforeEach(() => owner.passForLimits(60));

const send = (path: string, request: RawRequest): Promise<RawAnswer> =>
  exchange(system.stack.file.rest.url + path, request);

const graphql = async (mutation: string): Promise<void> => {
  await ask(system.access(), `mutation { ${mutation} }`);
};

/** Each kind of request that a key can send next, after it has sent all of them successfully. */
interface Requests {
  read: () => Promise<RawAnswer>;
  nextPage: () => Promise<RawAnswer>;
  write: () => Promise<RawAnswer>;
  replay: () => Promise<RawAnswer>;
}

async function requestsOf(key: string): Promise<Requests> {
  const approve = async (): Promise<() => Promise<RawAnswer>> => {
    const { id, version } = await submittedTimesheet(system.access(), contractId);
    const request = { key, method: 'POST', body: { expectedVersion: version }, idempotencyKey: randomUUID() } as const;
    return () => send(`/timesheets/${id}/approve`, request);
  };
  const [replay, write] = [await approve(), await approve()];
  expect((await replay()).status).toBe(200);
  const page = await send('/timesheets?limit=1', { key });
  const { nextCursor } = JSON.parse(page.text) as { nextCursor: string };
  return {
    read: () => send('/business', { key }),
    nextPage: () => send(`/timesheets?limit=1&cursor=${nextCursor}`, { key }),
    write,
    replay,
  };
}

/** The result of each kind of request: its error code, or its status if it was admitted. */
async function outcomes(requests: Requests): Promise<Record<keyof Requests, string | number>> {
  const told = async (request: () => Promise<RawAnswer>): Promise<string | number> => {
    const answer = await request();
    return codeOf(answer) ?? answer.status;
  };
  return {
    read: await told(requests.read),
    nextPage: await told(requests.nextPage),
    replay: await told(requests.replay),
    write: await told(requests.write),
  };
}

const allRefused = (code: string): object => ({ read: code, nextPage: code, replay: code, write: code });
const writesRefused = (code: string): object => ({ read: 200, nextPage: 200, replay: code, write: code });
const LET_IN = { read: 200, nextPage: 200, replay: 200, write: 200 };

type Holder = Key & { memberId: string };

describe('the next request of a key, including a replay and the next page, is refused once', () => {
  it.each<[string, (holder: Holder) => Promise<unknown>, object]>([
    ['the key is revoked', ({ id }) => graphql(`revokeApiKey(id: "${id}") { id }`), allRefused('INVALID_CREDENTIAL')],
    [
      'the key has expired',
      ({ id }) => owner.database.query('update workspaces.api_key set expires_at = now() where id = $1', [id]),
      allRefused('INVALID_CREDENTIAL'),
    ],
    [
      'its member has left',
      ({ memberId }) => graphql(`removeMember(id: "${memberId}") { id }`),
      allRefused('INVALID_CREDENTIAL'),
    ],
    [
      'its member may only draft',
      ({ memberId }) => graphql(`changeMemberRole(id: "${memberId}", role: member) { id }`),
      writesRefused('INSUFFICIENT_SCOPE'),
    ],
    [
      'its member may only read',
      ({ memberId }) => graphql(`changeMemberRole(id: "${memberId}", role: viewer) { id }`),
      writesRefused('INSUFFICIENT_SCOPE'),
    ],
  ])('%s', async (_what, change, expected) => {
    const holder = await newPrincipal(system.access());
    const requests = await requestsOf(holder.secret);
    await change(holder);
    expect(await outcomes(requests)).toEqual(expected);
  });

  it('a restored role admits the same requests again; the key of a member who rejoins stays revoked', async () => {
    const holder = await newPrincipal(system.access());
    const requests = await requestsOf(holder.secret);
    await graphql(`changeMemberRole(id: "${holder.memberId}", role: viewer) { id }`);
    expect((await requests.replay()).status).toBe(403);
    await graphql(`changeMemberRole(id: "${holder.memberId}", role: admin) { id }`);
    expect(await outcomes(requests)).toEqual(LET_IN);

    const email = 'comes-and-goes@people.example';
    const memberId = await newMember(system.access(), 'admin', email);
    const { secret } = await newKey(system.access(), memberId);
    const before = await requestsOf(secret);
    await graphql(`removeMember(id: "${memberId}") { id }`);
    const again = await newMember(system.access(), 'admin', email);
    expect(await outcomes(before)).toEqual(allRefused('INVALID_CREDENTIAL'));
    const { secret: fresh } = await newKey(system.access(), again);
    expect((await send('/business', { key: fresh })).status).toBe(200);
    expect((await send('/business', { key: secret })).status).toBe(401);
  });
});

describe('the switches of a workspace take effect at once, on and off:', () => {
  const set = (integration: boolean, writes: boolean): Promise<void> =>
    graphql(`setIntegrationSwitches(integrationEnabled: ${integration}, writesEnabled: ${writes}) { id }`);

  it.each([
    ['INTEGRATION_DISABLED', false, allRefused('INTEGRATION_DISABLED')],
    ['WRITES_DISABLED', true, writesRefused('WRITES_DISABLED')],
  ])('%s', async (_code, integration, expected) => {
    const { secret } = await newPrincipal(system.access());
    const requests = await requestsOf(secret);
    const neighbour = system.workspaces[1].apiKeys.member;
    await set(integration, false);
    try {
      expect(await outcomes(requests)).toEqual(expected);
      const draft = { key: neighbour, method: 'POST', body: { title: 'Next door' } } as const;
      expect((await send('/contracts', { ...draft, idempotencyKey: randomUUID() })).status).toBe(201);
    } finally {
      await set(true, true);
    }
    expect(await outcomes(requests)).toEqual(LET_IN);
    expect((await requests.replay()).headers.get('idempotency-replayed')).toBe('true');
  });
});

describe('a principal', () => {
  it('a rotated key replays, finds its references, and still works when the old key is revoked', async () => {
    const old = await newPrincipal(system.access());
    const idempotencyKey = randomUUID();
    const draft = { title: 'Of a principal', externalReference: randomUUID() };
    const create = (key: string): Promise<RawAnswer> =>
      send('/contracts', { key, method: 'POST', body: draft, idempotencyKey });
    const found = (key: string): Promise<RawAnswer> =>
      send(`/contracts?externalReference=${draft.externalReference}`, { key });
    const first = await create(old.secret);
    const { secret } = await rotated(system.access(), old);
    for (const key of [secret, old.secret]) {
      const replay = await create(key);
      expect([replay.status, replay.headers.get('idempotency-replayed'), replay.text]).toEqual([
        201,
        'true',
        first.text,
      ]);
      expect(JSON.parse((await found(key)).text)).toMatchObject({ data: [JSON.parse(first.text)] });
    }
    await graphql(`revokeApiKey(id: "${old.id}") { id }`);
    expect((await create(old.secret)).status).toBe(401);
    expect((await create(secret)).text).toBe(first.text);
  });

  it('two keys of one member do not share idempotency keys or references', async () => {
    const one = await newPrincipal(system.access());
    const other = await newKey(system.access(), one.memberId);
    const idempotencyKey = randomUUID();
    const draft = { title: 'Of one of two', externalReference: randomUUID() };
    const create = ({ secret: key }: Key): Promise<RawAnswer> =>
      send('/contracts', { key, method: 'POST', body: draft, idempotencyKey });
    const first = await create(one);
    const found = await send(`/contracts?externalReference=${draft.externalReference}`, { key: other.secret });
    expect(JSON.parse(found.text)).toEqual({ data: [], hasMore: false, nextCursor: null });
    const second = await create(other);
    expect([second.status, second.headers.get('idempotency-replayed')]).toEqual([201, null]);
    expect((JSON.parse(second.text) as { id: string }).id).not.toBe((JSON.parse(first.text) as { id: string }).id);
  });
});
