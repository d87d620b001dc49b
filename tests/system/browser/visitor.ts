import { recordOf, ROLES, type Role } from '@payroll/kernel';
import { Browser } from '../../../services/workspaces/test/pages/browser.js';
import { ask } from '@payroll/tools/demo/graphql-client';
import { REGISTER_WORKER } from '@payroll/tools/demo/operations';
import { giveWorkerSignIn, runWorkspacesCommand } from '@payroll/tools/demo/operator';
import { newMember } from '@payroll/tools/demo/people';
import type { Worker } from '@payroll/tools/demo/steps';
import type { DemoWorkspace } from '@payroll/tools/local/stack-file';
import type { System } from '../support.js';

export const PASSWORD = 'plum gravel teapot nine';

/** A person who can sign in, and their browser. */
export interface Person {
  email: string;
  membershipId: string;
  browser: Browser;
}

/** New members of the workspace, one for each role, each signed in to the application. */
export async function newPeople(system: System, workspace: DemoWorkspace): Promise<Record<Role, Person>> {
  const emails = recordOf(ROLES, (role) => `${role}-${crypto.randomUUID()}@people.example`);
  const found = await Promise.all(
    ROLES.map(async (role) => [role, await newMember(system.access(workspace), role, emails[role])] as const),
  );
  const ids = Object.fromEntries(found) as Record<Role, string>;
  const named = ROLES.flatMap((role) => ['--email', emails[role]]);
  const passwords = ROLES.map(() => PASSWORD).join('\n');
  await runWorkspacesCommand(system.stack, ['set-password', ...named], passwords);
  const browsers = await Promise.all(ROLES.map((role) => signedIn(system, emails[role])));
  return recordOf(ROLES, (role) => {
    return { email: emails[role], membershipId: ids[role], browser: browsers[ROLES.indexOf(role)]! };
  });
}

/** A browser in which one of `newPeople` is signed in to the application. */
export async function signedIn(system: System, email: string): Promise<Browser> {
  const browser = new Browser(system.stack.file.auth!.url);
  await browser.signIn(email, PASSWORD);
  return browser;
}

export interface WorkerWithMail extends Worker {
  email: string;
}

/** A worker who does not sign in. */
export async function newWorker(system: System): Promise<WorkerWithMail> {
  const email = `wanda-${crypto.randomUUID()}@people.example`;
  return { ...(await ask<Worker>(system.access(), REGISTER_WORKER, { name: 'Wanda Weber', email })), email };
}

/** Gives the worker an account. @returns a browser in which they are signed in */
export async function workerSignsIn(system: System, { email }: { email: string }): Promise<Browser> {
  const [signIn] = await giveWorkerSignIn(system.stack, system.access(), email);
  const browser = new Browser(system.stack.file.auth!.url);
  await browser.signIn(email, signIn!.password);
  return browser;
}
