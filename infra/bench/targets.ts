import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Client } from 'pg';
import { repositoryRoot } from '../local/repository-root.js';
import type { Stack } from '../local/stack.js';
import type { Request } from './load.js';

/** Something that answers the same requests: the system, or the bare handler it is compared with. */
export interface Target {
  name: 'system' | 'direct';
  origin: string;
  prefix: string;
  pids: () => number[];
  headers: Record<string, string>;
}

export function systemTarget(stack: Stack): Target {
  const { origin } = new URL(stack.file.rest.url);
  const headers = { authorization: `Bearer ${stack.file.workspaces![0]!.apiKeys.admin}` };
  return { name: 'system', origin, prefix: '/v1', pids: () => Object.values(stack.file.processes), headers };
}

export async function directTarget(stack: Stack, database: Client, cleanup: AsyncDisposableStack): Promise<Target> {
  const port = await freePort();
  const url = stack.database.adminUrl.replace(/\/[^/]*$/, '/payroll');
  const child = spawn(process.execPath, [join(repositoryRoot, 'infra/dist/bench/direct.js')], {
    env: { ...process.env, DATABASE_URL: url, LISTEN_PORT: String(port) },
    stdio: 'inherit',
  });
  cleanup.defer(async () => {
    child.kill();
    await once(child, 'exit');
  });
  const { rows } = await database.query<{ id: string; secret_hash: string }>(
    `select id, secret_hash from workspaces.api_key where workspace_id = $1 and name = 'Demo admin'`,
    [stack.file.workspaces![0]!.id],
  );
  const headers = { 'x-key-id': rows[0]!.id, 'x-key-hash': rows[0]!.secret_hash };
  const origin = `http://127.0.0.1:${port}`;
  while (!(await fetch(origin).catch(() => null))) await new Promise((resolve) => setTimeout(resolve, 50));
  return { name: 'direct', origin, prefix: '', pids: () => [child.pid!], headers };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

export function get({ prefix, headers }: Target, path: string): Request {
  return { method: 'GET', path: prefix + path, headers };
}

export function approve({ prefix, headers }: Target, { id, version }: { id: string; version: string }): Request {
  const body = JSON.stringify({ expectedVersion: version });
  return {
    method: 'POST',
    path: `${prefix}/timesheets/${id}/approve`,
    headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body,
  };
}
