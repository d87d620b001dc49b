import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Client } from 'pg';
import type { Stack } from '../../local/assemble-stack.js';
import { findPort } from '../../local/ports.js';
import { repositoryRoot } from '../../local/processes.js';
import { createBareTables } from './tables.js';
import { superuserUrl } from '../database.js';
import { restDoor, type Door } from '../doors.js';
import { startProgram, type Place } from '../program.js';

/** Starts the bare handler on a copy of the tables as they are now: for an integrator, and for a service of the house. */
export async function bareDoors(stack: Stack, database: Client, place: Place) {
  await createBareTables(database);
  const port = await findPort(0, 'free');
  const env = { NODE_ENV: 'production', DATABASE_URL: superuserUrl(stack), LISTEN_PORT: String(port) };
  const args = [join(repositoryRoot, 'infra/dist/bench/bare/main.js')];
  const pid = await startProgram('bare', { command: process.execPath, args, port, env }, place);
  const door: Door = { name: 'bare', origin: `http://127.0.0.1:${port}`, processes: () => ({ bare: pid }) };
  const { graphql, workspaces } = stack.file;
  const [{ id, apiKeys }] = workspaces as [NonNullable<typeof workspaces>[0]];
  const key = await presented(database, 'api_key', apiKeys.admin);
  const token = await presented(database, 'internal_token', graphql.token!);
  return {
    bare: restDoor(door, '', key),
    bareInternal: restDoor(door, '/internal', { ...token, 'x-workspace-id': id }),
  };
}

/** A credential as its row's id and the digest of its secret: taking its text apart is not what is measured. */
async function presented(database: Client, table: string, credential: string): Promise<Record<string, string>> {
  const proof = sha256(credential.split('_').at(-1)!.slice(0, 50));
  const query = `select id from bench.${table} where secret_hash = $1`;
  const { rows } = await database.query<{ id: string }>(query, [sha256(proof)]);
  return { 'x-key-id': rows[0]!.id, 'x-key-proof': proof };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
