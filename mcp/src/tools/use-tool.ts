import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';
import { errorForLog } from '@payroll/kernel';
import type { Log } from '@payroll/process';
import { metrics, step } from '@payroll/telemetry';
import { requireScopes, type Caller } from '../caller.js';
import type { Arguments, FoundTool } from './catalogue.js';
import { ToolError } from './tool-error.js';

interface Use {
  /** As the host sent them. */
  arguments: unknown;
  caller: Caller;
  signal: AbortSignal;
  log: Log;
}

type Outcome = string | CallToolResult | InputRequiredResult;

/** Does what a tool is for, within its scopes and with valid arguments. A failure is returned: the model is told of it. */
export async function useTool<Result extends Outcome>(
  { tool, read }: FoundTool,
  { arguments: given, caller, signal, log }: Use,
  work: (valid: Arguments) => Promise<Result>,
): Promise<Result | ToolError> {
  const { name } = tool;
  const startedAt = performance.now();
  const note = (outcome: string): void => metrics.toolCalls.since(startedAt, { tool: name, outcome });
  try {
    requireScopes(caller.scopes, tool);
    const valid = read(given);
    const result = await step(`use the tool ${name}`, { workspaceId: caller.workspaceId }, () => work(valid));
    note(isQuestion(result) ? 'input_required' : 'ok');
    return result;
  } catch (error) {
    const failure = ToolError.from(error);
    // The host cancelled its call: that is no failure, and nobody reads the answer.
    const isAbandoned = signal.aborted;
    note(isAbandoned ? 'abandoned' : failure.isOurs ? 'failed' : 'refused');
    if (failure.failure.code === 'TOOL_FAILED' && !isAbandoned) {
      log.error({ tool: name, error: errorForLog(error) }, 'a tool failed');
    }
    return failure;
  }
}

function isQuestion(result: Outcome): boolean {
  return typeof result === 'object' && result.resultType === 'input_required';
}
