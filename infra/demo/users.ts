import { randomBytes } from 'node:crypto';
import type { DemoWorkspace } from '../local/stack.js';
import { type DemoSystem, runWorkspacesCommand } from './operator.js';
import { ROLES } from './roles.js';

type Users = NonNullable<DemoWorkspace['users']>;

/** A password for the member of each role, so that people can sign in as them; set anew where it was not kept. */
export async function giveSignIns(system: DemoSystem, domain: string): Promise<Users> {
  const users = ROLES.map((role) => ({
    email: `${role}@${domain}`,
    password: randomBytes(15).toString('base64url'),
    role,
  }));
  const emails = users.flatMap(({ email }) => ['--email', email]);
  const passwords = users.map(({ password }) => password).join('\n');
  await runWorkspacesCommand(system, ['set-password', ...emails], passwords);
  return users;
}
