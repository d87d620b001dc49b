import { Pool } from 'undici';
import { message, problemOf, type Request } from '@payroll/tools/operate/requests';

export interface CrowdOptions {
  kind: 'mcp' | 'v1';
  url: string;
  /** Assigned to the hosts in turn. */
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

/** A tool, and the API operation behind it. Assistants list the tools before each call. */
const CALLS = [
  { tool: 'get_business', given: {}, path: '/business' },
  { tool: 'list_timesheets', given: { status: 'submitted' }, path: '/timesheets?status=submitted&limit=25' },
  { tool: 'list_contracts', given: {}, path: '/contracts?limit=25' },
] as const;

/** All hosts call at once; each sends the next call as soon as the last is answered. */
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

async function timed(pool: Pool, { latencies, errors }: Crowd, request: Request): Promise<void> {
  const sentAt = performance.now();
  const problem = await problemOf(pool, request);
  latencies.push(performance.now() - sentAt);
  if (problem !== null) errors.set(problem, (errors.get(problem) ?? 0) + 1);
}
