import { parseArgs } from 'node:util';
import { createLog, readSettings, StartError, type MainCommand } from '@payroll/process';
import { AuthorizationServer } from '../oauth/authorization-server.js';
import { mintAccessToken } from '../oauth/mint-access-token.js';
import type { OauthSettings } from '../oauth/settings.js';
import { memberOfEmail } from '../queries/members.js';
import { withCommands } from './with-commands.js';

const USAGE = `Usage: create-access-token --workspace <id> --client <name> --email <address> [--email …] [--days <1-30>]

Connects members to an assistant that cannot open a browser, and prints an access token for MCP_URL for each of them, in
their order. An admin's connection enables the client for the workspace; other members need that. A token is good for a
day unless --days says otherwise, and until its connection is ended, or the signing key is rotated. It follows the live
role of its member.
`;

const DAY_S = 86_400;

export const createAccessTokenCommand: MainCommand = {
  help: 'connects members to an assistant without a browser',
  usage: USAGE,
  run: async (env, args) => {
    const { workspaceId, clientName, emails, days } = readArguments(args);
    const settings = readOauthSettings(env);
    const tokens = await withCommands(env, async (commands, em) => {
      const server = new AuthorizationServer({ em, settings, log: createLog('workspaces', 'error') });
      const minted: string[] = [];
      for (const email of emails) {
        const member = await memberOfEmail(em, workspaceId, email);
        if (!member) throw new StartError(`nobody who can sign in belongs to ${workspaceId} as ${email}`);
        const order = { workspaceId, clientName, lifetimeS: days * DAY_S, ...member };
        minted.push(await mintAccessToken(server, commands, order));
      }
      return minted;
    });
    process.stdout.write(`${tokens.join('\n')}\n`);
  },
};

function readOauthSettings(env: NodeJS.ProcessEnv): OauthSettings {
  return readSettings(env, (s) => ({
    issuer: new URL(s.url('AUTH_URL', ['http:', 'https:'])).origin,
    mcpUrl: s.url('MCP_URL', ['http:', 'https:']),
    secret: s.key('OAUTH_SECRET'),
    metadataRanges: [],
    outside: null,
  }));
}

function readArguments(args: readonly string[]) {
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
  if (!Number.isInteger(days) || days < 1 || days > 30) throw new StartError('--days is a whole number from 1 to 30');
  return { workspaceId, clientName, emails, days };
}
