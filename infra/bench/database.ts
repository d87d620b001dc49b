import { Client } from 'pg';
import type { Stack } from '../local/assemble-stack.js';

/** A connection of the superuser, closed at the end. */
export async function connect(stack: Stack, cleanup: AsyncDisposableStack): Promise<Client> {
  const database = cleanup.adopt(new Client(superuserUrl(stack)), (open) => open.end());
  await database.connect();
  return database;
}

export function superuserUrl({ database }: Stack): string {
  return Object.assign(new URL(database.adminUrl), { pathname: '/payroll' }).href;
}

/** The limits are not what is measured: nobody comes near them. */
export function liftLimits(database: Client, schemas: readonly string[], cleanup: AsyncDisposableStack): void {
  const forget = async (): Promise<void> => {
    for (const schema of schemas) {
      const table = `${schema}.rate_counter`;
      await database.query(
        `update ${table} set used = 0 where subject in (select subject from ${table} for update skip locked)`,
      );
      // Some are always in use. Each by itself, in its turn: a request holds two.
      const { rows } = await database.query<{ subject: string }>(`select subject from ${table} where used > 20`);
      for (const { subject } of rows) {
        await database.query(`update ${table} set used = 0 where subject = $1`, [subject]);
      }
    }
  };
  let forgetting = forget();
  const timer = setInterval(() => {
    forgetting = forgetting.then(forget);
  }, 50);
  cleanup.defer(async () => {
    clearInterval(timer);
    await forgetting;
  });
}
