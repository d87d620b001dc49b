import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { everything, furnish, nextPagesOf } from '../belongings.js';
import { exchange, type RawAnswer } from '../integrator.js';
import { ownerOf } from '../owner.js';
import { newPrincipal, type Key } from '@payroll/tools/demo/people';
import { pathWith, queryOf, requestOf } from '../operation-requests.js';
import { fetchDocument, type Operation } from '../../support/document.js';
import { activeContract, joinSystem, submittedTimesheet } from '../support.js';

const system = await joinSystem();
const routes = (await fetchDocument(system.stack.file.rest.url)).operations;
const key = await newPrincipal(system.access());
const belongings = await furnish(system, key);
const nextPages = await nextPagesOf(system, routes, key, belongings.ids['contract']!);
const their = { ...belongings, key, nextPages };
const access = system.access(system.workspaces[1]);
const intruder = await newPrincipal(access);
const owner = await ownerOf(system);
await owner.liftLimits(key.principalId);
await owner.liftLimits(intruder.principalId, system.workspaces[1].id);
// Gives the intruder its own rows, so that its lists are not empty.
await submittedTimesheet(access, await activeContract(access));

afterAll(() => owner[Symbol.asyncDispose]());

const send = (route: Operation, path: string, key: Key, body: object = {}): Promise<RawAnswer> =>
  exchange(system.stack.file.rest.url + path, requestOf(route, key.secret, body));

const read = (path: string, key: Key): Promise<RawAnswer> =>
  exchange(system.stack.file.rest.url + path, { key: key.secret });

/** Expects no id or text of theirs in an answer, except what was sent to get it. */
function expectNothingOfTheirs(answer: RawAnswer, sent = ''): void {
  const hidden = [...Object.values(their.ids), ...Object.values(their.words)].filter((one) => one !== sent);
  const shown = answer.text + JSON.stringify([...answer.headers]);
  expect(hidden.filter((one) => shown.includes(one))).toEqual([]);
}

it('the walk covers every operation of public-api.md §4', () => {
  expect(routes).toHaveLength(16);
  expect(their.nextPages.length).toBeGreaterThan(6);
});

describe('with a key of another workspace', () => {
  it('every id of another workspace is 404 on every route, even with the right version', async () => {
    const before = await everything(system, routes, their.key, their);
    expect(Object.keys(before).length).toBeGreaterThan(10);
    for (const route of routes.filter(({ path }) => path.includes('{'))) {
      for (const [kind, id] of Object.entries(their.ids)) {
        const { [id]: expectedVersion } = their.versions;
        const answer = await send(route, pathWith(route, id), intruder, expectedVersion ? { expectedVersion } : {});
        expect([route.id, kind, answer.status]).toEqual([route.id, kind, 404]);
        expectNothingOfTheirs(answer);
      }
    }
    expect(await everything(system, routes, their.key, their)).toEqual(before);
  });

  const isPlainRead = ({ method, path, isPublic }: Operation): boolean =>
    method === 'GET' && !isPublic && !path.includes('{');

  it('no list shows rows of another workspace, even for its contracts, references and cursors', async () => {
    const given: Record<string, string[]> = {
      contractId: [their.ids['contract']!],
      externalReference: [their.words.reference],
      cursor: their.nextPages.map(({ cursor }) => cursor),
    };
    for (const route of routes.filter(isPlainRead)) {
      const plain = await read(route.path, intruder);
      expect(plain.status).toBe(200);
      expectNothingOfTheirs(plain);
      for (const name of queryOf(route)) {
        for (const value of given[name] ?? []) {
          const answer = await read(`${route.path}?${name}=${value}`, intruder);
          expectNothingOfTheirs(answer, value);
          const found = { status: answer.status, ...(JSON.parse(answer.text) as object) };
          const nothing = { status: 200, data: [], hasMore: false, nextCursor: null };
          expect(found).toEqual(name === 'cursor' ? expect.objectContaining({ status: 400 }) : nothing);
        }
      }
    }
  });

  it('second pages of another workspace are refused, even with exactly their query', async () => {
    for (const { path } of their.nextPages) {
      const answer = await read(path, intruder);
      expect([path, answer.status]).toEqual([path, 400]);
      expectNothingOfTheirs(answer);
      expect((await read(path, their.key)).status).toBe(200);
    }
  });

  it('a reference and an Idempotency-Key of another workspace can be used again', async () => {
    const idempotencyKey = randomUUID();
    const { reference: externalReference } = their.words;
    const create = (key: Key, body: object): Promise<RawAnswer> =>
      exchange(`${system.stack.file.rest.url}/contracts`, { key: key.secret, method: 'POST', body, idempotencyKey });
    expect((await create(their.key, { title: 'Theirs' })).status).toBe(201);
    const answer = await create(intruder, { title: 'Mine', externalReference });
    expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([201, null]);
    expectNothingOfTheirs(answer, externalReference);
  });
});

it('without a key only the contract document is served, whether or not the resource exists', async () => {
  const nobody = { ...intruder, secret: 'sk_test_nobody' };
  for (const route of routes) {
    for (const id of [their.ids['contract']!, randomUUID()]) {
      const answer = await send(route, pathWith(route, id), nobody);
      // 429 once this address has failed too often.
      expect(route.isPublic ? [200] : [401, 429]).toContain(answer.status);
      expectNothingOfTheirs(answer);
    }
  }
});
