import { DomainError } from '@payroll/kernel';
import type { CommandTransaction } from '@payroll/store';
import { sql } from 'kysely';
import { RECENT } from '../accounts/sessions.js';

/** Beside the code of the refusal: what the pages answer by asking for the password. */
export const PASSWORD_NOT_RECENT = { path: 'password', code: 'not_recent' } as const;

/**
 * What gives somebody access is done by whom the browser belongs to, and not by who finds it signed in: people have given
 * their password in it a short time ago, by the clock of the database. Internal teams have no password here.
 * @throws DomainError `INSUFFICIENT_SCOPE`
 */
export async function requireRecentPassword({ em, origin: { actor } }: CommandTransaction): Promise<void> {
  if (actor.kind !== 'person') return;
  const { rows } = await sql`
    select from session s
    join membership m on m.account_id = s.account_id
    where s.id = ${actor.sessionId} and s.authenticated_at > clock_timestamp() - ${RECENT}::interval
      and m.workspace_id = ${actor.workspaceId} and m.id = ${actor.principalId}`.execute(em.getKysely());
  if (rows.length > 0) return;
  throw new DomainError('INSUFFICIENT_SCOPE', 'Give your password again first.', { details: [PASSWORD_NOT_RECENT] });
}
