import { Client } from 'pg';
import type { StackFile } from '@payroll/tools/local/stack-file';

/** A connection as the owner of all tables, closed at the end. */
export async function connect(
  { postgres }: Pick<StackFile, 'postgres'>,
  cleanup: AsyncDisposableStack,
): Promise<Client> {
  const database = cleanup.adopt(new Client(postgres.url), (open) => open.end());
  await database.connect();
  return database;
}

/** Counts no request in these schemas until the returned function is called. */
export async function liftLimits(database: Client, schemas: readonly string[]): Promise<() => Promise<void>> {
  for (const schema of schemas) {
    await database.query(`
      create or replace function ${schema}.count_nothing() returns trigger language plpgsql
        as $$ begin new.used := 0; return new; end $$;
      grant execute on function ${schema}.count_nothing() to public;
      create trigger count_nothing before insert or update on ${schema}.rate_counter
        for each row execute function ${schema}.count_nothing()`);
  }
  return async () => {
    for (const schema of schemas) await database.query(`drop trigger count_nothing on ${schema}.rate_counter`);
  };
}
