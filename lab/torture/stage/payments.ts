import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Piece } from './work.js';

export interface Paid {
  without: number;
  doubled: number;
  /** The time waited. */
  ms: number;
}

/** Waits until each piece of approved work has its payment, or until the time is over. */
export async function waitForPayments(database: Pool, pieces: readonly Piece[], withinMs: number): Promise<Paid> {
  const startedAt = performance.now();
  for (;;) {
    const { rows } = await database.query<{ without: number; doubled: number }>(
      `select (count(*) filter (where made = 0))::int as without, (count(*) filter (where made > 1))::int as doubled
        from (select (select count(*) from payments.payment where source_id = piece) as made
          from unnest($1::uuid[]) as piece) as counted`,
      [pieces.map(({ id }) => id)],
    );
    const ms = performance.now() - startedAt;
    if (rows[0]!.without === 0 || ms > withinMs) return { ...rows[0]!, ms };
    await pause(100);
  }
}
