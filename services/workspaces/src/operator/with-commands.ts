import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError } from '@payroll/kernel';
import { readSettings, StartError } from '@payroll/process';
import { CommandRunner, openDatabase } from '@payroll/store';
import { workspacesSchema } from '../store/schema.js';

/** Does an operator's work on the database that `DATABASE_URL` names; what is refused is said in one line. */
export async function withCommands<T>(
  env: NodeJS.ProcessEnv,
  work: (commands: CommandRunner, em: EntityManager) => Promise<T>,
): Promise<T> {
  const databaseUrl = readSettings(env, (s) => s.databaseUrl());
  const orm = await openDatabase(workspacesSchema, databaseUrl);
  try {
    const em = orm.em.fork();
    // Their events are left to the relay of the running service.
    return await work(new CommandRunner({ em, committed: () => Promise.resolve() }), em);
  } catch (error) {
    throw error instanceof DomainError ? new StartError(error.message) : error;
  } finally {
    await orm.close();
  }
}
