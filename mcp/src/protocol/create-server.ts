import {
  type CallToolResult,
  type InputRequiredResult,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { errorForLog } from '@payroll/kernel';
import type { Log } from '@payroll/process';
import { metrics, step } from '@payroll/telemetry';
import { callerOf } from '../caller.js';
import type { Confirmation } from '../confirmation/confirmation.js';
import type { FacadeClient } from '../facade/facade-client.js';
import { addPayrollReview } from '../prompts/payroll-review.js';
import { findTool, toolsFor } from '../tools/catalogue.js';
import { requireScopes } from '../tools/scopes.js';
import { ToolError } from '../tools/tool-error.js';
import { addBusinessResource } from './business-resource.js';
import { OwnWordsServer } from './own-words.js';
import { notThere } from './rpc-error.js';

export interface McpServerParts {
  facade: FacadeClient;
  log: Log;
  /** How the host of a call is asked for a person's yes. */
  confirmationFor: (context: ServerContext, server: McpServer) => Confirmation;
}

const INSTRUCTIONS =
  'Contracts, submitted work, payments and balances of one employer workspace. Amounts are decimal strings: never round them. ' +
  'Every write is shown to a person, who confirms or declines it; never claim that something was approved before the result says so. ' +
  'Approval creates a payment; only a payment with status "completed" has been paid.';

/** Lists follow the caller's role and grant. Nobody tells this process of a change, so it promises no news of one. */
const LISTED = { listChanged: false };

/** A server for one request of a modern host, or for one session of an old one. */
export function createMcpServer(parts: McpServerParts): McpServer {
  const mcp = new OwnWordsServer(
    { name: 'contract-payroll', title: 'Contracts and payroll', version: '1.0.0' },
    { capabilities: { tools: LISTED, resources: LISTED, prompts: LISTED }, instructions: INSTRUCTIONS },
  );
  // Below McpServer's registry: that would tell the model of schema errors and exceptions in its own free text.
  mcp.server.setRequestHandler('tools/list', (_request, context) => ({ tools: toolsFor(callerOf(context).scopes) }));
  mcp.server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { name, arguments: given = {} } = params;
    return await callTool(parts, { name, given, context, confirmation: () => parts.confirmationFor(context, mcp) });
  });
  addBusinessResource(mcp, parts.facade);
  addPayrollReview(mcp);
  return mcp;
}

interface Call {
  name: string;
  given: unknown;
  context: ServerContext;
  confirmation: () => Confirmation;
}

async function callTool(
  { facade, log }: McpServerParts,
  { name, given, context, confirmation }: Call,
): Promise<CallToolResult | InputRequiredResult> {
  const found = findTool(name);
  if (!found) throw notThere(`There is no tool ${JSON.stringify(name)}.`);
  const { tool, read } = found;
  const caller = callerOf(context);
  const startedAt = performance.now();
  const note = (outcome: string): void => metrics.toolCalls.since(startedAt, { tool: name, outcome });
  const { signal } = context.mcpReq;
  try {
    requireScopes(caller.scopes, tool);
    const details = { workspaceId: caller.workspaceId };
    const call = { arguments: read(given), caller, facade, confirmation: confirmation(), signal };
    const result = await step(`use the tool ${name}`, details, () => tool.run(call));
    note(result.resultType === 'input_required' ? 'input_required' : 'ok');
    return result;
  } catch (error) {
    const failure = ToolError.from(error);
    // The host has taken its call back: what that interrupted has not failed, and nobody reads the answer.
    const isAbandoned = signal.aborted;
    note(isAbandoned ? 'abandoned' : failure.isOurs ? 'failed' : 'refused');
    if (failure.failure.code === 'TOOL_FAILED' && !isAbandoned) {
      log.error({ tool: name, error: errorForLog(error) }, 'a tool failed');
    }
    return failure.toResult();
  }
}
