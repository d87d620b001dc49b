import { GENERATION, sql } from '@payroll/store';

/**
 * Whether the provider's orders have been compared with the attempts in this database generation. A payout begins
 * only then, and the deciding statement itself checks it: a connection may be in another generation than the previous
 * one.
 */
export const IS_COMPARED = sql`exists (
  select from order_check where checked_at is not null and generation = ${GENERATION})`;
