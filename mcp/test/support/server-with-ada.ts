import { afterEach, beforeEach, expect } from 'vitest';
import { TIMESHEET_ID } from './fake-facade.js';
import { startMcpForTest, type McpForTest } from './mcp.js';
import { callTool, type Round, type RpcAnswer } from './modern-host.js';

export const INTENT = 'intent-0123456789';
export const approval = { id: TIMESHEET_ID, intentId: INTENT };
export const rejection = { ...approval, reason: 'The hours of the 12th are missing.' };

/** A new server for each test, with Ada, who has every scope. */
export function serverWithAda() {
  let mcp: McpForTest;
  beforeEach(async () => {
    mcp = await startMcpForTest();
    mcp.login('ada');
  });
  afterEach(() => mcp[Symbol.asyncDispose]());

  const call = (name: string, given: unknown, round: Partial<Round> = {}): Promise<RpcAnswer> =>
    callTool(mcp.url, name, given, { token: 'ada', ...round });
  return {
    get mcp(): McpForTest {
      return mcp;
    },
    call,
    /** The first round: the question, and the state for the next round. */
    ask: async (name = 'approve_timesheet', given: unknown = approval) => {
      const { result } = await call(name, given);
      expect(result).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) });
      return { message: result!.inputRequests!['confirm']!.params.message, requestState: result!.requestState! };
    },
    writes: (): number => mcp.facade.writes.length,
  };
}
