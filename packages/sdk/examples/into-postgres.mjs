// Keeps a copy of a workspace in Postgres: URL=… API_KEY=… DATABASE_URL=… node into-postgres.mjs [seconds between two looks]
import pg from 'pg';
import { followChanges, Payroll } from '@payroll/sdk';

const payroll = new Payroll({ baseUrl: process.env.URL, key: process.env.API_KEY });
const db = new pg.Client({ connectionString: process.env.DATABASE_URL });
await db.connect();
await db.query(`
  create schema if not exists payroll_copy;
  create table if not exists payroll_copy.item (
    kind text, id uuid, contract_id uuid, epoch uuid not null, body jsonb not null, primary key (kind, id));
  create table if not exists payroll_copy.follower (only_one boolean primary key check (only_one), state text not null)`);

/** The rows and the state that they lead to are one transaction: whatever happens, neither is ahead of the other. */
async function keep({ kind, epoch, state, items = [], contractId, of }) {
  await db.query('begin');
  if (kind === 'milestones') {
    await db.query(`delete from payroll_copy.item where kind = 'milestones' and contract_id = $1`, [contractId]);
  }
  await db.query(
    `insert into payroll_copy.item (kind, id, contract_id, epoch, body)
     select $1, (body ->> 'id')::uuid, (body ->> 'contractId')::uuid, $2, body from jsonb_array_elements($3::jsonb) as body
     on conflict (kind, id) do update
     set contract_id = excluded.contract_id, epoch = excluded.epoch, body = excluded.body`,
    [kind, epoch, JSON.stringify(items)],
  );
  if (kind === 'listed') {
    const gone = await db.query('delete from payroll_copy.item where kind = $1 and epoch <> $2 returning id', [
      of,
      epoch,
    ]);
    for (const { id } of gone.rows) console.log(`${of} ${id} is gone`);
  }
  await db.query(
    'insert into payroll_copy.follower values (true, $1) on conflict (only_one) do update set state = excluded.state',
    [state],
  );
  await db.query('commit');
  console.log(kind, items.length);
}

const [, , seconds] = process.argv;
const everyMs = seconds === undefined ? undefined : Number(seconds) * 1000;
const stored = await db.query('select state from payroll_copy.follower');
for await (const batch of followChanges(payroll, { state: stored.rows[0]?.state ?? null, everyMs })) await keep(batch);
await db.end();
