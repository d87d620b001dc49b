import type { Pool } from 'undici';

export interface Request {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** As a host of 2026-07-28 sends it. */
export function message(
  headers: Record<string, string>,
  method: string,
  params: { name?: string; arguments?: object },
): Request {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'crowd', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return {
    method: 'POST',
    path: '/mcp',
    headers: {
      ...headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(params.name !== undefined && { 'mcp-name': params.name }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
  };
}

/** Describes what is wrong with the response, including none at all; null if it is correct. */
export async function problemOf(pool: Pool, request: Request): Promise<string | null> {
  try {
    const { statusCode, body } = await pool.request(request);
    const text = await body.text();
    if (statusCode !== 200) return `${statusCode} ${request.path} ${text.slice(0, 200)}`;
    return text.includes('"isError":true') || text.includes('"error":{') ? text.slice(0, 200) : null;
  } catch (error) {
    return `${request.path} ${String(error)}`;
  }
}

/** The value below which this share of them lies; 0 without values. */
export function quantile(share: number, values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? 0;
}
