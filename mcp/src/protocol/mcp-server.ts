import {
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
  specTypeSchemas,
} from '@modelcontextprotocol/server';
import { errorForLog } from '@payroll/kernel';
import { type Log, metrics, withSpan } from '@payroll/runtime';
import { callerOf, canRead, requireScopes } from '../caller.js';
import type { Confirmation } from '../confirmation/confirmation.js';
import type { FacadeClient } from '../facade-client.js';
import { findTool, toolsFor } from '../tools/catalogue.js';
import { ToolError } from '../tools/tool-error.js';
import { notFoundError, RewordingServer } from './rpc-errors.js';

export interface McpServerDependencies {
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
/** Parameters of lists, which always have one page. */
const PAGE = { params: specTypeSchemas.PaginatedRequestParams };

/** A server for one request of a modern host, or for one session of an old one. */
export function createMcpServer(parts: McpServerDependencies): McpServer {
  const mcp = new RewordingServer(SERVER_INFO, {
    capabilities: { tools: LISTED, resources: LISTED, prompts: LISTED },
    instructions: INSTRUCTIONS,
  });
  // Below McpServer's registry, which would show schema errors and exceptions to the model as raw text.
  mcp.server.setRequestHandler('tools/list', PAGE, (_page, context) => ({
    tools: toolsFor(callerOf(context).scopes),
  }));
  mcp.server.setRequestHandler('tools/call', ({ params }, context) => callTool(parts, params, context, mcp));
  addBusinessResource(mcp, parts.facade);
  addPayrollReview(mcp);
  return mcp;
}

/** A failure is a result that the model reads. */
async function callTool(
  { facade, log, peopleUrl, confirmationFor }: McpServerDependencies,
  { name, arguments: given = {} }: CallToolRequest['params'],
  context: ServerContext,
  mcp: McpServer,
): Promise<CallToolResult | InputRequiredResult> {
  const found = findTool(name);
  if (!found) throw notFoundError(`There is no tool ${JSON.stringify(name)}.`);
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
    const result = await withSpan(`use the tool ${name}`, { workspaceId: caller.workspaceId }, () => tool.use(call));
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

const URI = 'service://business';

/** The workspace as something a host can attach to a conversation, for those who may read. */
function addBusinessResource({ server }: McpServer, facade: FacadeClient): void {
  server.setRequestHandler('resources/list', PAGE, (_page, context) => ({
    resources: canRead(context)
      ? [
          {
            uri: URI,
            name: 'business',
            title: 'The workspace',
            description: 'The employer whose data this connection reads.',
            mimeType: 'application/json',
          },
        ]
      : [],
  }));
  server.setRequestHandler('resources/templates/list', PAGE, () => ({ resourceTemplates: [] }));
  server.setRequestHandler(
    'resources/read',
    { params: specTypeSchemas.ReadResourceRequestParams },
    async ({ uri }, context) => {
      if (uri !== URI || !canRead(context))
        throw notFoundError(`There is no resource ${JSON.stringify(uri)}.`, { uri });
      try {
        const { assertion } = callerOf(context);
        const text = await facade.call({ operation: 'getBusiness', assertion, signal: context.mcpReq.signal });
        return { contents: [{ uri, mimeType: 'application/json', text }] };
      } catch (error) {
        const { failure } = ToolError.from(error);
        throw new ProtocolError(ProtocolErrorCode.InternalError, failure.message, failure);
      }
    },
  );
}

const NAME = 'payroll_review';

const CHECKLIST = `Review the work that is waiting for approval in this workspace. Only read; change nothing along the way.

1. Workspace: read it with get_business and say whose payroll this is.
2. Submitted work: list_timesheets with status "submitted", all pages. For milestones list_contracts, then list_milestones with status "submitted" for each contract but drafts: work under a contract that is over can still wait.
3. Amounts: for each item show the worker, the contract, and the amount as the API gives it, digit for digit with its currency. Compare units × rate with the total. Point out what is unusual: a total far from earlier ones of the same contract, overlapping or very long work periods, the same period twice. Sum up by currency, never across currencies.
4. Payment dates: show when each item would be paid, and point out dates that are past or today.
5. Automatic payment: for each timesheet say whether autoPayEnabled is on (it is paid on its date with no further step) or off (someone has to start the payout). Milestones are processed immediately after approval.
6. Balances: get_balances, and compare available money with the sums. If balances cannot be read, say that they are unknown; never take them for zero.
7. Show all of this as one table, with open questions below it, and ask which items to approve or reject and why.

Decide nothing yourself. Approve or reject one item at a time, only when the person has named it, and let the person confirm each in the dialogue that follows. A confirmation of one item does not cover another. After an approval follow paymentId with get_payment: only status "completed" means that the worker has been paid.`;

/** A checklist for people who go through submitted work with an assistant; it performs no write (public-api.md §4). */
function addPayrollReview({ server }: McpServer): void {
  const prompt = {
    name: NAME,
    title: 'Payroll review',
    description:
      'Goes through submitted work, amounts, payment dates and automatic payment before anything is approved.',
  };
  server.setRequestHandler('prompts/list', PAGE, (_page, context) => ({ prompts: canRead(context) ? [prompt] : [] }));
  server.setRequestHandler('prompts/get', { params: specTypeSchemas.GetPromptRequestParams }, ({ name }, context) => {
    if (name !== NAME || !canRead(context)) {
      throw notFoundError(`There is no prompt ${JSON.stringify(name)}.`);
    }
    const { description } = prompt;
    return { description, messages: [{ role: 'user', content: { type: 'text', text: CHECKLIST } }] };
  });
}
