import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { codeOf, exchange, insist, type RawAnswer, type RawRequest } from '../integrator.js';
import { ownerOf, type Owner } from '../owner.js';
import { newPrincipal } from '@payroll/tools/demo/people';
import { activeContract, paymentsOf, startSystem, submittedTimesheet, type System } from '../support.js';

let system: System;
let owner: Owner;
let urls: readonly [string, string];
const started = new AsyncDisposableStack();

beforeAll(async () => {
  system = started.use(await startSystem());
  owner = started.use(await ownerOf(system));
  const { url } = started.use(await system.stack.another('rest-facade'));
  urls = [system.stack.file.rest.url, `${url}/v1`];
});

afterAll(async () => await started.disposeAsync());

/** Makes each limit's window begin with the test's first request. */
beforeEach(() => owner.passForLimits(60));

const newSecret = async (): Promise<string> => (await newPrincipal(system.access())).secret;

/** Sends to the two facades in turn, at most 50 requests at a time: more would only queue. */
async function inTurn(count: number, request: (n: number) => RawRequest & { path: string }): Promise<RawAnswer[]> {
  const answers: RawAnswer[] = [];
  let next = 0;
  const sender = async (): Promise<void> => {
    for (let n = next++; n < count; n = next++) {
      const { path, ...what } = request(n);
      answers[n] = await exchange(urls[n % 2]! + path, what);
    }
  };
  await Promise.all(Array.from({ length: 50 }, sender));
  return answers;
}

function statusesOf(answers: readonly RawAnswer[]): Record<string, number> {
  const byStatus = Map.groupBy(answers, ({ status }) => status);
  return Object.fromEntries([...byStatus].map(([status, of]) => [status, of.length]));
}

/** The remaining quota that the header gives for a limit. */
const left = (answer: RawAnswer, name: string): number | undefined => {
  const [, remaining] = new RegExp(`"${name}";r=(\\d+);t=\\d+`).exec(answer.headers.get('ratelimit') ?? '') ?? [];
  return remaining === undefined ? undefined : Number(remaining);
};

const countdown = (from: number): number[] => Array.from({ length: from }, (_, n) => n);

describe('two facades share every limit:', () => {
  it.each([
    ['61st write', 'writes', 60, { method: 'POST', path: '/contracts', body: {}, idempotencyKey: randomUUID() }, 422],
    ['601st read', 'reads', 600, { path: '/business' }, 200],
  ] as const)(
    'the %s of a principal is refused, whichever facade receives it',
    async (_which, name, quota, request, status) => {
      const key = await newSecret();
      const answers = await inTurn(quota + 1, () => ({ ...request, key }));
      expect(statusesOf(answers)).toEqual({ [status]: quota, 429: 1 });
      const admitted = answers.filter((answer) => answer.status === status);
      // Each request has its own position: no facade counts by itself.
      expect(admitted.map((answer) => left(answer, name)).toSorted((a, b) => a! - b!)).toEqual(countdown(quota));

      const refused = answers.find((answer) => answer.status === 429)!;
      expect(codeOf(refused)).toBe('RATE_LIMITED');
      expect(left(refused, name)).toBe(0);
      expect(refused.headers.get('ratelimit-policy')).toContain(`"${name}";q=${quota};w=60`);
      const other = name === 'reads' ? 'writes' : 'reads';
      expect(refused.headers.get('ratelimit-policy')).not.toContain(other);
      await owner.passForLimits(Number(refused.headers.get('retry-after')));
      const { path, ...again } = request;
      for (const url of urls) expect((await exchange(url + path, { ...again, key })).status).toBe(status);
    },
  );

  it('the 2,001st request of a workspace is refused, whichever principal sends it', async () => {
    const principals = await Promise.all([newSecret(), newSecret(), newSecret(), newSecret()]);
    const read = (n: number): RawRequest & { path: string } => ({ key: principals[n % 4]!, path: '/business' });
    expect(statusesOf(await inTurn(1, read))).toEqual({ 200: 1 });
    await owner.database.query('update workspaces.rate_counter set used = 1900 where subject = $1', [
      `workspace/${system.workspaces[0].id}`,
    ]);
    expect(statusesOf(await inTurn(100, read))).toEqual({ 200: 100 });
    const fresh = await newSecret();
    const [refused] = await inTurn(1, () => ({ key: fresh, path: '/business' }));
    expect([refused!.status, left(refused!, 'workspace')]).toEqual([429, 0]);
    const neighbour = system.workspaces[1].apiKeys.viewer;
    expect(statusesOf(await inTurn(2, () => ({ key: neighbour, path: '/business' })))).toEqual({ 200: 2 });
    await owner.passForLimits(Number(refused!.headers.get('retry-after')));
    expect(statusesOf(await inTurn(2, () => ({ key: fresh, path: '/business' })))).toEqual({ 200: 2 });
  });

  it('the 31st wrong key from an address is 429, and valid keys are still admitted', async () => {
    const answers = await inTurn(31, () => ({ key: `sk_test_${randomUUID()}`, path: '/business' }));
    expect(statusesOf(answers)).toEqual({ 401: 30, 429: 1 });
    const key = await newSecret();
    expect(statusesOf(await inTurn(2, () => ({ key, path: '/business' })))).toEqual({ 200: 2 });
  });
});

describe('200 concurrent retries of one key to two facades, one of which is killed and restarted, give', () => {
  /** Locks the workspace's change clock: no command of the service finishes until the transaction ends. */
  async function closeService(schema: 'contracts' | 'review'): Promise<() => Promise<unknown>> {
    await owner.database.query('begin');
    await owner.database.query(
      `insert into ${schema}.change_clock (workspace_id, last) values ($1, clock_timestamp())
       on conflict (workspace_id) do update set last = excluded.last`,
      [system.workspaces[0].id],
    );
    return () => owner.database.query('commit');
  }

  /**
   * Kills a facade while the operation has begun and cannot finish, and again when the first final answer has been
   * sent.
   */
  async function retryAmongKills(schema: 'contracts' | 'review', path: string, body: object): Promise<RawAnswer[]> {
    const { secret, principalId } = await newPrincipal(system.access());
    await owner.liftLimits(principalId);
    const request: RawRequest = { key: secret, method: 'POST', body, idempotencyKey: randomUUID() };
    const count = { failures: 0, final: 0 };
    const retry = async (n: number): Promise<RawAnswer> => {
      const answer = await insist(
        () => exchange(urls[n % 2]! + path, request),
        () => void (count.failures += 1),
      );
      count.final += 1;
      return answer;
    };
    const killAndRestart = async (): Promise<void> => {
      await system.stack.kill('rest-facade', 'SIGKILL');
      await system.stack.ready('rest-facade');
    };
    const open = await closeService(schema);
    const answers = Promise.all(Array.from({ length: 200 }, (_, n) => retry(n)));
    await expect.poll(() => count.failures, { timeout: 20_000 }).toBeGreaterThan(100);
    await killAndRestart();
    await open();
    await expect.poll(() => count.final, { timeout: 20_000 }).toBeGreaterThan(0);
    await killAndRestart();
    return await answers;
  }

  it('one contract and equal final answers', async () => {
    const title = `Only once ${randomUUID()}`;
    const answers = await retryAmongKills('contracts', '/contracts', { title });
    expect(statusesOf(answers)).toEqual({ 201: 200 });
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const { rows } = await owner.database.query('select id from contracts.contract where title = $1', [title]);
    expect(rows).toEqual([{ id: (JSON.parse(answers[0]!.text) as { id: string }).id }]);
  });

  it('one approval, one payment and equal final answers', async () => {
    const contractId = await activeContract(system.access());
    const { id, version } = await submittedTimesheet(system.access(), contractId);
    const answers = await retryAmongKills('review', `/timesheets/${id}/approve`, { expectedVersion: version });
    expect(statusesOf(answers)).toEqual({ 200: 200 });
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const { paymentId } = JSON.parse(answers[0]!.text) as { paymentId: string };
    expect(await paymentsOf(system.access(), contractId, id)).toEqual([paymentId]);
    const approvals = `select from review.audit_entry where action = 'timesheet.approved' and subject_id = $1`;
    expect((await owner.database.query(approvals, [id])).rowCount).toBe(1);
  });
});
