import { newId, SERVICES, type ServiceName } from '@payroll/kernel';
import { deleteExpiredEvents, clearExpiredOutcomes, writePathTables } from '@payroll/commands';
import { openDatabase, type Schema } from '@payroll/store';
import { expect, it } from 'vitest';
import { joinSystem } from '../support.js';

type EntityManager = Awaited<ReturnType<typeof openDatabase>>['em'];

const system = await joinSystem();

/** Runs as the service's own role and rolls back: its processes use the same database. */
async function asService(role: ServiceName, work: (em: EntityManager) => Promise<void>): Promise<void> {
  const schema: Schema = { name: role, tables: writePathTables, migrations: [], migrationsDir: '' };
  // One connection, so that every statement is in the transaction.
  const orm = await openDatabase(schema, { url: system.stack.database.urls[role], poolSize: 1 });
  const em = orm.em.fork();
  await em.execute('begin');
  try {
    // On a busy machine the whole test takes longer than the service's limit.
    await em.execute('set local transaction_timeout = 0');
    await work(em);
  } finally {
    await em.execute('rollback');
    await orm.close();
  }
}

/** Row ids by age in days. */
interface Planted {
  unconfirmed: { 90: string };
  confirmed: { 7: string; 90: string };
  decided: { 6: string; 90: string };
  buried: { 90: string };
}

async function plant(em: EntityManager): Promise<Planted> {
  const row = async (days: number, statement: string): Promise<string> => {
    const id = newId();
    await em.execute(statement.replaceAll('$id', `'${id}'`).replaceAll('$at', `now() - interval '${days} days'`));
    return id;
  };
  const event = `insert into outbox_event (id, workspace_id, type, about_id, body, recorded_at)
    values ($id, $id, 'thing.happened', $id, '{}', $at)`;
  const operation = `insert into applied_operation
    (workspace_id, principal_id, operation_id, command, fingerprint, outcome, applied_at)
    values ($id, $id, $id, 'x', 'x', '{"kind":"refused"}', $at)`;
  const letter = `insert into dead_letter (event_id, workspace_id, type, event, reason, buried_at)
    values ($id, $id, 'x', '{}', 'x', $at)`;
  const unconfirmed = await row(90, event);
  await em.execute(`insert into outbox_delivery (event_id, consumer, recorded_at, attempt, due_at)
    values ('${unconfirmed}', 'review', now(), 1, now() + interval '1 h')`);
  return {
    unconfirmed: { 90: unconfirmed },
    confirmed: { 7: await row(7, event), 90: await row(90, event) },
    decided: { 6: await row(6, operation), 90: await row(90, operation) },
    buried: { 90: await row(90, letter) },
  };
}

const NEEDED = /keeps this row|foreign key/;
const DENIED = /permission denied|must be owner/;

/** Statements with which a holder of the service's password could try to delete a needed row or make it look old. */
function attempts(role: ServiceName, { unconfirmed, confirmed, decided, buried }: Planted): [RegExp, string][] {
  const event = `outbox_event where id = '${unconfirmed[90]}'`;
  const merge = (id: string): string => `merge into outbox_event using (values (1)) as _ on id = '${id}' when matched`;
  const guard = `${role}.outbox_event_keeps_recent_fn()`;
  return [
    [NEEDED, `delete from ${event}`],
    [NEEDED, `with gone as (delete from ${event} returning id) select from gone`],
    [NEEDED, `${merge(unconfirmed[90])} then delete`],
    [NEEDED, 'delete from outbox_event'],
    [NEEDED, `delete from outbox_event where id = '${confirmed[7]}'`],
    [DENIED, `update outbox_event set recorded_at = '2020-01-01' where id = '${confirmed[7]}'`],
    [DENIED, `${merge(confirmed[7])} then update set recorded_at = '2020-01-01'`],
    [DENIED, `update outbox_event set body = '{}' where id = '${unconfirmed[90]}'`],
    [DENIED, `update outbox_delivery set consumer = 'nobody', recorded_at = '2020-01-01'`],
    [NEEDED, `update applied_operation set outcome = null where operation_id = '${decided[6]}'`],
    [NEEDED, `update applied_operation set outcome = '{"kind":"applied"}' where operation_id = '${decided[90]}'`],
    [DENIED, `update applied_operation set applied_at = '2020-01-01'`],
    [DENIED, `delete from applied_operation where operation_id = '${decided[90]}'`],
    [DENIED, `delete from dead_letter where event_id = '${buried[90]}'`],
    [DENIED, `update dead_letter set event = '{}' where event_id = '${buried[90]}'`],
    [DENIED, 'delete from dead_letter_step'],
    [DENIED, `update dead_letter_step set by = 'nobody'`],
    ...['outbox_event', 'outbox_delivery', 'applied_operation', 'dead_letter'].flatMap((table): [RegExp, string][] => [
      [DENIED, `truncate ${table}`],
      [DENIED, `alter table ${table} disable trigger all`],
      [DENIED, `drop table ${table}`],
    ]),
    [DENIED, 'drop trigger keeps_recent on outbox_event'],
    [DENIED, `create or replace function ${guard} returns trigger language plpgsql as 'begin return null; end'`],
    [DENIED, 'set session_replication_role = replica'],
    [DENIED, 'set role payroll_owner'],
  ];
}

it.each([...SERVICES])('%s cannot delete a row that is still needed, whatever SQL it sends', async (role) => {
  await asService(role, async (em) => {
    for (const [refusal, statement] of attempts(role, await plant(em))) {
      await em.execute('savepoint attempt');
      await expect(em.execute(statement), statement).rejects.toThrow(refusal);
      await em.execute('rollback to savepoint attempt');
    }
  });
});

it.each([...SERVICES])(
  'the retention of %s deletes exactly the rows that are no longer needed, with the same rights',
  async (role) => {
    await asService(role, async (em) => {
      const { unconfirmed, confirmed, decided } = await plant(em);
      await deleteExpiredEvents(em, 30);
      await clearExpiredOutcomes(em, 7);
      const [kept] = await em.execute<{ ids: string[]; decided: string[] }[]>(`
      select array(select id from outbox_event) as ids,
        array(select operation_id from applied_operation where outcome is not null) as decided`);
      expect(kept!.ids).toEqual(expect.arrayContaining([unconfirmed[90], confirmed[7]]));
      expect(kept!.ids).not.toContain(confirmed[90]);
      expect(kept!.decided).toContain(decided[6]);
      expect(kept!.decided).not.toContain(decided[90]);
    });
  },
);
