import type { EntityManager } from '@mikro-orm/postgresql';
import type { AdmissionResponse, AdmissionRequest } from '@payroll/admission';
import { sql, write } from '@payroll/store';

/** Records when keys were last used: no request waits for the write, and a busy key is written once a minute. */
export class KeyUsageRecorder {
  private used = new Set<string>();

  note(questions: readonly (AdmissionRequest | null)[], answers: readonly AdmissionResponse[]): void {
    answers.forEach((answer, n) => {
      const credential = questions[n]?.credential;
      if (answer.admitted && credential?.kind === 'api_key') this.used.add(credential.id);
    });
  }

  /** Skips rows that a command has locked; the next use records them. */
  async write(em: EntityManager): Promise<void> {
    if (this.used.size === 0) return;
    const ids = [...this.used];
    this.used = new Set();
    await write(
      em,
      sql`update api_key set last_used_at = now() where id in (
        select id from api_key
        where id = any(${ids}::uuid[]) and (last_used_at is null or last_used_at < now() - interval '1 min')
        for update skip locked)`,
    );
  }
}
