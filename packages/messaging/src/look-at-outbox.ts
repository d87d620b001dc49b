import type { EntityManager } from '@mikro-orm/postgresql';
import { finding, type Finding } from '@payroll/process';
import { sql } from 'kysely';

/** A consumer that was away for as long is worth a person's attention. */
const OLDEST_SECONDS = 300;

/** Whether what a service tells others arrives, and whether it could apply what others told. */
export async function lookAtOutbox(em: EntityManager, service: string): Promise<Finding[]> {
  const { rows } = await sql<{ open: number; seconds: number; buried: number }>`
    select count(*)::int as open, coalesce(extract(epoch from now() - min(recorded_at)), 0)::float as seconds,
      (select count(*) from dead_letter)::int as buried
    from outbox_event where due_at is not null`.execute(em.getKysely());
  const { open, seconds, buried } = rows[0]!;
  return [
    finding(
      `what ${service} tells others arrives`,
      seconds < OLDEST_SECONDS,
      `${open} events wait, the oldest for ${Math.round(seconds)} s`,
      `see in ${service}.outbox_event who is awaited, and look at that service`,
    ),
    finding(
      `${service} could apply all that it was told`,
      buried === 0,
      `${buried} dead letters`,
      `read ${service}.dead_letter: the reason says what to mend; docs/operations.md says how to apply one again`,
    ),
  ];
}
