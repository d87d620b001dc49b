import { GENERATION, sql } from '@payroll/store';

/**
 * Whether the provider's orders have been compared with the attempts in this generation of the database. Only then does a
 * payout begin, and the statement that decides it asks for it: a connection may be in another generation than the one before.
 */
export const IS_COMPARED = sql`exists (
  select from order_check where checked_at is not null and generation = ${GENERATION})`;
