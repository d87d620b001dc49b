import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { actorTokens, composed, hiveFolder } from '@payroll/tests/judges/hive/router';
import type { Stack } from '@payroll/tools/local/assemble-stack';
import { findPort } from '@payroll/tools/local/ports';
import { repositoryRoot } from '@payroll/infra/processes';
import { json, type BenchTarget, type Side } from '../doors.js';
import type { Request } from '@payroll/tools/operate/requests';
import { listensAt, startProgram, type Place } from '../program.js';

/** Actor tokens are valid for 15 s. */
const RENEW_MS = 5_000;

export interface HiveDoor extends BenchTarget {
  ask: (query: string, variables: object) => Request;
  /** Timesheets of the one workspace that is queried. */
  timesheets: readonly { id: string }[];
}

/**
 * Hive's gateway in front of the same subgraphs, if it is installed. It does not authenticate its caller: each request
 * brings the tokens that admission would have issued, here for the demo's first workspace.
 */
export async function hiveDoor(stack: Stack, { servers, workspaces }: Side, place: Place): Promise<HiveDoor | null> {
  if (!existsSync(join(hiveFolder, 'node_modules/@graphql-hive/gateway-runtime'))) return null;
  const supergraph = join(stack.dir, 'supergraph.graphql');
  await writeFile(supergraph, await composed(stack));
  const port = await findPort(0, 'free');
  const env = { NODE_ENV: 'production', SUPERGRAPH: supergraph, LISTEN_PORT: String(port) };
  const args = [join(repositoryRoot, 'lab/dist/bench/hive/main.js')];
  const program = { command: process.execPath, args, env, isReady: () => listensAt(port) };
  const hive = await startProgram('hive', program, place);
  const headers = renewed(stack);
  return {
    ...{ name: 'hive', origin: `http://127.0.0.1:${port}`, servers, timesheets: workspaces[0]!.timesheets },
    processes: () => ({ hive, ...servicesOf(stack) }),
    ask: (query, variables) => json('/graphql', headers(), { query, variables }),
  };
}

/** The CPU of the subgraphs counts for it too. */
function servicesOf({ file }: Stack): Record<string, number> {
  return Object.fromEntries(Object.entries(file.processes).filter(([name]) => name !== 'rest-facade'));
}

function renewed(stack: Stack): () => Record<string, string> {
  const { id } = stack.file.workspaces![0]!;
  let made = { at: -Infinity, headers: {} as Record<string, string> };
  return () => {
    const now = performance.now();
    if (now - made.at > RENEW_MS) made = { at: now, headers: actorTokens(stack, id) };
    return made.headers;
  };
}
