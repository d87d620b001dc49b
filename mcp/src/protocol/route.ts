import type { IncomingHttpHeaders } from 'node:http';
import { classifyInboundRequest, SUPPORTED_PROTOCOL_VERSIONS, type JSONRPCRequest } from '@modelcontextprotocol/server';
import { headerOf } from './message.js';

/** Where the body of a POST belongs. */
interface Route {
  era: 'modern' | 'legacy';
  /** A request about which there is nothing to refuse before its method is looked at; null for any other body. */
  plain: JSONRPCRequest | null;
}

/** By the SDK's own rules; what it refuses, its modern handler refuses. */
export function routeOf(headers: IncomingHttpHeaders, body: unknown): Route {
  const [version, method, name] = ['mcp-protocol-version', 'mcp-method', 'mcp-name'].map((each) =>
    headerOf(headers, each),
  );
  const outcome = classifyInboundRequest({
    httpMethod: 'POST',
    ...(version !== undefined && { protocolVersionHeader: version }),
    ...(method !== undefined && { mcpMethodHeader: method }),
    ...(name !== undefined && { mcpNameHeader: name }),
    body,
  });
  if (outcome.kind === 'legacy') {
    const request = outcome.reason === 'no-claim' ? (body as JSONRPCRequest) : null;
    return { era: 'legacy', plain: request && isPlainInSession(headers, request) ? request : null };
  }
  if (outcome.kind === 'reject' || outcome.messageKind === 'notification') return { era: 'modern', plain: null };
  const { message } = outcome;
  const agrees = version === '2026-07-28' && method === message.method && name === message.params?.['name'];
  return { era: 'modern', plain: agrees ? message : null };
}

function isPlainInSession({ accept = '', ...headers }: IncomingHttpHeaders, { params }: JSONRPCRequest): boolean {
  const version = headerOf(headers, 'mcp-protocol-version');
  return (
    accept.includes('application/json') &&
    accept.includes('text/event-stream') &&
    (version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(version)) &&
    Object.entries(params?._meta ?? {}).every(([key, value]) => key === 'progressToken' && isToken(value))
  );
}

function isToken(value: unknown): boolean {
  return typeof value === 'string' || Number.isSafeInteger(value);
}
