import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError, newId, systemOrigin } from '@payroll/kernel';
import { readSettings, StartError } from '@payroll/runtime';
import { Commands, type Command } from '@payroll/commands';
import { databaseSettings, openDatabase } from '@payroll/store';
import { NO_WORKSPACE } from '../commands/installation.js';
import { workspacesSchema } from '../store/schema.js';

export interface Operator {
  em: EntityManager;
  commands: Commands;
  /** Runs in no workspace unless one is given. */
  run: <Input, Result>(command: Command<Input, Result>, input: Input, workspaceId?: string) => Promise<Result>;
}

/** Runs an operator's command on the database of `DATABASE_URL`; a refusal is printed in one line. */
export async function operate<T>(env: NodeJS.ProcessEnv, work: (operator: Operator) => Promise<T>): Promise<T> {
  const orm = await openDatabase(workspacesSchema, readSettings(env, databaseSettings));
  try {
    const em = orm.em.fork();
    // The relay of the running service publishes the events.
    const commands = new Commands({ em });
    const requestId = newId();
    return await work({
      em,
      commands,
      run: (command, input, workspaceId = NO_WORKSPACE) =>
        commands.run(command, input, systemOrigin(workspaceId, 'runner', requestId)),
    });
  } catch (error) {
    throw error instanceof DomainError ? new StartError(sentenceOf(error)) : error;
  } finally {
    await orm.close();
  }
}

/** With each wrong value and its code, because the sentence names all conditions. */
export function sentenceOf({ message, details }: DomainError): string {
  const problems = (details ?? []).map(({ path, code }) => `${path}: ${code}`);
  return problems.length > 0 ? `${message} (${problems.join(', ')})` : message;
}
