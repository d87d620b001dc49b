import { parseArgs } from 'node:util';
import { createLog, readSettings, StartError, type MainCommand } from '@payroll/runtime';
import { NO_WORKSPACE, rotateSigningKey } from '../commands/installation.js';
import { AuthorizationServer } from '../oauth/authorization-server.js';
import type { OauthSettings } from '../oauth/settings.js';
import { newSigningKey } from '../oauth/key-ring.js';
import { memberOfEmail } from '../queries/members.js';
import { operate } from './operate.js';

const DAY_S = 86_400;

export const createAccessTokenCommand: MainCommand = {
  help: 'connects members to an assistant without a browser',
  usage: `Usage: create-access-token --workspace <id> --client <name> --email <address> [--email …] [--days <1-30>]

Connects members to an assistant that cannot open a browser, and prints an access token for MCP_URL for each of them, in
their order. An admin's connection enables the client for the workspace; without that, other members are refused. A token
is valid for a day unless --days says otherwise, until its connection is revoked or the signing key is rotated. It
follows the live role of its member.
`,
  run: async (env, args) => {
    const { workspaceId, clientName, emails, days } = readOrder(args);
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

function readOrder(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: { workspace: text, client: text, email: { ...text, multiple: true }, days: { ...text, default: '1' } },
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
    options: { 'lead-seconds': { type: 'string', default: '300' }, compromised: { type: 'boolean', default: false } },
  });
  const leadSeconds = Number(values['lead-seconds']);
  if (!Number.isInteger(leadSeconds) || leadSeconds < 0 || leadSeconds > 86_400) {
    throw new StartError('--lead-seconds must be a whole number from 0 to 86400');
  }
  return { leadSeconds: values.compromised ? 0 : leadSeconds, withdrawOthers: values.compromised };
}
