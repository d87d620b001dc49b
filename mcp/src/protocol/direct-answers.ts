import { SERVER_INFO_META_KEY, type JSONRPCRequest } from '@modelcontextprotocol/server';
import { errorForLog } from '@payroll/kernel';
import type { Log } from '@payroll/process';
import { callerOf, type Caller } from '../caller.js';
import type { FacadeClient } from '../facade-client.js';
import { findTool, toolsTextFor, type FoundTool } from '../tools/catalogue.js';
import { ToolError } from '../tools/tool-error.js';
import type { ReadTool } from '../tools/tool.js';
import { useTool } from '../tools/use-tool.js';
import { SERVER_INFO } from './mcp-server.js';
import type { HttpMessage } from './message.js';
import { INTERNAL_ERROR } from './own-words.js';

/** What results have beside their own members: since 2026-07-28 whether they are complete, and whose they are. */
const RESULT = {
  modern: `,${membersOf({ resultType: 'complete', _meta: { [SERVER_INFO_META_KEY]: SERVER_INFO } })}`,
  legacy: '',
};
/** And lists for how long and for whom they hold. */
const LIST = { modern: `${RESULT.modern},${membersOf({ ttlMs: 0, cacheScope: 'private' })}`, legacy: '' };

type Era = keyof typeof RESULT;

/**
 * Answers what hosts send most, the list of tools and calls of tools that read, without a server, transport and stream of
 * the SDK: the body of `/v1` becomes a part of the answer as it is. Messages with anything unusual are left to the SDK
 * (ADR 0038).
 */
export class DirectAnswers {
  constructor(private readonly parts: { facade: FacadeClient; log: Log }) {}

  /** The answer in JSON, empty once nobody waits for it; null for a message that is left to the SDK. */
  async answer(request: JSONRPCRequest, era: Era, { authInfo, gone }: Waiting): Promise<string | null> {
    const id = JSON.stringify(request.id);
    try {
      const members = await this.result(request, era, callerOf({ http: { authInfo } }), gone.signal);
      if (members === null) return null;
      return gone.signal.aborted ? '' : `{"jsonrpc":"2.0","id":${id},"result":{${members}}}`;
    } catch (error) {
      this.parts.log.error({ error: errorForLog(error) }, 'a message failed');
      return `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(INTERNAL_ERROR)}}`;
    }
  }

  private async result(
    { method, params = {} }: JSONRPCRequest,
    era: Era,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<string | null> {
    const { name, arguments: given = {}, _meta, ...unusual } = params;
    if (Object.keys(unusual).length > 0) return null;
    if (method === 'tools/list') return `"tools":${toolsTextFor(caller.scopes)}${LIST[era]}`;
    const found = method === 'tools/call' && typeof name === 'string' ? findTool(name) : undefined;
    if (!found || !isReading(found) || !isObject(given)) return null;
    const { facade, log } = this.parts;
    const body = await useTool(found, { arguments: given, caller, signal, log }, (valid) =>
      found.tool.read({ arguments: valid, caller, facade, signal }),
    );
    return (body instanceof ToolError ? membersOf(body.toResult()) : membersAround(body)) + RESULT[era];
  }
}

/** The result of a tool call that admission refused. */
export function failedCall({ id }: JSONRPCRequest, era: Era, failure: ToolError): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{${membersOf(failure.toResult())}${RESULT[era]}}}`;
}

type Waiting = Pick<HttpMessage, 'authInfo' | 'gone'>;

/** `resultOf`, of a body that nobody parses. */
function membersAround(body: string): string {
  return `"content":[{"type":"text","text":${JSON.stringify(body)}}],"structuredContent":${body}`;
}

function membersOf(object: object): string {
  return JSON.stringify(object).slice(1, -1);
}

function isReading(found: FoundTool): found is FoundTool<ReadTool> {
  return found.tool.kind === 'read';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
