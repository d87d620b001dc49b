import { parseArgs } from 'node:util';
import { text } from 'node:stream/consumers';
import { idOfApiKey, newInternalToken } from '@payroll/admission';
import { instantOf, isId, TEAMS } from '@payroll/kernel';
import { type MainCommand, StartError, createLog, readSettings } from '@payroll/runtime';
import { createInternalToken, NO_WORKSPACE, revokeInternalTokens, rotateSigningKey } from '../commands/installation.js';
import { normalizeEmail } from '../domain/account.js';
import { MAX_DAYS } from '../domain/credentials.js';
import { listInternalTokens, workspaceOfKey } from '../queries/credentials.js';
import { revokeApiKey } from '../commands/api-keys.js';
import { operate } from './operate.js';
import { AuthorizationServer } from '../oauth/authorization-server.js';
import type { OauthSettings } from '../oauth/settings.js';
import { newSigningKey } from '../oauth/key-ring.js';
import { memberOfEmail } from '../queries/members.js';

const DAY_S = 86_400;
const TEXT = { type: 'string' } as const;

export const createTokenCommand: MainCommand = {
  help: 'mints a token for the internal GraphQL endpoint',
  usage: `Usage: create-token --owner <email>... --team <${TEAMS.join('|')}> [--name <what for>] [--days <n>]

Creates a token for the internal GraphQL endpoint for each owner, and prints it once. Send it as "Authorization: Bearer <token>" with the
header x-workspace-id, and with x-reason for every team but service. The schema shows for each field which teams may use
it. --owner is the person who holds the token: two tokens of one owner are one person, and cannot be the second person
who countersigns. A service's token needs no owner. A token is valid for 30 days unless --days says otherwise: up to
${MAX_DAYS.finance} for people, ${MAX_DAYS.service} for a service. The audit entry is under the workspace ${NO_WORKSPACE}, which does not exist.
`,
  run: async (env, args) => {
    const { name, owners, team, days } = readTokenOrder(args);
    const expiresAt = instantOf(new Date(Date.now() + days * DAY_S * 1_000));
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

function readTokenOrder(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: { name: TEXT, owner: { ...TEXT, multiple: true }, team: TEXT, days: { ...TEXT, default: '30' } },
  });
  const team = TEAMS.find((each) => each === values.team);
  if (!team) throw new StartError(`--team must be one of ${TEAMS.join(', ')}`);
  if (!values.owner && team !== 'service') throw new StartError('--owner <email> is missing: who holds it');
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
  usage: `Usage: revoke-token --id <id> | --owner <email>

Revokes a token for the internal GraphQL endpoint (list-tokens shows the ids), or all tokens of an owner, from the next
request on. Prints the ids of the revoked tokens; each gets an audit entry.
`,
  run: async (env, args) => {
    const which = readWhich(args);
    const revoked = await operate(env, ({ run }) => run(revokeInternalTokens, which));
    if (revoked.length === 0) {
      throw new StartError('there is no such token to revoke: list the tokens to see which there are');
    }
    process.stdout.write(revoked.map((id) => `${id}\n`).join(''));
  },
};

function readWhich(args: readonly string[]) {
  const { values } = parseArgs({ args: [...args], options: { id: TEXT, owner: TEXT } });
  const { id, owner } = values;
  if (id !== undefined && owner === undefined) {
    if (isId(id)) return { id };
    throw new StartError('--id must be the UUID from the list of tokens, not the token');
  }
  if (owner !== undefined && id === undefined) return { owner: normalizeEmail(owner) };
  throw new StartError('give either --id or --owner; --help says more');
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

export const createAccessTokenCommand: MainCommand = {
  help: 'connects members to an assistant without a browser',
  usage: `Usage: create-access-token --workspace <id> --client <name> --email <address> [--email …] [--days <1-30>]

Connects members to an assistant that cannot open a browser, and prints an access token for MCP_URL for each of them, in
their order. An admin's connection enables the client for the workspace; without that, other members are refused. A token
is valid for a day unless --days says otherwise, until its connection is revoked or the signing key is rotated. It
follows the live role of its member.
`,
  run: async (env, args) => {
    const { workspaceId, clientName, emails, days } = readAccessTokenOrder(args);
    const settings = readOauthSettings(env);
    const tokens = await operate(env, async ({ commands, em }) => {
      const server = new AuthorizationServer({ em, settings, log: createLog('workspaces', 'error') });
      const minted: string[] = [];
      for (const email of emails) {
        const member = await memberOfEmail(em, workspaceId, email);
        if (!member) throw new StartError(`no member who can sign in to ${workspaceId} has the address ${email}`);
        const order = { workspaceId, clientName, lifetimeS: days * DAY_S, ...member };
        minted.push(await server.mintAccessToken(commands, order));
      }
      return minted;
    });
    process.stdout.write(`${tokens.join('\n')}\n`);
  },
};

function readOauthSettings(env: NodeJS.ProcessEnv): OauthSettings {
  return readSettings(env, (s) => ({
    issuer: new URL(s.url('APP_URL', ['http:', 'https:'])).origin,
    mcpUrl: s.url('MCP_URL', ['http:', 'https:']),
    secret: s.key('OAUTH_SECRET'),
    metadataRanges: [],
    outside: null,
  }));
}

function readAccessTokenOrder(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: { workspace: TEXT, client: TEXT, email: { ...TEXT, multiple: true }, days: { ...TEXT, default: '1' } },
  });
  const { workspace: workspaceId, client: clientName, email: emails } = values;
  const days = Number(values.days);
  if (!workspaceId || !clientName || !emails) {
    throw new StartError('create-access-token needs --workspace, --client and --email; try create-access-token --help');
  }
  if (!Number.isInteger(days) || days < 1 || days > 30)
    throw new StartError('--days must be a whole number from 1 to 30');
  return { workspaceId, clientName, emails, days };
}

export const rotateSigningKeyCommand: MainCommand = {
  help: 'gives the authorization server a new key',
  usage: `Usage: rotate-signing-key [--lead-seconds <0-86400>] [--compromised]

Publishes a new key of the authorization server and prints its id. It signs after --lead-seconds (300 unless given), so
that every process has loaded it by then; the old key is accepted until its last token has expired. No user is signed out.
With --compromised the new key signs at once, and tokens signed by older keys are refused: assistants get new tokens by
themselves. The audit entry is under the workspace ${NO_WORKSPACE}, which does not exist.
`,
  run: async (env, args) => {
    const input = readRotation(args);
    const key = await newSigningKey(readSettings(env, (s) => s.key('OAUTH_SECRET')));
    await operate(env, ({ run }) => run(rotateSigningKey, { key, ...input }));
    process.stdout.write(`${key.kid}\n`);
  },
};

function readRotation(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: { 'lead-seconds': { ...TEXT, default: '300' }, compromised: { type: 'boolean', default: false } },
  });
  const leadSeconds = Number(values['lead-seconds']);
  if (!Number.isInteger(leadSeconds) || leadSeconds < 0 || leadSeconds > 86_400) {
    throw new StartError('--lead-seconds must be a whole number from 0 to 86400');
  }
  return { leadSeconds: values.compromised ? 0 : leadSeconds, withdrawOthers: values.compromised };
}
