import {
  specTypeSchemas,
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { errorForLog } from '@payroll/kernel';
import { type Log, metrics, step } from '@payroll/runtime';
import { callerOf, requireScopes } from '../caller.js';
import type { Confirmation } from '../confirmation/confirmation.js';
import type { FacadeClient } from '../facade-client.js';
import { findTool, toolsFor } from '../tools/catalogue.js';
import { ToolError } from '../tools/tool-error.js';
import { addBusinessResource, addPayrollReview } from './attachments.js';
import { notThere, RewordingServer } from './rpc-errors.js';

export interface McpServerParts {
  facade: FacadeClient;
  log: Log;
  peopleUrl: string;
  confirmationFor: (context: ServerContext, server: McpServer) => Confirmation;
}

const SERVER_INFO = { name: 'contract-payroll', title: 'Contracts and payroll', version: '1.0.0' };

const INSTRUCTIONS =
  'Contracts, submitted work, payments and balances of one employer workspace. Amounts are decimal strings: never round them. ' +
  'Every write is shown to a person, who confirms or declines it; never claim that something was approved before the result says so. ' +
  'Approval creates a payment; only a payment with status "completed" has been paid.';

/** Lists depend on the caller's role and grant. This process is not notified of changes, so it announces none. */
const LISTED = { listChanged: false };

/** A server for one request of a modern host, or for one session of an old one. */
export function createMcpServer(parts: McpServerParts): McpServer {
  const mcp = new RewordingServer(SERVER_INFO, {
    capabilities: { tools: LISTED, resources: LISTED, prompts: LISTED },
    instructions: INSTRUCTIONS,
  });
  // Below McpServer's registry, which would show schema errors and exceptions to the model as raw text.
  mcp.server.setRequestHandler('tools/list', { params: specTypeSchemas.PaginatedRequestParams }, (_page, context) => ({
    tools: toolsFor(callerOf(context).scopes),
  }));
  mcp.server.setRequestHandler(
    'tools/call',
    async ({ params }, context) => await callTool(parts, params, context, mcp),
  );
  addBusinessResource(mcp, parts.facade);
  addPayrollReview(mcp);
  return mcp;
}

/** A failure is a result that the model reads. */
async function callTool(
  { facade, log, peopleUrl, confirmationFor }: McpServerParts,
  { name, arguments: given = {} }: CallToolRequest['params'],
  context: ServerContext,
  mcp: McpServer,
): Promise<CallToolResult | InputRequiredResult> {
  const found = findTool(name);
  if (!found) throw notThere(`There is no tool ${JSON.stringify(name)}.`);
  const { tool, read } = found;
  const caller = callerOf(context);
  const { signal } = context.mcpReq;
  const startedAt = performance.now();
  const note = (outcome: string): void => metrics.toolCalls.since(startedAt, { tool: name, outcome });
  try {
    requireScopes(caller.scopes, tool);
    const call = {
      arguments: read(given),
      caller,
      facade,
      signal,
      peopleUrl,
      confirmation: confirmationFor(context, mcp),
    };
    const result = await step(`use the tool ${name}`, { workspaceId: caller.workspaceId }, () => tool.use(call));
    note(result.resultType === 'input_required' ? 'input_required' : 'ok');
    return result;
  } catch (error) {
    const failure = ToolError.from(error);
    // The host cancelled its call: this is not a failure, and the answer is not read.
    const isAbandoned = signal.aborted;
    note(isAbandoned ? 'abandoned' : failure.isOurs ? 'failed' : 'refused');
    if (failure.failure.code === 'TOOL_FAILED' && !isAbandoned) {
      log.error({ tool: name, error: errorForLog(error) }, 'a tool failed');
    }
    return failure.toResult();
  }
}
