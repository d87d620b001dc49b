import {
  isJsonContentType,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type Transport,
} from '@modelcontextprotocol/server';
import type { ErrorCode, ErrorDetail } from '@payroll/kernel';
import { parsed } from '../json.js';

// The SDK reports invalid messages and exceptions in the raw text of its validator or of the exception. Callers get our
// words instead. Refusals of our own are recognized by the code in their data.

interface SdkError {
  code: number;
  message: string;
  data?: unknown;
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
  [-32_603]: ['INTERNAL_ERROR', 'Something went wrong on our side.'],
  [-32_020]: ['INVALID_REQUEST', 'Mcp-Method, Mcp-Name and MCP-Protocol-Version must match the body.'],
  [-32_021]: ['INVALID_REQUEST', 'The host has not declared a capability that this method needs.'],
  [-32_022]: ['INVALID_REQUEST', 'This revision of the protocol is not supported here.'],
};
const OTHER: Words = ['INVALID_REQUEST', 'MCP-Protocol-Version names a revision that has no sessions: use 2025-11-25.'];

/** A server whose errors are all in our words, in both eras of the protocol. */
export class OwnWordsServer extends McpServer {
  override async connect(transport: Transport): Promise<void> {
    const send = transport.send.bind(transport);
    transport.send = async (message, options) =>
      await send('error' in message ? { ...message, error: inOurWords(message.error) } : message, options);
    await super.connect(transport);
  }
}

/** The same for a message that reached no server. */
export async function reworded(response: Response): Promise<Response> {
  const { status, headers } = response;
  if (status < 400 || !isJsonContentType(headers.get('content-type'))) return response;
  const { error, ...rest } = (await response.json()) as { error: SdkError };
  return Response.json({ ...rest, error: inOurWords(error, status) }, { status, headers });
}

function inOurWords(error: SdkError, status = 200): SdkError {
  if (isOurs(error)) return error;
  const details = detailsOf(error);
  if (details.length > 0 || error.code === -32_602) {
    const named = details.map(({ path }) => path).join(', ');
    const message = named === '' ? 'The parameters are not valid.' : `The parameters are not valid: ${named}.`;
    return { code: -32_602, message, data: { code: 'VALIDATION_FAILED', details } } satisfies RpcError;
  }
  const [code, message] = (error.code === -32_601 ? undefined : BY_STATUS[status]) ?? BY_CODE[error.code] ?? OTHER;
  // Data that the protocol adds to its own codes, such as the supported revisions, is kept for programs.
  const data = error.code <= -32_020 && error.code >= -32_022 ? { ...(error.data as object), code } : { code };
  return { code: error.code, message, data };
}

/** What a caller is told of an exception. */
export const INTERNAL_ERROR = inOurWords({ code: -32_603, message: '' });

function isOurs({ data }: SdkError): boolean {
  return typeof (data as { code?: unknown } | undefined)?.code === 'string';
}

interface Issue {
  path: readonly (string | number)[];
  code: string;
  message: string;
}

/** The problems by path, from the validator's list at the end of a message or from the data on the envelope. */
function detailsOf({ message, data }: SdkError): ErrorDetail[] {
  const { envelope } = (data ?? {}) as { envelope?: { missing?: string[]; key?: string } };
  const missing = envelope?.missing?.map((path) => ({ path, code: 'required' }));
  const misfit = envelope?.key === undefined ? undefined : [{ path: envelope.key, code: 'invalid_value' }];
  return missing ?? misfit ?? issuesOf(message).map((issue) => ({ path: issue.path.join('.'), code: codeOf(issue) }));
}

function issuesOf(message: string): Issue[] {
  const start = message.indexOf('[\n');
  return start < 0 ? [] : ((parsed(message.slice(start)) as Issue[] | undefined) ?? []);
}

function codeOf({ code, message }: Issue): string {
  if (code !== 'invalid_type') return 'invalid_value';
  return message.endsWith('received undefined') ? 'required' : 'invalid_type';
}

/** A JSON-RPC error for a message that reaches no tool, with the API's code in its data. */
interface RpcError {
  code: number;
  message: string;
  data: { code: ErrorCode; details?: readonly ErrorDetail[]; uri?: string };
}

/** The body of a refusal of a message whose id is not known. */
export function refusalOf(code: ErrorCode, message: string, rpcCode = -32_000) {
  return { jsonrpc: '2.0', error: { code: rpcCode, message, data: { code } } satisfies RpcError, id: null };
}

export function rpcError(
  status: number,
  refusal: ReturnType<typeof refusalOf>,
  headers: Record<string, string> = {},
): Response {
  return Response.json(refusal, { status, headers });
}

/** For a name or URI that does not exist for this caller. The protocol wants the URI of a resource in the data. */
export function notThere(message: string, named: { uri?: string } = {}): ProtocolError {
  const data: RpcError['data'] = { code: 'NOT_FOUND', ...named };
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, data);
}
