import { parseArgs } from 'node:util';
import { text } from 'node:stream/consumers';
import { idOfApiKey, newInternalToken } from '@payroll/admission';
import { instantOf, isId, TEAMS } from '@payroll/kernel';
import { type MainCommand, StartError } from '@payroll/runtime';
import { createInternalToken, NO_WORKSPACE, revokeInternalTokens } from '../commands/installation.js';
import { MAX_DAYS, ownerOf } from '../domain/credentials.js';
import { listInternalTokens, workspaceOfKey } from '../queries/credentials.js';
import { revokeApiKey } from '../commands/api-keys.js';
import { operate } from './operate.js';

const DAY_MS = 86_400_000;
const TEXT = { type: 'string' } as const;

export const createTokenCommand: MainCommand = {
  help: 'mints a token for the internal GraphQL endpoint',
  usage: `Usage: create-token --owner <e-mail>... --team <${TEAMS.join('|')}> [--name <what for>] [--days <n>]

Creates a token for the internal GraphQL endpoint for each owner, and prints it once. Send it as "Authorization: Bearer <token>" with the
header x-workspace-id, and with x-reason for every team but service. The schema shows for each field which teams may use
it. --owner is the person who holds the token: two tokens of one owner are one person, and cannot be the second person
who countersigns. A service's token needs no owner. A token is valid for 30 days unless --days says otherwise: up to
${MAX_DAYS.finance} for people, ${MAX_DAYS.service} for a service. The audit entry is under the workspace ${NO_WORKSPACE}, which does not exist.
`,
  run: async (env, args) => {
    const { name, owners, team, days } = readOrder(args);
    const expiresAt = instantOf(new Date(Date.now() + days * DAY_MS));
    await operate(env, async ({ run }) => {
      for (const owner of owners) {
        const { id, hash: secretHash, text } = newInternalToken();
        await run(createInternalToken, { id, name: name ?? owner ?? team, owner, team, expiresAt, secretHash });
        // At once: the next owner may be refused.
        process.stdout.write(`${text}\n`);
      }
    });
  },
};

function readOrder(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: { name: TEXT, owner: { ...TEXT, multiple: true }, team: TEXT, days: { ...TEXT, default: '30' } },
  });
  const team = TEAMS.find((each) => each === values.team);
  if (!team) throw new StartError(`create-token needs --team, one of ${TEAMS.join(', ')}`);
  if (!values.owner && team !== 'service') throw new StartError('create-token needs --owner <e-mail>, who holds it');
  const days = Number(values.days);
  if (!Number.isInteger(days) || days < 1 || days > MAX_DAYS[team]) {
    throw new StartError(`--days must be a whole number from 1 to ${MAX_DAYS[team]} for the team ${team}`);
  }
  // Null: a service's token without an owner.
  return { name: values.name, owners: values.owner ?? [null], team, days };
}

export const listTokensCommand: MainCommand = {
  help: 'lists the tokens for the internal GraphQL endpoint',
  usage: `Usage: list-tokens [--all]

Lists the valid tokens for the internal GraphQL endpoint, newest first, one per line: id, team, owner, name, the day it
was created and the day it ends. With --all also revoked and expired ones. Their secrets are not stored.
`,
  run: async (env, args) => {
    const { values } = parseArgs({ args: [...args], options: { all: { type: 'boolean', default: false } } });
    const tokens = await operate(env, ({ em }) => listInternalTokens(em, values));
    process.stdout.write(tokens.map((token) => `${lineOf(token)}\n`).join(''));
  },
};

type InternalToken = Awaited<ReturnType<typeof listInternalTokens>>[number];

function lineOf({ id, team, owner, name, createdAt, expiresAt, revokedAt }: InternalToken): string {
  const end = revokedAt === null ? `ends ${expiresAt.slice(0, 10)}` : `revoked ${revokedAt.slice(0, 10)}`;
  return [id, team.padEnd(10), owner ?? '-', name, `made ${createdAt.slice(0, 10)}`, end].join('  ');
}

export const revokeTokenCommand: MainCommand = {
  help: 'revokes tokens for the internal GraphQL endpoint',
  usage: `Usage: revoke-token --id <id> | --owner <e-mail>

Revokes a token for the internal GraphQL endpoint (list-tokens shows the ids), or all tokens of an owner, from the next
request on. Prints the ids of the revoked tokens; each gets an audit entry.
`,
  run: async (env, args) => {
    const which = readWhich(args);
    const revoked = await operate(env, ({ run }) => run(revokeInternalTokens, which));
    if (revoked.length === 0) {
      throw new StartError('revoke-token found no token to revoke; list-tokens shows the existing ones');
    }
    process.stdout.write(revoked.map((id) => `${id}\n`).join(''));
  },
};

function readWhich(args: readonly string[]) {
  const { values } = parseArgs({ args: [...args], options: { id: TEXT, owner: TEXT } });
  const { id, owner } = values;
  if (id !== undefined && owner === undefined) {
    if (isId(id)) return { id };
    throw new StartError('--id must be the UUID that list-tokens shows, not the token');
  }
  if (owner !== undefined && id === undefined) return { owner: ownerOf(owner) };
  throw new StartError('revoke-token needs either --id or --owner; try revoke-token --help');
}

export const revokeKeyCommand: MainCommand = {
  help: 'revokes API keys',
  usage: `Usage: revoke-key

Reads API keys, or their ids, from stdin, one per line, and revokes them from the next request on. For leaked keys when no
admin can revoke them on the page: it needs only the database. Prints the id of each; each gets an audit entry in its
workspace.
`,
  run: async (env) => {
    const lines = (await text(process.stdin)).split('\n').filter((line) => line.trim() !== '');
    if (lines.length === 0)
      throw new StartError('revoke-key reads keys or their ids from stdin; try revoke-key --help');
    await operate(env, async ({ em, run }) => {
      for (const [n, line] of lines.entries()) {
        const id = idIn(line.trim());
        const workspaceId = id === null ? null : await workspaceOfKey(em, id);
        // Do not print the line: it may be a secret.
        if (id === null || workspaceId === null)
          throw new StartError(`line ${n + 1} is not a key of this installation`);
        await run(revokeApiKey, { id }, workspaceId);
        process.stdout.write(`${id}\n`);
      }
    });
  },
};

function idIn(line: string): string | null {
  return idOfApiKey(line) ?? (isId(line) ? line : null);
}
