import { parseArgs } from 'node:util';
import { DomainError, newId, systemOrigin, KYB_STATUSES } from '@payroll/kernel';
import { readSettings, StartError, type MainCommand } from '@payroll/process';
import { CommandRunner, openDatabase } from '@payroll/store';
import { provisionWorkspace, type ProvisionWorkspace } from '../commands/provision-workspace.js';
import { workspacesSchema } from '../store/schema.js';

const USAGE = `Usage: create-workspace --name <business> --country <XX> --admin-name <who> --admin-email <address> [--kyb <${KYB_STATUSES.join('|')}>]

Sets up a new employer with its first admin and prints {"workspaceId","membershipId"} as JSON.
`;

export const createWorkspaceCommand: MainCommand = {
  help: 'sets up a new employer with its first admin (--help)',
  run: async (env, args) => {
    if (args.includes('--help')) return void process.stdout.write(USAGE);
    const input = readArguments(args);
    const databaseUrl = readSettings(env, (s) => s.url('DATABASE_URL', ['postgres:', 'postgresql:']));
    const orm = await openDatabase(workspacesSchema, databaseUrl);
    try {
      const commands = new CommandRunner({ em: orm.em.fork(), committed: () => Promise.resolve() });
      const origin = systemOrigin(newId(), 'runner', newId());
      const made = await commands.run(provisionWorkspace, input, origin);
      process.stdout.write(`${JSON.stringify(made)}\n`);
    } catch (error) {
      throw error instanceof DomainError ? new StartError(error.message) : error;
    } finally {
      await orm.close();
    }
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
  if (!name || !country || !adminName || !adminEmail || !kybStatus) {
    throw new StartError(
      'create-workspace needs --name, --country, --admin-name and --admin-email; try create-workspace --help',
    );
  }
  return { name, country, adminName, adminEmail, kybStatus };
}
