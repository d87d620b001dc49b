import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROLES } from '@payroll/kernel';
import { processes, repositoryRoot } from '@payroll/infra/processes';
import type { StackFile, DemoUser, DemoWorkspace, FinanceTokens } from '../local/stack-file.js';
import type { DemoFacts, Stack } from '../local/assemble-stack.js';
import { type GraphqlAccess, sendGraphql } from './graphql-client.js';
import { Person, totpCode } from './person.js';
import { findWorker } from './steps.js';

/**
 * The parts of a running system that the demo needs: its addresses, the operator's commands, and a
 * folder.
 */
export interface DemoSystem extends Pick<Stack, 'dir' | 'environmentOf'> {
  readonly file: Pick<StackFile, 'rest' | 'graphql' | 'app'>;
  /** The pages' public origin, where `file` has another address of them. */
  readonly origin?: string;
}

const workspaces = processes.find(({ name }) => name === 'workspaces')!;

/** Runs one of the operator's commands of the workspaces service. @returns its output */
export async function runWorkspacesCommand(system: DemoSystem, args: readonly string[], input = ''): Promise<string> {
  const entry = join(repositoryRoot, workspaces.entry);
  const running = promisify(execFile)(process.execPath, [entry, ...args], { env: system.environmentOf('workspaces') });
  // A command that ends before it has read its input should fail by its exit code, not by EPIPE.
  running.child.stdin?.on('error', () => {}).end(input);
  return (await running).stdout.trim();
}

const OWNERS = ['--owner', 'fay@payroll.example', '--owner', 'finn@payroll.example'];

/** The tokens of two people, because moving money needs both. */
export async function mintFinance(system: DemoSystem): Promise<FinanceTokens> {
  const printed = await runWorkspacesCommand(system, ['create-token', '--team', 'finance', '--days', '90', ...OWNERS]);
  const [first, second] = printed.split('\n');
  if (!first || !second) throw new Error('create-token printed no two tokens');
  return [first, second];
}

/** A person's token expires before the demo's data does, and older data was stored without tokens. */
export async function withFinance(system: DemoSystem, facts: DemoFacts): Promise<DemoFacts> {
  const [token = ''] = facts.financeTokens ?? [];
  const access = { url: system.file.graphql.url, token, workspaceId: facts.workspaces[0]!.id };
  const { data } = await sendGraphql(access, '{ business { id } }');
  return data ? facts : { ...facts, financeTokens: await mintFinance(system) };
}

/** Sets a password for the member of each role, so that people can sign in as them; a new one if none was stored. */
export async function giveSignIns(system: DemoSystem, domain: string) {
  const users = ROLES.map((role) => ({ email: `${role}@${domain}`, password: newPassword(), role }));
  const emails = users.flatMap(({ email }) => ['--email', email]);
  const passwords = users.map(({ password }) => password).join('\n');
  await runWorkspacesCommand(system, ['set-password', ...emails], passwords);
  return users;
}

/** Gives the worker with this address an account, if the workspace has such a worker. */
export async function giveWorkerSignIn(system: DemoSystem, access: GraphqlAccess, email: string) {
  const worker = await findWorker(access, email);
  if (worker === undefined) return [];
  const password = newPassword();
  const which = ['--workspace', access.workspaceId, '--worker', worker.id];
  await runWorkspacesCommand(
    system,
    ['give-worker-access', ...which, '--name', worker.name, '--email', email],
    password,
  );
  return [{ email, password, role: 'worker' }];
}

/** Sets up a second factor on the account's page, as a person with an authenticator app does. */
export async function withSecondFactor(system: DemoSystem, user: DemoUser): Promise<DemoUser> {
  const { app } = system.file;
  if (app === undefined) return user;
  const person = new Person(app.url, system.origin);
  await person.signIn(user.email, user.password);
  const path = '/account/second-factor';
  const page = await person.open(path);
  const [, secondFactor = ''] = / value="([A-Z2-7]{32,})"/.exec(page.html) ?? [];
  const { html } = await person.send(page, path, { code: totpCode(secondFactor) });
  if (!html.includes('Your second factor is set up')) throw new Error(`${user.email} has no second factor`);
  return { ...user, secondFactor };
}

function newPassword(): string {
  return randomBytes(15).toString('base64url');
}

/** Issued at each start. A workspace whose seeded people have left or changed roles is skipped; the start continues. */
export async function withMcpTokens(system: DemoSystem, facts: DemoFacts): Promise<DemoFacts> {
  const workspaces = facts.workspaces.map(async (workspace) => {
    try {
      return { ...workspace, mcpTokens: await giveMcpTokens(system, workspace) };
    } catch (error) {
      process.stderr.write(`No MCP tokens for ${workspace.name}: ${reasonOf(error)}\n`);
      return workspace;
    }
  });
  return { ...facts, workspaces: await Promise.all(workspaces) };
}

/** Start with the admin, who enables the client for the others. */
async function giveMcpTokens(system: DemoSystem, { id, users = [] }: DemoWorkspace) {
  const emails = ROLES.map((role) => users.find((user) => user.role === role)?.email ?? role);
  const order = ['create-access-token', '--workspace', id, '--client', 'Demo', '--days', '30'];
  const printed = await runWorkspacesCommand(system, [...order, ...emails.flatMap((email) => ['--email', email])]);
  const [admin = '', member = '', viewer = ''] = printed.split('\n');
  return { admin, member, viewer };
}

function reasonOf(error: unknown): string {
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
  return said.split('\n').at(-1) || String(error);
}
