import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { credentialsOf } from './credentials.js';
import { definitionOf, type ProcessName } from './processes.js';
import type { Secrets } from './secrets.js';
import type { StackFile } from './stack-file.js';

/**
 * What a command of a process needs to run beside that process of `npm start`: the same role, the same secrets, and nothing
 * of anybody else.
 */
export function environmentBeside(
  dir: string,
  { postgres, nats }: Pick<StackFile, 'postgres' | 'nats'>,
  name: ProcessName,
): Record<string, string> {
  const secrets = JSON.parse(readFileSync(join(dir, 'secrets.json'), 'utf8')) as Secrets;
  const definition = definitionOf(name);
  const as = (url: string, username = ''): string => Object.assign(new URL(url), { username, password: '' }).href;
  return {
    PATH: process.env['PATH'] ?? '',
    DATABASE_URL: as(postgres.url, definition.schema),
    NATS_URL: as(nats.url, name),
    ...credentialsOf(definition, secrets),
  };
}
