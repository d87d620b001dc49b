import { metrics } from '@payroll/runtime';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startMcpForTest, type McpForTest } from './support/mcp.js';
import { APPROVE, openSession, YES, type OldSession } from './support/old-session.js';

// Elicitation of hosts of the revisions up to 2025-11-25, as seen on the wire.

let mcp: McpForTest;
let host: OldSession;
const outcomes: string[] = [];
let counted: Disposable;
beforeEach(async () => {
  outcomes.length = 0;
  counted = metrics.toolCalls.connect({ observe: ({ outcome }) => outcomes.push(outcome!), zero: () => undefined });
  mcp = await startMcpForTest();
  mcp.login('ada');
  host = await openSession(mcp.url);
});
afterEach(async () => {
  counted[Symbol.dispose]();
  await mcp[Symbol.asyncDispose]();
});

const approve = (intentId: string) => ({ ...APPROVE, arguments: { ...APPROVE.arguments, intentId } });

describe('a question', () => {
  test('is sent on the stream of its call, so that a host without another stream gets it', async () => {
    const call = await host.use(APPROVE);
    const question = await call.next();
    expect(question).toMatchObject({ method: 'elicitation/create', params: { mode: 'form' } });
    expect((await host.answer(question, YES)).status).toBe(202);
    expect((await call.next())?.result?.isError).toBeFalsy();
    expect(await call.next()).toBeUndefined();
    expect(mcp.facade.writes).toHaveLength(1);
  });

  test('is matched to its own call if a session has several', async () => {
    const [first, second] = [await host.use(approve('first-0123456789')), await host.use(approve('second-0123456789'))];
    const [ofFirst, ofSecond] = [await first.next(), await second.next()];
    expect(ofFirst?.id).not.toBe(ofSecond?.id);
    await host.answer(ofSecond, { action: 'decline' });
    expect((await second.next())?.result).toMatchObject({ isError: true });
    expect(mcp.facade.writes).toEqual([]);
    await host.answer(ofFirst, YES);
    expect((await first.next())?.result?.isError).toBeFalsy();
    expect(mcp.facade.writes).toEqual([expect.objectContaining({ key: 'first-0123456789' })]);
  });

  test('ends with the connection of its call: a later confirmation writes nothing', async () => {
    const call = await host.use(APPROVE);
    const question = await call.next();
    call.cut();
    await expect.poll(() => outcomes).toEqual(['refused']);
    expect((await host.answer(question, YES)).status).toBe(202);
    await (await host.call('tools/list', {})).next();
    expect(mcp.facade.writes).toEqual([]);
  });

  test('that is cancelled leaves no stream open', async () => {
    const call = await host.use(APPROVE);
    await call.next();
    await host.post({ method: 'notifications/cancelled', params: { requestId: 2 } });
    expect(await call.next()).toMatchObject({ method: 'notifications/cancelled' });
    expect(await call.next()).toBeUndefined();
    expect(mcp.facade.writes).toEqual([]);
  });
});

test('a call that is cancelled during its request to /v1 has not failed', async () => {
  mcp.facade.troubles.push('hang');
  // The answer of a read is sent as a whole, together with its headers.
  const call = host.use({ name: 'get_business', arguments: {} });
  await expect.poll(() => mcp.facade.state.requests).toBe(1);
  await host.post({ method: 'notifications/cancelled', params: { requestId: 2 } });
  await expect.poll(() => outcomes).toEqual(['abandoned']);
  expect(await (await call).next()).toBeUndefined();
});

describe('the stream that a session may have in addition to its calls', () => {
  test('opens at once, and can be opened again as soon as it was cut off', async () => {
    const first = new AbortController();
    expect((await host.listen(first.signal)).status).toBe(200);
    const held = await host.listen(AbortSignal.timeout(10_000));
    expect(held.status).toBe(409);
    first.abort();
    const again = new AbortController();
    const open = async (): Promise<number> => (await host.listen(again.signal)).status;
    await expect.poll(open, { timeout: 5_000 }).toBe(200);
    again.abort();
  });
});
