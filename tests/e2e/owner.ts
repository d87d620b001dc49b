import { Client } from 'pg';
import { stack } from './under-test.js';

async function asOwner(work: (database: Client) => Promise<void>): Promise<void> {
  const database = new Client(stack.postgres.url);
  await database.connect();
  try {
    await work(database);
  } finally {
    await database.end();
  }
}

const PASS_A_MINUTE = `update workspaces.rate_counter
  set window_started_at = window_started_at - interval '61 s' where subject = $1`;

/** Moves every limit per minute forward by a minute. */
export async function letMinutePass(): Promise<void> {
  await asOwner(async (database) => {
    const { rows } = await database.query<{ subject: string }>('select subject from workspaces.rate_counter');
    // One by one: a transaction that locks several rows could deadlock with a request that takes them in another order.
    for (const { subject } of rows) await database.query(PASS_A_MINUTE, [subject]);
  });
}

const PASS_EIGHT_DAYS = `update contracts.applied_operation
  set applied_at = applied_at - interval '8 days' where outcome #>> '{result,id}' = $1`;

/** Makes a contract look as if it had been created eight days ago. */
export async function letEightDaysPass(contractId: string): Promise<void> {
  await asOwner(async (database) => {
    await database.query(PASS_EIGHT_DAYS, [contractId]);
  });
}

/** Replaces a command's recorded result, as none of our processes may. */
export async function replaceOutcome(command: string, subjectId: string, result: object): Promise<void> {
  const schema = command.startsWith('contract.') ? 'contracts' : 'review';
  await asOwner(async (database) => {
    await database.query(`begin; alter table ${schema}.applied_operation disable trigger keeps_outcome`);
    const { rowCount } = await database.query(
      `update ${schema}.applied_operation set outcome = jsonb_build_object('kind', 'applied', 'result', $3::jsonb)
       where command = $1 and outcome #>> '{result,id}' = $2`,
      [command, subjectId, JSON.stringify(result)],
    );
    await database.query(`alter table ${schema}.applied_operation enable trigger keeps_outcome; commit`);
    if (rowCount !== 1) throw new Error(`${command} of ${subjectId} has ${rowCount} outcomes`);
  });
}
