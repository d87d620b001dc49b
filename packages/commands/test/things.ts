import type { EntityManager } from '@mikro-orm/postgresql';
import { type CommandTransaction, defineCommand, type EventInGeneration } from '@payroll/commands';
import { DomainError, requiringScope, newId, type Origin, type Role, type Scope, SCOPES } from '@payroll/kernel';
import { read, readGeneration, sql, rawSql } from '@payroll/store';
import { ThingTable } from './databases.js';

export interface Made {
  id: string;
  at: string;
}

export const ANYBODY = { ...requiringScope('contracts:write'), system: true };

/** One row, one event, one audit entry: everything a command can write. */
export function make(tx: CommandTransaction, name: string): Made {
  const id = newId();
  tx.insert(ThingTable, { id, name });
  tx.emit({ type: 'thing.made', aboutId: id, body: { name }, consumers: ['review'] });
  tx.audit('thing.made', id, { name: { to: name } });
  return { id, at: tx.now };
}

export const makeThing = defineCommand('makeThing', {
  who: ANYBODY,
  decide: (tx, { name }: { name: string }) => make(tx, name),
});

/** Makes a thing and runs more code in the same transaction. */
export const makeAnd = (what: (tx: CommandTransaction) => unknown) =>
  defineCommand('makeThing', {
    who: ANYBODY,
    decide: async (tx, { name }: { name: string }) => {
      const made = make(tx, name);
      await what(tx);
      return made;
    },
  });

/** Decides after it has sent its writes, as commands may. */
export const makeUnless = (why: () => Error | null) =>
  makeAnd(() => {
    const error = why();
    if (error) throw error;
  });

export function refusal(): DomainError {
  return new DomainError('INVALID_STATE', 'It is not open.', { details: [{ path: 'state', code: 'closed' }] });
}

export function originOf(
  workspaceId: string,
  principalId = newId(),
  scopes: readonly Scope[] = SCOPES,
  role: Role = 'admin',
): Origin {
  const actor = { kind: 'api_key', principalId, workspaceId, role, scopes } as const;
  return { actor, via: 'rest', requestId: `req_${principalId}` };
}

export async function eventIn(em: EntityManager, workspaceId: string): Promise<EventInGeneration> {
  return {
    id: newId(),
    type: 'x.done',
    workspaceId,
    aboutId: newId(),
    occurredAt: '2026-03-01T12:00:00.000000Z',
    requestId: 'req_x',
    body: { name: 'a' },
    generation: await readGeneration(em),
  };
}

const TABLES = ['thing', 'outbox_event', 'audit_entry', 'applied_operation'] as const;

/** The stored rows of a workspace, by table. */
export async function counts(em: EntityManager, workspaceId: string): Promise<Record<string, number>> {
  const counted = TABLES.map(
    (table) => `(select count(*)::int from ${table} where workspace_id = workspace.id) as ${table}`,
  );
  const [row] = await read(
    em,
    sql`select ${rawSql(counted.join(', '))} from (values (${workspaceId}::uuid)) workspace (id)`,
  );
  return row as Record<string, number>;
}

/** The rows of one applied operation. */
export const ONCE = { thing: 1, outbox_event: 1, audit_entry: 1, applied_operation: 1 };
export const NOTHING = { thing: 0, outbox_event: 0, audit_entry: 0, applied_operation: 0 };
/** A recorded refusal and no other row. */
export const REFUSED = { ...NOTHING, applied_operation: 1 };

/** Resolves when a session of this database waits for a lock, such as a change clock. */
export async function lockWaited(em: EntityManager): Promise<void> {
  for (;;) {
    const waiting = await read(
      em,
      sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (waiting.length > 0) return;
  }
}
