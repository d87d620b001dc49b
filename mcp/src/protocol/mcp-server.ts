import {
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Log } from '@payroll/process';
import { callerOf } from '../caller.js';
import type { Confirmation } from '../confirmation/confirmation.js';
import type { FacadeClient } from '../facade-client.js';
import { findTool, toolsFor } from '../tools/catalogue.js';
import { ToolError } from '../tools/tool-error.js';
import { resultOf } from '../tools/tool.js';
import { useTool } from '../tools/use-tool.js';
import { addBusinessResource, addPayrollReview } from './attachments.js';
import { notThere, OwnWordsServer } from './own-words.js';

export interface McpServerParts {
  facade: FacadeClient;
  log: Log;
  peopleUrl: string;
  confirmationFor: (context: ServerContext, server: McpServer) => Confirmation;
}

export const SERVER_INFO = { name: 'contract-payroll', title: 'Contracts and payroll', version: '1.0.0' };

const INSTRUCTIONS =
  'Contracts, submitted work, payments and balances of one employer workspace. Amounts are decimal strings: never round them. ' +
  'Every write is shown to a person, who confirms or declines it; never claim that something was approved before the result says so. ' +
  'Approval creates a payment; only a payment with status "completed" has been paid.';

/** Lists depend on the caller's role and grant. This process does not hear of changes, so it announces none. */
const LISTED = { listChanged: false };

/** A server for one request of a modern host, or for one session of an old one. */
export function createMcpServer(parts: McpServerParts): McpServer {
  const mcp = new OwnWordsServer(SERVER_INFO, {
    capabilities: { tools: LISTED, resources: LISTED, prompts: LISTED },
    instructions: INSTRUCTIONS,
  });
  // Below McpServer's registry, which would show schema errors and exceptions to the model as raw text.
  mcp.server.setRequestHandler('tools/list', (_request, context) => ({ tools: toolsFor(callerOf(context).scopes) }));
  mcp.server.setRequestHandler(
    'tools/call',
    async ({ params }, context) => await callTool(parts, params, context, mcp),
  );
  addBusinessResource(mcp, parts.facade);
  addPayrollReview(mcp);
  return mcp;
}

async function callTool(
  { facade, log, peopleUrl, confirmationFor }: McpServerParts,
  { name, arguments: given = {} }: CallToolRequest['params'],
  context: ServerContext,
  mcp: McpServer,
): Promise<CallToolResult | InputRequiredResult> {
  const found = findTool(name);
  if (!found) throw notThere(`There is no tool ${JSON.stringify(name)}.`);
  const { tool } = found;
  const caller = callerOf(context);
  const { signal } = context.mcpReq;
  const result = await useTool(found, { arguments: given, caller, signal, log }, async (valid) => {
    const call = { arguments: valid, caller, facade, signal };
    if (tool.kind === 'read') return resultOf(await tool.read(call));
    return await tool.write({ ...call, peopleUrl }, confirmationFor(context, mcp));
  });
  return result instanceof ToolError ? result.toResult() : result;
}
