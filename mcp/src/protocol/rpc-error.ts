import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { ErrorCode, ErrorDetail } from '@payroll/kernel';

/** What a message is refused with that reaches no tool: JSON-RPC's error, and in its data the code of the API for it. */
export interface RpcError {
  code: number;
  message: string;
  data: { code: ErrorCode; details?: readonly ErrorDetail[]; uri?: string };
}

/** The body of a refusal whose message could not be read, or is none. */
export function refusalOf(code: ErrorCode, message: string, rpcCode = -32_000) {
  return { jsonrpc: '2.0', error: { code: rpcCode, message, data: { code } } satisfies RpcError, id: null };
}

/** An answer to a message that reaches no server. */
export function rpcError(
  status: number,
  refusal: ReturnType<typeof refusalOf>,
  headers: Record<string, string> = {},
): Response {
  return Response.json(refusal, { status, headers });
}

/** What a name or a URI stands for is not there, for this caller. The protocol wants the URI of a resource in the data. */
export function notThere(message: string, named: { uri?: string } = {}): ProtocolError {
  const data: RpcError['data'] = { code: 'NOT_FOUND', ...named };
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, data);
}
