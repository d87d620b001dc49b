import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Holder, Run } from './write-once.js';

const QUOTAS = { reads: 600, writes: 60 };

interface KeyHolder extends Holder {
  role: string;
  scopes: string[];
  integrationEnabled: boolean;
  writesEnabled: boolean;
  principalUsed: number;
  workspaceUsed: number;
}

/** Admits a request by its API key. @throws Error if the key is not admitted */
export async function admit(
  run: Run,
  { headers }: FastifyRequest,
  reply: FastifyReply,
  limit: keyof typeof QUOTAS,
  scope: string,
): Promise<Holder> {
  const [holder] = await run<KeyHolder>('admit', [headers['x-key-id'], hashOf(headers), limit]);
  if (!holder?.scopes.includes(scope) || !holder.integrationEnabled) throw new Error('not let in');
  if (limit === 'writes' && (!holder.writesEnabled || holder.role === 'viewer')) throw new Error('not let in');
  const left = Math.min(QUOTAS[limit] - holder.principalUsed, 2000 - holder.workspaceUsed);
  void reply.header('RateLimit', `"${limit}";r=${left}`);
  if (left < 0) throw new Error('too many requests');
  return holder;
}

function hashOf(headers: FastifyRequest['headers']): string {
  return createHash('sha256').update(String(headers['x-key-proof'])).digest('base64url');
}
