import { parseArgs } from 'node:util';
import { newInternalToken } from '@payroll/admission';
import { instantOf, newId, systemOrigin, TEAMS, type Team } from '@payroll/kernel';
import { StartError, type MainCommand } from '@payroll/process';
import { createInternalToken, NO_WORKSPACE } from '../commands/internal-tokens.js';
import { MAX_DAYS } from '../domain/internal-token.js';
import { withCommands } from './with-commands.js';

const USAGE = `Usage: create-token --owner <e-mail>... --team <${TEAMS.join('|')}> [--name <what for>] [--days <n>]

Mints a token for each owner, for the internal GraphQL endpoint, and prints it once. Send it as "Authorization: Bearer <token>" with the
header x-workspace-id, and with x-reason for every team but service. What a team may do stands beside each field in the
schema. --owner is the person who holds it: whoever holds two tokens is still one person, and never the second one that
money needs. A service's token needs no owner. It is good for 30 days unless --days says otherwise: up to ${MAX_DAYS.finance} for people,
${MAX_DAYS.service} for a service. The audit trail tells of it under the workspace ${NO_WORKSPACE}, which is nobody's.
`;

const DAY_MS = 86_400_000;

export const createTokenCommand: MainCommand = {
  help: 'mints a token for the internal GraphQL endpoint',
  usage: USAGE,
  run: async (env, args) => {
    const { name, owners, team, days } = readArguments(args);
    const expiresAt = instantOf(new Date(Date.now() + days * DAY_MS));
    const minted = owners.map((owner) => ({ owner, secret: newInternalToken() }));
    const origin = systemOrigin(NO_WORKSPACE, 'runner', newId());
    await withCommands(env, async (commands) => {
      for (const { owner, secret } of minted) {
        const token = { id: secret.id, name: name ?? owner ?? team, owner, team, expiresAt };
        await commands.run(createInternalToken, { ...token, secretHash: secret.hash }, origin);
      }
    });
    process.stdout.write(minted.map(({ secret }) => `${secret.text}\n`).join(''));
  },
};

interface TokenArguments {
  name: string | undefined;
  /** Null: a service's token that is nobody's. */
  owners: readonly (string | null)[];
  team: Team;
  days: number;
}

function readArguments(args: readonly string[]): TokenArguments {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: { name: text, owner: { ...text, multiple: true }, team: text, days: { ...text, default: '30' } },
  });
  const team = TEAMS.find((each) => each === values.team);
  if (!team) throw new StartError(`create-token needs --team, one of ${TEAMS.join(', ')}`);
  if (!values.owner && team !== 'service') throw new StartError('create-token needs --owner <e-mail>, who holds it');
  const days = Number(values.days);
  if (!Number.isInteger(days) || days < 1 || days > MAX_DAYS[team]) {
    throw new StartError(`--days is a whole number from 1 to ${MAX_DAYS[team]} for the team ${team}`);
  }
  return { name: values.name, owners: values.owner ?? [null], team, days };
}
