import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { actorTokens, composed, hiveFolder } from '../../judges/hive/router.js';
import type { Stack } from '../../local/assemble-stack.js';
import { findPort } from '../../local/ports.js';
import { repositoryRoot } from '../../local/processes.js';
import { graphDoor, type GraphDoor } from '../doors.js';
import { startProgram, type Place } from '../program.js';

/** Actor tokens hold for 15 s. */
const RENEW_MS = 5_000;

/**
 * Hive's gateway in front of the same subgraphs, where it is installed. It asks nobody who the caller is: whoever sends a
 * request here brings the tokens that admission would have answered.
 */
export async function hiveDoor(stack: Stack, place: Place): Promise<GraphDoor | null> {
  if (!existsSync(join(hiveFolder, 'node_modules/@graphql-hive/gateway-runtime'))) return null;
  const supergraph = join(stack.dir, 'supergraph.graphql');
  await writeFile(supergraph, await composed(stack));
  const port = await findPort(0, 'free');
  const env = { NODE_ENV: 'production', SUPERGRAPH: supergraph, LISTEN_PORT: String(port) };
  const args = [join(repositoryRoot, 'infra/dist/bench/hive/main.js')];
  const pid = await startProgram('hive', { command: process.execPath, args, port, env }, place);
  const processes = () => ({ hive: pid, ...servicesOf(stack) });
  const door = { name: 'hive', origin: `http://127.0.0.1:${port}`, processes };
  return graphDoor(door, renewed(stack));
}

/** What the subgraphs spend counts for it too. */
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
