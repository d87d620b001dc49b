import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Holder, Run } from './write-once.js';

const QUOTAS = { reads: 600, writes: 60 };

/** @throws Error for who is not let in. */
export async function admit(
  run: Run,
  { headers }: FastifyRequest,
  reply: FastifyReply,
  limit: keyof typeof QUOTAS,
  scope: string,
): Promise<Holder> {
  const hash = createHash('sha256').update(String(headers['x-key-proof'])).digest('base64url');
  const [holder] = await run<Holder>('admit', [headers['x-key-id'], hash, limit]);
  if (!holder?.scopes.includes(scope) || !holder.integrationEnabled) throw new Error('not let in');
  if (limit === 'writes' && (!holder.writesEnabled || holder.role === 'viewer')) throw new Error('not let in');
  const left = Math.min(QUOTAS[limit] - holder.principalUsed, 2000 - holder.workspaceUsed);
  void reply.header('RateLimit', `"${limit}";r=${left}`);
  if (left < 0) throw new Error('too many requests');
  return holder;
}
