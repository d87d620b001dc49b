import { SYSTEM_ONLY } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { sql } from 'kysely';
import type { NewSigningKey } from '../oauth/key-ring.js';

export interface RotateSigningKey {
  key: NewSigningKey;
  /** How long everybody may take to learn of the key before it signs. */
  leadSeconds: number;
  /** What the others have signed counts no more, from now on. */
  withdrawOthers: boolean;
}

/** A new key of the authorization server follows the one that signs. */
export const rotateSigningKey = defineCommand(
  'signing-key.rotate',
  SYSTEM_ONLY,
  async (tx, { key, leadSeconds, withdrawOthers }: RotateSigningKey): Promise<void> => {
    const rows = tx.em.getKysely();
    if (withdrawOthers) {
      await sql`update signing_key set withdrawn_at = clock_timestamp() where withdrawn_at is null`.execute(rows);
    }
    await sql`
      insert into signing_key (kid, sealed, created_at, signs_from)
      values (${key.kid}, ${key.sealed}, clock_timestamp(), clock_timestamp() + ${`${leadSeconds} s`}::interval)`.execute(
      rows,
    );
    tx.audit('signing-key.rotated', tx.workspaceId, { kid: key.kid, leadSeconds, withdrawOthers });
  },
);
