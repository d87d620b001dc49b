import { afterEach, beforeEach, expect, test } from 'vitest';
import { FacadeClient, type FacadeRequest } from '../src/facade-client.js';
import { ToolError } from '../src/tools/tool-error.js';
import { startFakeFacade, TIMESHEET_ID, type FakeFacade } from './support/fake-facade.js';

let facade: FakeFacade;
let stack: AsyncDisposableStack;
beforeEach(async () => {
  stack = new AsyncDisposableStack();
  facade = stack.use(await startFakeFacade());
});
afterEach(() => stack.disposeAsync());

const clientOf = (deadlineMs?: number): FacadeClient => stack.use(new FacadeClient(facade.url, deadlineMs));
const signal = new AbortController().signal;
const get: FacadeRequest = { operation: 'getTimesheet', params: { id: TIMESHEET_ID }, assertion: 'a', signal };
const approve: FacadeRequest = {
  ...get,
  operation: 'approveTimesheet',
  write: { body: { expectedVersion: '1' }, idempotencyKey: 'intent-0123456789' },
};

async function failure(answer: Promise<unknown>): Promise<ToolError['failure']> {
  const error = await answer.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ToolError)) throw new Error(`expected a ToolError, got ${String(error)}`);
  return error.failure;
}

test('returns the body of a success unchanged', async () => {
  const direct = await fetch(`${facade.url}/timesheets/${TIMESHEET_ID}`);
  expect(await clientOf().call(get)).toBe(await direct.text());
});

test('treats a success of another content type as a failure', async () => {
  facade.troubles.push({ status: 200, html: '<h1>Welcome</h1>' });
  expect(await failure(clientOf().call(get))).toMatchObject({ code: 'TOOL_FAILED' });
  expect(facade.state.requests).toBe(1);
});

test.each([
  ['a lost connection', 'cut' as const],
  ['429', { status: 429 }],
  ['502', { status: 502 }],
  ['503', { status: 503 }],
  ['504', { status: 504 }],
])('retries %s twice, even for a write, which happens once', async (_what, trouble) => {
  facade.troubles.push(trouble, trouble);
  await clientOf().call(approve);
  expect(facade.state.requests).toBe(3);
  expect(facade.writes).toHaveLength(1);
});

test("throws the third failure with the API's error", async () => {
  facade.troubles.push({ status: 503 }, { status: 503 }, { status: 503 }, { status: 503 });
  expect(await failure(clientOf().call(get))).toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 503 });
  expect(facade.state.requests).toBe(3);
});

test('waits for Retry-After if the deadline allows it', async () => {
  facade.troubles.push({ status: 429, retryAfter: '1' });
  const startedAt = performance.now();
  await clientOf().call(get);
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(1000);
});

test('throws at once if the deadline does not allow Retry-After', async () => {
  facade.troubles.push({ status: 429, retryAfter: '42' });
  expect(await failure(clientOf().call(get))).toMatchObject({
    code: 'RATE_LIMITED',
    status: 429,
    retryAfterSeconds: 42,
  });
  expect(facade.state.requests).toBe(1);
});

test.each([401, 403, 404, 409, 422, 500])('does not retry %i', async (status) => {
  facade.troubles.push({ status });
  expect(await failure(clientOf().call(get))).toMatchObject({ status, requestId: expect.any(String) });
  expect(facade.state.requests).toBe(1);
});

test('a hang ends at the deadline as MCP_UNAVAILABLE', async () => {
  facade.troubles.push('hang', 'hang', 'hang');
  expect(await failure(clientOf(200).call(get))).toMatchObject({ code: 'MCP_UNAVAILABLE' });
});

test("a read whose last attempt hangs is the API's refusal of the one before; a write may have been made", async () => {
  facade.troubles.push({ status: 503 }, 'hang');
  expect(await failure(clientOf(800).call(get))).toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 503 });
  facade.troubles.push({ status: 503 }, 'hang');
  expect(await failure(clientOf(800).call(approve))).toEqual({
    code: 'MCP_UNAVAILABLE',
    message: expect.stringContaining('A write may have taken place') as string,
  });
});

test('a refused connection is MCP_UNAVAILABLE', async () => {
  const client = stack.use(new FacadeClient('http://127.0.0.1:1/v1'));
  expect(await failure(client.call(get))).toMatchObject({ code: 'MCP_UNAVAILABLE' });
});
