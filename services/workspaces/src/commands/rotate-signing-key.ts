import { SYSTEM_ONLY } from '@payroll/kernel';
import { defineCommand } from '@payroll/commands';
import { sql } from '@payroll/store';
import type { NewSigningKey } from '../oauth/key-ring.js';

/**
 * The new key signs after `leadSeconds`, when every process has published it. Tokens signed by withdrawn keys are no
 * longer valid.
 */
export const rotateSigningKey = defineCommand('signing-key.rotate', {
  who: SYSTEM_ONLY,
  decide: (
    tx,
    { key, leadSeconds, withdrawOthers }: { key: NewSigningKey; leadSeconds: number; withdrawOthers: boolean },
  ): void => {
    if (withdrawOthers) {
      tx.write(sql`update signing_key set withdrawn_at = clock_timestamp() where withdrawn_at is null`);
    }
    tx.write(sql`insert into signing_key (kid, sealed, created_at, signs_from)
      values (${key.kid}, ${key.sealed}, clock_timestamp(), clock_timestamp() + ${`${leadSeconds} s`}::interval)`);
    tx.audit('signing-key.rotated', tx.workspaceId, { kid: key.kid, leadSeconds, withdrawOthers });
  },
});
