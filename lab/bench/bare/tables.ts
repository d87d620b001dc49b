import type { Client } from 'pg';

/** Tables of the services, and whether the bare handler needs their rows too. */
const COPIES = [
  ['workspaces.business', 'rows'],
  ['workspaces.membership', 'rows'],
  ['workspaces.api_key', 'rows'],
  ['rest_facade.idempotency_key'],
  ['review.timesheet', 'rows'],
  ['review.change_clock'],
  ['review.applied_operation'],
  ['review.audit_entry'],
  ['review.outbox_event'],
  ['review.outbox_delivery'],
  ['contracts.contract', 'rows'],
  ['contracts.worker', 'rows'],
  ['payments.payment', 'rows'],
  ['payments.ledger_account', 'rows'],
] as const;

/**
 * Copies the tables into a separate schema, with indexes and constraints, so that no service sees the bare handler's
 * writes.
 */
export async function createBareTables(database: Client): Promise<void> {
  await database.query('create schema bench');
  await database.query('create unlogged table bench.rate_counter (like workspaces.rate_counter including all)');
  for (const [table, rows] of COPIES) {
    const copy = `bench.${table.split('.')[1]!}`;
    await database.query(`create table ${copy} (like ${table} including all)`);
    if (rows) await database.query(`insert into ${copy} select * from ${table}`);
    await database.query(`vacuum analyze ${copy}`);
  }
}
