import { Pool } from 'undici';
import type { Request } from './load.js';

export interface CrowdOptions {
  kind: 'mcp' | 'v1';
  url: string;
  /** Handed out in turn. */
  bearers: readonly string[];
  hosts: number;
  seconds: number;
}

export interface Crowd {
  /** Sorted, in ms. */
  latencies: number[];
  errors: Map<string, number>;
  seconds: number;
}

/** What both do: the tool, and the operation that is behind it. Assistants list the tools before each. */
const CALLS = [
  { tool: 'get_business', given: {}, path: '/business' },
  { tool: 'list_timesheets', given: { status: 'submitted' }, path: '/timesheets?status=submitted&limit=25' },
  { tool: 'list_contracts', given: {}, path: '/contracts?limit=25' },
] as const;

/** Everybody calls at once, each the next as soon as the last is answered. */
export async function crowd(options: CrowdOptions): Promise<Crowd> {
  const { url, bearers, hosts, seconds, kind } = options;
  await using stack = new AsyncDisposableStack();
  const pool = stack.adopt(new Pool(new URL(url).origin, { connections: hosts }), (open) => open.close());
  const result: Crowd = { latencies: [], errors: new Map(), seconds };
  const until = performance.now() + seconds * 1000;
  const host = async (n: number): Promise<void> => {
    const headers = { authorization: `Bearer ${bearers[n % bearers.length]}` };
    for (let turn = n; performance.now() < until; turn++) {
      const call = CALLS[turn % CALLS.length]!;
      if (kind === 'v1') await timed(pool, result, { method: 'GET', path: `/v1${call.path}`, headers });
      else {
        await timed(pool, result, message(headers, 'tools/list', {}));
        await timed(pool, result, message(headers, 'tools/call', { name: call.tool, arguments: call.given }));
      }
    }
  };
  await Promise.all(Array.from({ length: hosts }, (_, n) => host(n)));
  return { ...result, latencies: result.latencies.toSorted((a, b) => a - b) };
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

async function timed(pool: Pool, { latencies, errors }: Crowd, request: Request): Promise<void> {
  const sentAt = performance.now();
  const problem = await problemOf(pool, request);
  latencies.push(performance.now() - sentAt);
  if (problem !== null) errors.set(problem, (errors.get(problem) ?? 0) + 1);
}

/** What is wrong with the answer, or that there was none; null when all is well. */
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
