import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Holder, Prepared, Run } from './write-once.js';

const counter = (subject: string) => `
  insert into rate_counter as c (subject, window_started_at, used) select ${subject}, now(), 1 from known
  on conflict (subject) do update set
    used = case when c.window_started_at <= now() - interval '60 s' then 0 else least(c.used, 1000000) end + 1,
    window_started_at = case when c.window_started_at <= now() - interval '60 s' then now() else c.window_started_at end
  returning used`;

/** Who holds the key, and both counters one further: the same in one statement as our admission does for many. */
const ADMIT: Prepared = {
  name: 'admit',
  text: `with known as (
    select k.workspace_id, k.principal_id, k.scopes, m.role, b.integration_enabled, b.writes_enabled
    from api_key k
    join membership m on m.workspace_id = k.workspace_id and m.id = k.membership_id and m.left_at is null
    join business b on b.id = k.workspace_id
    where k.id = $1 and k.secret_hash = $2 and k.revoked_at is null and k.expires_at > now()
  ), principal as (${counter(`$3::text || '/' || principal_id`)}
  ), workspace as (${counter(`'workspace/' || workspace_id`)})
  select known.workspace_id as "workspaceId", known.principal_id as "principalId", known.role, known.scopes,
    known.integration_enabled as "integrationEnabled", known.writes_enabled as "writesEnabled",
    principal.used as "principalUsed", workspace.used as "workspaceUsed"
  from known, principal, workspace`,
};

const QUOTAS = { reads: 600, writes: 60 };

/** @throws Error for who is not let in. */
export async function admit(
  run: Run,
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { limit, scope }: { limit: 'reads' | 'writes'; scope: string },
): Promise<Holder> {
  const hash = createHash('sha256').update(String(headers['x-key-proof'])).digest('base64url');
  const [holder] = await run<Holder>(ADMIT, [headers['x-key-id'], hash, limit]);
  if (!holder?.scopes.includes(scope) || !holder.integrationEnabled) throw new Error('not let in');
  if (limit === 'writes' && (!holder.writesEnabled || holder.role === 'viewer')) throw new Error('not let in');
  const left = Math.min(QUOTAS[limit] - holder.principalUsed, 2000 - holder.workspaceUsed);
  void reply.header('RateLimit', `"${limit}";r=${left}`);
  if (left < 0) throw new Error('too many requests');
  return holder;
}
