import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '@payroll/runtime';
import { definitionOf, repositoryRoot, type ProcessName } from '@payroll/infra/processes';
import { credentialsOf, type Secrets } from '@payroll/infra/secrets';
import type { Role } from '@payroll/kernel';

export interface DemoUser {
  readonly email: string;
  readonly password: string;
  /** `worker` for a worker who signs in. */
  readonly role: string;
  /** The key of their authenticator app, in base32 (RFC 6238): signing in takes a code beside the password. */
  readonly secondFactor?: string;
}

export interface DemoWorkspace {
  readonly id: string;
  readonly name: string;
  readonly apiKeys: Readonly<Record<Role, string>>;
  readonly mcpTokens?: Readonly<Record<Role, string>>;
  readonly users?: readonly DemoUser[];
}

/** Two people of the team finance. */
export type FinanceTokens = readonly [string, string];

/** `.local/stack.json`: addresses and credentials of the system. Entries of parts that do not run are absent. */
export interface StackFile {
  /** The application for people, at the same origin as `auth`. */
  readonly app?: { readonly url: string } | undefined;
  readonly rest: { readonly url: string };
  /** `token` is the application's own; `finance` are those of two people, because moving money needs both. */
  readonly graphql: {
    readonly url: string;
    readonly token?: string | undefined;
    readonly finance?: FinanceTokens | undefined;
  };
  readonly mcp?: { readonly url: string } | undefined;
  readonly auth?: { readonly url: string } | undefined;
  /** Shows the mails that would have been sent. */
  readonly mail?: { readonly url: string } | undefined;
  /** The owner's URL. */
  readonly postgres: { readonly url: string };
  readonly nats: { readonly url: string };
  /** The sandbox provider; the key also allows its control calls (sandbox-provider/README.md). */
  readonly provider: { readonly url: string; readonly key: string };
  readonly processes: Readonly<Record<string, number>>;
  readonly workspaces?: readonly DemoWorkspace[] | undefined;
}

type Backdoors = Pick<StackFile, 'postgres' | 'nats' | 'provider'>;

/** The entries for a system on another machine. */
export type StackEndpoints = Omit<StackFile, keyof Backdoors | 'processes'>;

/** Atomic: a reader sees the old file or the new one, never half of it. Holds secrets, so only its owner may read it. */
export function writeStackFile(file: string, content: StackFile): void {
  const draft = `${file}.${process.pid}`;
  rmSync(draft, { force: true });
  writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}

export function readStackFile(file: string): StackFile | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as StackFile;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') return undefined;
    throw new StartError(`${file} cannot be read: what runs here was started by another user, and only they use it`);
  }
}

export function describeStack(file: StackFile | undefined): string {
  if (file === undefined) return '';
  const { rest, graphql, mcp } = file;
  return [rest, graphql, mcp].flatMap((part) => (part === undefined ? [] : [part.url])).join(', ');
}

/** The folder in which commands look for a running system: `STACK_DIR`, or the data folder of `npm start`. */
function stackDir(): string {
  return process.env['STACK_DIR'] ?? join(repositoryRoot, '.local');
}

/** For a system in docker-compose it contains only the addresses. */
export function runningStack(): (StackEndpoints & Partial<StackFile>) | undefined {
  return readStackFile(join(stackDir(), 'stack.json'));
}

/** For a command run beside a process of `npm start`: that process's role and secrets only. */
export function environmentBeside(
  { postgres, nats }: Pick<StackFile, 'postgres' | 'nats'>,
  name: ProcessName,
): Record<string, string> {
  const secrets = JSON.parse(readFileSync(join(stackDir(), 'secrets.json'), 'utf8')) as Secrets;
  const definition = definitionOf(name);
  const as = (url: string, username = ''): string => Object.assign(new URL(url), { username, password: '' }).href;
  return {
    PATH: process.env['PATH'] ?? '',
    DATABASE_URL: as(postgres.url, definition.schema),
    ...(name !== 'sandbox-provider' && { NATS_URL: as(nats.url, name) }),
    ...credentialsOf(definition, secrets),
  };
}
