// Keeps a copy of a workspace in SQLite: URL=… API_KEY=… node into-sqlite.mjs copy.db [seconds between two looks]
import { DatabaseSync } from 'node:sqlite';
import { followChanges, Payroll } from '@payroll/sdk';

const [, , file = 'copy.db', seconds] = process.argv;
const payroll = new Payroll({ baseUrl: process.env.URL, key: process.env.API_KEY });

const db = new DatabaseSync(file);
db.exec(`
  create table if not exists item (
    kind text, id text, contract_id text, epoch text not null, body text not null, primary key (kind, id));
  create table if not exists follower (only_one integer primary key check (only_one = 1), state text not null)`);

const put = db.prepare(`
  insert into item (kind, id, contract_id, epoch, body) values (?, ?, ?, ?, ?)
  on conflict (kind, id) do update set contract_id = excluded.contract_id, epoch = excluded.epoch, body = excluded.body`);
const dropMilestones = db.prepare(`delete from item where kind = 'milestones' and contract_id = ?`);
const dropOthers = db.prepare('delete from item where kind = ? and epoch <> ? returning id');
const keepState = db.prepare('insert into follower values (1, ?) on conflict do update set state = excluded.state');

/** The rows and the state that they lead to are one transaction: whatever happens, neither is ahead of the other. */
function keep(batch) {
  db.exec('begin immediate');
  try {
    if (batch.kind === 'milestones') dropMilestones.run(batch.contractId);
    for (const item of batch.items ?? []) {
      put.run(batch.kind, item.id, item.contractId ?? null, batch.epoch, JSON.stringify(item));
    }
    if (batch.kind === 'listed')
      for (const { id } of dropOthers.all(batch.of, batch.epoch)) console.log(`${batch.of} ${id} is gone`);
    keepState.run(batch.state);
    db.exec('commit');
  } catch (error) {
    db.exec('rollback');
    throw error;
  }
}

const state = db.prepare('select state from follower').get()?.state ?? null;
const everyMs = seconds === undefined ? undefined : Number(seconds) * 1000;
for await (const batch of followChanges(payroll, { state, everyMs })) {
  keep(batch);
  console.log(batch.kind, batch.items?.length ?? batch.of ?? '');
}
