import type { EntityManager } from '@mikro-orm/postgresql';
import type { AdmissionAnswer, AdmissionQuestion } from '@payroll/admission';
import { sql } from 'kysely';

/**
 * Remembers which keys were let in, and writes it down when it is told to: no request waits for it, a busy key costs one
 * write a minute however many processes admit it, and a crash loses no more than what has not been written.
 */
export class KeyUses {
  private used = new Set<string>();

  note(questions: readonly (AdmissionQuestion | null)[], answers: readonly AdmissionAnswer[]): void {
    answers.forEach((answer, n) => {
      const credential = questions[n]?.credential;
      if (answer.admitted && credential?.kind === 'api_key') this.used.add(credential.id);
    });
  }

  /** Rows that a command holds right now are left for their next use. */
  async write(em: EntityManager): Promise<void> {
    if (this.used.size === 0) return;
    const ids = [...this.used];
    this.used = new Set();
    await sql`
      update api_key set last_used_at = now() where id in (
        select id from api_key
        where id = any(${ids}::uuid[]) and (last_used_at is null or last_used_at < now() - interval '1 min')
        for update skip locked)`.execute(em.getKysely());
  }
}
