import type { ConnectionAdmission } from '@payroll/admission';
import {
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  type McpHandlerRequestOptions,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { errorForLog } from '@payroll/kernel';
import type { Log } from '@payroll/process';
import { metrics, step } from '@payroll/telemetry';
import { callerOf, requireScopes } from '../caller.js';
import { modernConfirmation, type Confirmation } from '../confirmation/confirmation.js';
import type { ReviewStates } from '../confirmation/review-state.js';
import type { FacadeClient } from '../facade-client.js';
import { parsed } from '../json.js';
import { findTool, toolsFor } from '../tools/catalogue.js';
import { ToolError } from '../tools/tool-error.js';
import { addBusinessResource, addPayrollReview } from './attachments.js';
import { LegacySessions, type LegacySessionsOptions } from './legacy-sessions.js';
import { notThere, OwnWordsServer, refusalOf, reworded, rpcError } from './own-words.js';

interface McpServerParts {
  facade: FacadeClient;
  log: Log;
  confirmationFor: (context: ServerContext, server: McpServer) => Confirmation;
}

const INSTRUCTIONS =
  'Contracts, submitted work, payments and balances of one employer workspace. Amounts are decimal strings: never round them. ' +
  'Every write is shown to a person, who confirms or declines it; never claim that something was approved before the result says so. ' +
  'Approval creates a payment; only a payment with status "completed" has been paid.';

/** Lists depend on the caller's role and grant. This process does not hear of changes, so it announces none. */
const LISTED = { listChanged: false };

/** A server for one request of a modern host, or for one session of an old one. */
function createMcpServer(parts: McpServerParts): McpServer {
  const mcp = new OwnWordsServer(
    { name: 'contract-payroll', title: 'Contracts and payroll', version: '1.0.0' },
    { capabilities: { tools: LISTED, resources: LISTED, prompts: LISTED }, instructions: INSTRUCTIONS },
  );
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
  { facade, log, confirmationFor }: McpServerParts,
  { name, arguments: given = {} }: CallToolRequest['params'],
  context: ServerContext,
  mcp: McpServer,
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
    const call = { arguments: read(given), caller, facade, confirmation: confirmationFor(context, mcp), signal };
    const result = await step(`use the tool ${name}`, details, () => tool.run(call));
    note(result.resultType === 'input_required' ? 'input_required' : 'ok');
    return result;
  } catch (error) {
    const failure = ToolError.from(error);
    // The host cancelled its call: that is no failure, and nobody reads the answer.
    const isAbandoned = signal.aborted;
    note(isAbandoned ? 'abandoned' : failure.isOurs ? 'failed' : 'refused');
    if (failure.failure.code === 'TOOL_FAILED' && !isAbandoned) {
      log.error({ tool: name, error: errorForLog(error) }, 'a tool failed');
    }
    return failure.toResult();
  }
}

export interface EndpointOptions extends Omit<McpServerParts, 'confirmationFor'> {
  admission: ConnectionAdmission;
  states: ReviewStates;
  sessions?: Omit<LegacySessionsOptions, 'admission' | 'createServer'>;
}

/** `/mcp` for hosts of both eras of the protocol. */
export class McpEndpoint implements AsyncDisposable {
  private readonly modern;
  private readonly legacy: LegacySessions;

  constructor({ admission, states, sessions, facade, log }: EndpointOptions) {
    const create = (confirmationFor: McpServerParts['confirmationFor']) =>
      createMcpServer({ facade, log, confirmationFor });
    this.modern = createMcpHandler(() => create((context) => modernConfirmation(states, context)), {
      legacy: 'reject',
      onerror: (error) => log.debug({ error: errorForLog(error) }, 'a message was refused'),
    });
    this.legacy = new LegacySessions({ ...sessions, admission, createServer: create });
  }

  readonly fetch = async (request: Request, options: McpHandlerRequestOptions = {}): Promise<Response> => {
    if (request.method !== 'POST') return await reworded(await this.legacy.fetch(request, options));
    if (!isJsonContentType(request.headers.get('content-type'))) {
      return rpcError(415, refusalOf('INVALID_REQUEST', 'Content-Type must be application/json.'));
    }
    const parsedBody = parsed(await request.text());
    if (parsedBody === undefined) {
      return rpcError(400, refusalOf('INVALID_REQUEST', 'The body is not JSON.', -32_700));
    }
    const isLegacy = await isLegacyRequest(request, parsedBody);
    return await reworded(await (isLegacy ? this.legacy : this.modern).fetch(request, { ...options, parsedBody }));
  };

  /** Ends the streams that hosts only listen to, so that their connections can be closed. */
  endStreams(): void {
    this.legacy.endStreams();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.legacy[Symbol.asyncDispose]();
    await this.modern.close();
  }
}
