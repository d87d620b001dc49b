import { parseArgs } from 'node:util';
import { KYB_STATUSES, newId } from '@payroll/kernel';
import { readSettings, StartError, type MainCommand } from '@payroll/runtime';
import { newInvitationLink } from '../accounts/links.js';
import { inviteMember } from '../commands/invitations.js';
import { provisionWorkspace, type ProvisionWorkspace } from '../commands/business.js';
import { operate } from './operate.js';

export const createWorkspaceCommand: MainCommand = {
  help: 'sets up a new employer with its first admin',
  usage: `Usage: create-workspace --name <business> --country <XX> --admin-name <who> --admin-email <address> [--kyb <${KYB_STATUSES.join('|')}>]

Creates an employer with its first admin and prints {"workspaceId","membershipId","invitation"} as JSON. The invitation
is the link with which the admin sets a password and signs in. It is printed only once, is valid for one use within 7
days, and begins with APP_URL if that is set.
`,
  run: async (env, args) => {
    const input = readArguments(args);
    const authUrl = readSettings(env, (s) => s.url('APP_URL', ['http:', 'https:'], ''));
    const { link, ...proof } = newInvitationLink(authUrl.replace(/\/$/, ''));
    const made = await operate(env, async ({ run }) => {
      const provisioned = await run(provisionWorkspace, input, newId());
      const admin = { name: input.adminName, email: input.adminEmail, role: 'admin' } as const;
      await run(inviteMember, { ...proof, ...admin }, provisioned.workspaceId);
      return provisioned;
    });
    process.stdout.write(`${JSON.stringify({ ...made, invitation: link })}\n`);
  },
};

function readArguments(args: readonly string[]): ProvisionWorkspace {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      name: text,
      country: text,
      'admin-name': text,
      'admin-email': text,
      kyb: { ...text, default: 'not_started' },
    },
  });
  const { name, country, 'admin-name': adminName, 'admin-email': adminEmail } = values;
  const kybStatus = KYB_STATUSES.find((each) => each === values.kyb);
  if (!kybStatus) throw new StartError(`--kyb is one of ${KYB_STATUSES.join(', ')}, not "${values.kyb}"`);
  if (!name || !country || !adminName || !adminEmail) {
    throw new StartError(
      'create-workspace needs --name, --country, --admin-name and --admin-email; try create-workspace --help',
    );
  }
  return { name, country, adminName, adminEmail, kybStatus };
}
