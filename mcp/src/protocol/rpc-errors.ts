import {
  isJsonContentType,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type Transport,
} from '@modelcontextprotocol/server';
import type { ErrorCode } from '@payroll/kernel';

// The SDK reports invalid messages and exceptions in the raw text of its validator or of the exception. Callers get a code
// of the API and our own sentence instead. Our own refusals are recognized by the code in their data.

interface RpcError {
  code: number;
  message: string;
  data?: { code?: unknown };
}

type Words = readonly [ErrorCode, string];

const BY_STATUS: Readonly<Partial<Record<number, Words>>> = {
  404: ['NOT_FOUND', 'There is no such session: initialize again.'],
  405: ['INVALID_REQUEST', 'This address takes POST, and within a session GET and DELETE.'],
  406: ['INVALID_REQUEST', 'Accept must name text/event-stream, and for POST application/json as well.'],
  409: ['INVALID_REQUEST', 'The session already has an open stream.'],
};

const BY_CODE: Readonly<Partial<Record<number, Words>>> = {
  [-32_700]: ['INVALID_REQUEST', 'The body is not a JSON-RPC message.'],
  [-32_600]: [
    'INVALID_REQUEST',
    'The body is not a JSON-RPC message that can be handled here; a batch has at most 100.',
  ],
  [-32_601]: ['NOT_FOUND', 'This server has no such method.'],
  [-32_602]: ['VALIDATION_FAILED', 'The parameters are not those of this method, or its _meta is incomplete.'],
  [-32_603]: ['INTERNAL_ERROR', 'Something went wrong on our side.'],
  [-32_020]: ['INVALID_REQUEST', 'Mcp-Method, Mcp-Name and MCP-Protocol-Version must match the body.'],
  [-32_021]: ['INVALID_REQUEST', 'The host has not declared a capability that this method needs.'],
  [-32_022]: ['INVALID_REQUEST', 'This revision of the protocol is not supported here.'],
};
const OTHER: Words = ['INVALID_REQUEST', 'MCP-Protocol-Version names a revision that has no sessions: use 2025-11-25.'];

/** A server whose errors are all in our words, in both eras of the protocol. */
export class RewordingServer extends McpServer {
  override async connect(transport: Transport): Promise<void> {
    const send = transport.send.bind(transport);
    transport.send = async (message, options) =>
      await send(
        'error' in message ? { ...message, error: normalizeError(message.error as RpcError) } : message,
        options,
      );
    await super.connect(transport);
  }
}

/** The same for a message that reached no server. The SDK answers a wrong `subscriptions/listen` with 200, others with more. */
export async function normalizeErrorResponse(response: Response, method?: string): Promise<Response> {
  const { status, headers } = response;
  const isRefusal = status >= 400 || method === 'subscriptions/listen';
  if (!isRefusal || !isJsonContentType(headers.get('content-type'))) return response;
  const { error, ...rest } = (await response.json()) as { error: RpcError };
  return Response.json({ ...rest, error: normalizeError(error, status) }, { status, headers });
}

function normalizeError(error: RpcError, status = 200): RpcError {
  const { code: rpcCode, data } = error;
  if (typeof data?.code === 'string') return error;
  const [code, message] = (rpcCode === -32_601 ? undefined : BY_STATUS[status]) ?? BY_CODE[rpcCode] ?? OTHER;
  // Data that the protocol adds to its own codes, such as the supported revisions, is kept for programs.
  const isProtocols = rpcCode <= -32_020 && rpcCode >= -32_022;
  return { code: rpcCode, message, data: { ...(isProtocols && data), code } };
}

/** The body of a refusal of a message whose id is not known, with the API's code in its data. */
export function refusalOf(code: ErrorCode, message: string, rpcCode = -32_000) {
  return { jsonrpc: '2.0', error: { code: rpcCode, message, data: { code } }, id: null };
}

/** For a name or URI that does not exist for this caller. The protocol wants the URI of a resource in the data. */
export function notFoundError(message: string, named: { uri?: string } = {}): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, { code: 'NOT_FOUND', ...named });
}
