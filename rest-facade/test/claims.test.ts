import { newId } from '@payroll/kernel';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { ClaimRequest, HeldClaim } from '../src/idempotency/claim-statements.js';
import { IdempotencyClaims, type Begun } from '../src/idempotency/claims.js';
import { age, facadeDatabase, holdOnTo, type FacadeDatabase } from './support/facade-database.js';

let facade: FacadeDatabase;
beforeAll(async () => {
  facade = await facadeDatabase('facade_claims');
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => facade[Symbol.asyncDispose]());

const answer = { status: 201, body: '{"id":"one"}' };
const use = (more: Partial<ClaimRequest> = {}): ClaimRequest => ({
  principalId: newId(),
  key: newId(),
  fingerprint: 'this request',
  requestId: newId(),
  ...more,
});
/** The same request sent again: another request id. */
const again = (request: ClaimRequest): ClaimRequest => ({ ...request, requestId: newId() });

function held(begun: Begun): HeldClaim {
  if (begun.kind !== 'held') throw new Error(`The claim is ${begun.kind}`);
  return begun.claim;
}

test('of thirty requests at once with one key, one wins', async () => {
  const request = use();
  const begun = await Promise.all(Array.from({ length: 30 }, () => facade.claims.begin(again(request))));
  const kinds = begun.map(({ kind }) => kind).toSorted();
  expect(kinds).toEqual(['held', ...Array.from({ length: 29 }, () => 'in_progress')].toSorted());
});

test('of thirty different requests at once with one key, one wins and the others reuse it', async () => {
  const request = use();
  const begun = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      facade.claims.begin({ ...again(request), fingerprint: `request ${index}` }),
    ),
  );
  expect(begun.filter(({ kind }) => kind === 'held')).toHaveLength(1);
  expect(begun.filter(({ kind }) => kind === 'reused')).toHaveLength(29);
});

test('keys that are asked for at the same time are taken in one statement, and settled in another', async () => {
  const statements = vi.spyOn(facade.pool, 'query');
  const begun = await Promise.all(Array.from({ length: 30 }, () => facade.claims.begin(use())));
  expect(statements).toHaveBeenCalledTimes(1);
  const completed = await Promise.all(begun.map((each) => facade.claims.complete(held(each), answer)));
  expect(statements).toHaveBeenCalledTimes(2);
  expect(completed).toEqual(begun.map(() => 'kept'));
});

test('two processes that ask for the same keys in opposite orders share them out', async () => {
  const requests = Array.from({ length: 60 }, () => use());
  const other = new IdempotencyClaims(facade.em.fork());
  const [here, there] = await Promise.all([
    Promise.all(requests.map((request) => facade.claims.begin(again(request)))),
    Promise.all(requests.toReversed().map((request) => other.begin(again(request)))),
  ]);
  const kinds = here.map(({ kind }, n) => [kind, there.at(-1 - n)?.kind].toSorted());
  expect(kinds).toEqual(requests.map(() => ['held', 'in_progress']));
});

test('a key that somebody holds on to is not there at the moment, and the others are', async () => {
  const [taken, other, free] = [use(), use(), use()];
  const [late, inTime] = [held(await facade.claims.begin(taken)), held(await facade.claims.begin(other))];
  await using lock = await holdOnTo(facade.db, taken.key);
  const unavailable = { code: 'SERVICE_UNAVAILABLE' };
  await Promise.all([
    expect(facade.claims.begin(again(taken))).rejects.toMatchObject(unavailable),
    expect(facade.claims.begin(free)).resolves.toMatchObject({ kind: 'held' }),
    expect(facade.claims.complete(late, answer)).rejects.toMatchObject(unavailable),
    expect(facade.claims.complete(inTime, answer)).resolves.toBe('kept'),
  ]);
  await lock.letGo();
  expect(await facade.claims.complete(late, answer)).toBe('kept');
});

test('answers that are kept together are each fenced by themselves', async () => {
  const request = use();
  const late = held(await facade.claims.begin(request));
  await age(facade.db, request.key, '4 seconds');
  const second = held(await facade.claims.begin(again(request)));
  const other = held(await facade.claims.begin(use()));
  const kept = await Promise.all([late, other, second].map((claim) => facade.claims.complete(claim, answer)));
  expect(kept).toEqual(['left', 'kept', 'kept']);
});

test('what was begun in another history of the database is not kept in this one, and is told apart', async () => {
  const [request, other] = [use(), use()];
  const claim = held(await facade.claims.begin(request));
  const ours = held(await facade.claims.begin(other));
  const completed = [{ ...claim, history: 'of before the switch' }, ours].map((each) =>
    facade.claims.complete(each, answer),
  );
  expect(await Promise.all(completed)).toEqual(['elsewhere', 'kept']);
  expect((await facade.claims.begin(again(request))).kind).toBe('in_progress');
});

test('a key belongs to its principal', async () => {
  const request = use();
  held(await facade.claims.begin(request));
  const other = held(await facade.claims.begin({ ...again(request), principalId: newId() }));
  expect(other.attempt).toBe(1);
});

test('a completed operation answers with what it answered', async () => {
  const request = use();
  expect(await facade.claims.complete(held(await facade.claims.begin(request)), answer)).toBe('kept');
  expect(await facade.claims.begin(again(request))).toEqual({ kind: 'done', answer });
  expect(await facade.claims.begin({ ...again(request), fingerprint: 'another request' })).toEqual({ kind: 'reused' });
});

test('a lapsed lease is taken over by one of thirty, with the same operation id', async () => {
  const request = use();
  const first = held(await facade.claims.begin(request));
  await age(facade.db, request.key, '4 seconds');
  const begun = await Promise.all(Array.from({ length: 30 }, () => facade.claims.begin(again(request))));
  const winners = begun.filter(({ kind }) => kind === 'held').map(held);
  expect(winners).toEqual([{ ...first, attempt: 2 }]);
  expect(begun.filter(({ kind }) => kind === 'in_progress')).toHaveLength(29);
});

test('another request does not take over a lapsed lease', async () => {
  const request = use();
  held(await facade.claims.begin(request));
  await age(facade.db, request.key, '4 seconds');
  expect(await facade.claims.begin({ ...again(request), fingerprint: 'another request' })).toEqual({ kind: 'reused' });
});

test('a late original changes nothing once it was taken over', async () => {
  const request = use();
  const late = held(await facade.claims.begin(request));
  await age(facade.db, request.key, '4 seconds');
  const second = held(await facade.claims.begin(again(request)));
  expect(await facade.claims.complete(late, { status: 201, body: 'late' })).toBe('left');
  expect(await facade.claims.free(late)).toBe(false);
  expect(await facade.claims.renew(late)).toBe(false);
  expect(await facade.claims.giveUp(late)).toBe(false);
  expect(await facade.claims.complete(second, answer)).toBe('kept');
  expect(await facade.claims.complete(late, { status: 201, body: 'late' })).toBe('left');
  expect(await facade.claims.begin(again(request))).toEqual({ kind: 'done', answer });
});

test('a lease that is renewed does not lapse', async () => {
  const request = use();
  const claim = held(await facade.claims.begin(request));
  await age(facade.db, request.key, '4 seconds');
  expect(await facade.claims.renew(claim)).toBe(true);
  expect(await facade.claims.begin(again(request))).toEqual({ kind: 'in_progress' });
});

test('a lease that is given up is free to be taken over at once', async () => {
  const request = use();
  const first = held(await facade.claims.begin(request));
  expect(await facade.claims.giveUp(first)).toBe(true);
  expect(held(await facade.claims.begin(again(request)))).toEqual({ ...first, attempt: 2 });
});

test('a freed key begins a new operation, for whatever request', async () => {
  const request = use();
  const refused = held(await facade.claims.begin(request));
  expect(await facade.claims.free(refused)).toBe(true);
  const next = held(await facade.claims.begin({ ...again(request), fingerprint: 'corrected' }));
  expect(next.attempt).toBe(1);
  expect(next.operationId).not.toBe(refused.operationId);
  expect(await facade.claims.complete(refused, answer)).toBe('left');
});

test('a result older than 7 days has expired, for ever, and its body is emptied', async () => {
  const request = use();
  await facade.claims.complete(held(await facade.claims.begin(request)), answer);
  await age(facade.db, request.key, '6 days 23 hours 59 minutes');
  expect(await facade.claims.begin(again(request))).toEqual({ kind: 'done', answer });
  await age(facade.db, request.key, '1 minute');
  expect(await facade.claims.begin(again(request))).toEqual({ kind: 'expired' });
  expect(await facade.claims.emptyExpired()).toBe(1);
  expect(await facade.claims.begin(again(request))).toEqual({ kind: 'expired' });
  expect(await facade.claims.begin({ ...again(request), fingerprint: 'another request' })).toEqual({ kind: 'reused' });
});

test('what was begun 7 days ago and never finished has expired, and is not taken over', async () => {
  const request = use();
  held(await facade.claims.begin(request));
  await age(facade.db, request.key, '7 days');
  expect(await facade.claims.begin(again(request))).toEqual({ kind: 'expired' });
});

test('a takeover does not make an operation younger', async () => {
  const request = use();
  held(await facade.claims.begin(request));
  await age(facade.db, request.key, '6 days');
  held(await facade.claims.begin(again(request)));
  await age(facade.db, request.key, '1 day');
  expect(await facade.claims.begin(again(request))).toEqual({ kind: 'expired' });
});

test('Postgres keeps a key that was used, and its answer for 7 days, whatever this process says', async () => {
  const request = use();
  await facade.claims.complete(held(await facade.claims.begin(request)), answer);
  const refused = async (statement: ReturnType<typeof sql>): Promise<void> => {
    await expect(sql`${statement} where key = ${request.key}`.execute(facade.db)).rejects.toThrow('keeps this row');
  };
  await age(facade.db, request.key, '6 days');
  await refused(sql`delete from idempotency_claim`);
  await refused(sql`update idempotency_claim set body = null`);
  await refused(sql`update idempotency_claim set state = 'running'`);
  await age(facade.db, request.key, '1 day');
  await refused(sql`delete from idempotency_claim`);
  await refused(sql`update idempotency_claim set body = 'another answer'`);
  expect(await facade.claims.emptyExpired()).toBe(1);
  await refused(sql`update idempotency_claim set body = 'another answer'`);
});
