import { DomainError, holdersOf, newId, SCOPES, type Origin, type Role, type Scope } from '@payroll/kernel';
import type { EntityManager } from '@mikro-orm/postgresql';
import { defineCommand, readHistory, type CommandTransaction, type HeardEvent, type Rows } from '@payroll/store';
import { sql } from 'kysely';
import { ThingTable, type thingSchema } from './databases.js';

export interface Made {
  id: string;
  at: string;
}

export const ANYBODY = holdersOf('contracts:write');

/** One entity, one event, one audit row: everything a command can write. */
export function make(tx: CommandTransaction, name: string): Made {
  const { workspaceId, now } = tx;
  const id = newId();
  tx.em.persist(tx.em.create(ThingTable, { id, workspaceId, name, createdAt: now, updatedAt: now }));
  tx.emit({ type: 'thing.made', aboutId: id, body: { name }, consumers: ['review'] });
  tx.audit('thing.made', id, { name: { to: name } });
  return { id, at: now };
}

export const makeThing = defineCommand('makeThing', {
  who: ANYBODY,
  decide: (tx, { name }: { name: string }) => Promise.resolve(make(tx, name)),
});

/** Another use case with the same input. */
export const copyThing = { ...makeThing, name: 'copyThing' };

/** Decides after it has prepared its writes, as commands may. */
export function makeUnless(why: () => Error | null) {
  return defineCommand('makeThing', {
    who: ANYBODY,
    decide: (tx, { name }: { name: string }) => {
      const made = make(tx, name);
      const error = why();
      return error ? Promise.reject(error) : Promise.resolve(made);
    },
  });
}

/** Writes in every way there is, so that all of it is stored, before it decides. */
export function writeThenThrow(error: () => Error | null) {
  return defineCommand('makeThing', {
    who: ANYBODY,
    decide: async (tx, { name }: { name: string }) => {
      const made = make(tx, name);
      await tx.em.flush();
      const { workspaceId, now } = tx;
      await sql`
      insert into thing (id, workspace_id, name, created_at, updated_at)
      values (${newId()}, ${workspaceId}, ${name}, ${now}, ${now})`.execute(tx.em.getKysely());
      make(tx, name);
      // Three by now if a query were to write what is persisted.
      if ((await tx.em.count(ThingTable, { workspaceId })) !== 2) throw new Error('A query wrote what was persisted.');
      const thrown = error();
      if (thrown) throw thrown;
      return made;
    },
  });
}

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

export async function eventIn(em: EntityManager, workspaceId: string): Promise<HeardEvent> {
  const occurredAt = '2026-03-01T12:00:00.000000Z';
  const event = {
    id: newId(),
    type: 'x.done',
    workspaceId,
    aboutId: newId(),
    occurredAt,
    requestId: 'req_x',
    body: {},
  };
  return { ...event, history: await readHistory(em) };
}

/** What is stored of a workspace, by table. */
export async function counts(em: EntityManager, workspaceId: string): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const table of ['thing', 'outbox_event', 'audit_entry', 'applied_operation', 'inbox_event'] as const) {
    const { count } = await em
      .getKysely<Rows<typeof thingSchema>>()
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('workspace_id', '=', workspaceId)
      .executeTakeFirstOrThrow();
    found[table] = Number(count);
  }
  return found;
}

/** Everything written, once. */
export const ONCE = { thing: 1, outbox_event: 1, audit_entry: 1, applied_operation: 1, inbox_event: 0 };
export const NOTHING = { thing: 0, outbox_event: 0, audit_entry: 0, applied_operation: 0, inbox_event: 0 };
