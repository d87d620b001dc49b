import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { Submitted } from '@payroll/tools/demo/steps';
import type { RawAnswer, RawRequest } from '../support/client/client.js';
import type { Operation } from '../support/document.js';
import { api, must, newIntegrator, once } from '../e2e/integrator.js';
import { letMinutePass } from '../e2e/owner.js';
import { activeHourly, submittedMilestones, submittedWeek } from '../e2e/steps.js';
import { creatorOf, milestonesOf, shownOf, withPlainAmounts, type Draft } from './drafts.js';
import { requestsTo, type Things } from './requests.js';
import type { FuzzRequest } from './wrong-requests.js';

/**
 * See `npm run fuzz -- --help`. By default the requests are the same each time, so that a failure is due to the change.
 */
const wanted = Number(process.env['FUZZ_REQUESTS'] ?? 600);
const seed = Number(process.env['FUZZ_SEED'] ?? 1);

const HALF_AN_HOUR_MS = 1_800_000;

/** A workspace that the e2e tests do not use. */
const WORKSPACE = 1;
const { key, v1 } = await newIntegrator({ workspace: WORKSPACE });
const known = await things();
const operations = api.document.operations.filter(({ isPublic }) => !isPublic);
/** A draft has more fields than all other bodies together. */
const shareOf = ({ id }: Operation): number => (id === 'createContract' ? 1 / 4 : 3 / 4 / (operations.length - 1));

const met = { requests: 0, statuses: new Map<number, number>() };
afterAll(() => {
  const statuses = [...met.statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`);
  console.log(`fuzz: ${met.requests} requests, seed ${seed}: ${statuses.join(', ')}`);
});

describe.concurrent(`with seed ${seed}`, () => {
  it.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s answers as documented whatever request it gets, and names what is wrong',
    async (_id, operation) => {
      const numRuns = Math.ceil(wanted * shareOf(operation));
      const property = fc.asyncProperty(requestsTo(api.document, operation, known), (sent) => hold(operation, sent));
      await fc.assert(property, { seed, numRuns });
    },
    HALF_AN_HOUR_MS,
  );
});

async function hold(operation: Operation, { request, body, refused }: FuzzRequest): Promise<void> {
  // A new key for each request, even while a counterexample is being shrunk.
  const unique: Record<string, string> = operation.body ? { 'idempotency-key': randomUUID() } : {};
  const keyed = { ...request, key, headers: { ...unique, ...request.headers } };
  const answer = await send(keyed);
  expect(answer.status, answer.text).toBeLessThan(500);
  if (refused) {
    expect(answer.status, answer.text).toBe(refused.status);
    if (refused.path !== undefined) expect(pathsOf(answer)).toContain(refused.path);
    if (refused.isInSchema && operation.body) {
      expect(api.judge.accepts(operation, JSON.parse(String(request.body)))).toBe(false);
    }
    return;
  }
  expect(ACCEPTED, answer.text).toContain(answer.status);
  if (!operation.body) return;
  expect(api.judge.accepts(operation, body)).toBe(true);
  if (answer.status >= 300) return;
  const replay = await send(keyed);
  expect([replay.status, replay.text, replay.headers.get('idempotency-replayed')]).toEqual([
    answer.status,
    answer.text,
    'true',
  ]);
  if (operation.id === 'createContract') await readBack(body as Draft, JSON.parse(answer.text) as Created);
}

/** A valid request may still be for an unknown id, or for one that was decided already. */
const ACCEPTED = [200, 201, 404, 409];

async function send(request: RawRequest): Promise<RawAnswer> {
  // Limits are not tested here: keep below 60 writes of a principal and 2,000 requests of a workspace.
  if (met.requests % 20 === 0) await letMinutePass();
  met.requests += 1;
  const answer = await api.raw(request);
  met.statuses.set(answer.status, (met.statuses.get(answer.status) ?? 0) + 1);
  return answer;
}

function pathsOf({ text }: RawAnswer): string[] {
  const { error } = JSON.parse(text) as { error: { details?: { path: string }[] } };
  return error.details?.map(({ path }) => path) ?? [];
}

interface Created {
  id: string;
  updatedAt: string;
}

/**
 * Expects the created contract to read back unchanged: by id, in the list, by its reference, and with its milestones in
 * order.
 */
async function readBack(draft: Draft, created: Created): Promise<void> {
  expect(created).toMatchObject(shownOf(draft));
  const path = { id: created.id };
  const { creator, ...summary } = must(await v1.GET('/contracts/{id}', { params: { path } }));
  expect(summary).toEqual(created);
  expect(withPlainAmounts(creator)).toEqual(withPlainAmounts(expectedCreator(draft, creator)));
  // Each change of a workspace has its own timestamp, so the first change since this one is this one.
  const query = { updatedSince: created.updatedAt, limit: 1 };
  expect(must(await v1.GET('/contracts', { params: { query } })).data).toEqual([created]);
  const milestones = must(await v1.GET('/contracts/{id}/milestones', { params: { path, query: { limit: 100 } } }));
  const sent = milestonesOf(draft).map((milestone): unknown => expect.objectContaining(milestone));
  expect(withPlainAmounts(milestones.data)).toEqual(sent);
  if (draft.externalReference === undefined) return;
  const { externalReference } = draft;
  const referred = must(await v1.GET('/contracts', { params: { query: { externalReference } } }));
  expect(referred.data).toEqual([created]);
}

/** The service assigns ids, and positions where none was sent. */
function expectedCreator(draft: Draft, shown: unknown): unknown {
  const expected = creatorOf(draft) as { deliverables: object[] } | null;
  const { deliverables = [] } = (shown ?? {}) as { deliverables?: { id: string; sortOrder: number }[] };
  return (
    expected && {
      ...expected,
      deliverables: expected.deliverables.map((each, n) => ({
        id: deliverables[n]?.id,
        sortOrder: deliverables[n]?.sortOrder,
        ...each,
      })),
    }
  );
}

/** Some ids of each kind; some of the work is submitted, some approved or rejected. */
async function things(): Promise<Things> {
  const contractId = await activeHourly('EUR', WORKSPACE);
  const timesheets: Submitted[] = [];
  for (let week = 0; week < 12; week++) timesheets.push(await submittedWeek(contractId, week, WORKSPACE));
  const { contractId: other, ids } = await submittedMilestones(12, WORKSPACE);
  const milestones = await Promise.all(
    ids.map(async (id) => must(await v1.GET('/milestones/{id}', { params: { path: { id } } }))),
  );
  const [first] = timesheets as [Submitted];
  const params = { path: { id: first.id }, ...once() };
  const body = { expectedVersion: first.version };
  const { paymentId } = must(await v1.POST('/timesheets/{id}/approve', { params, body }));
  return { contracts: [{ id: contractId }, { id: other }], timesheets, milestones, payments: [{ id: paymentId! }] };
}
