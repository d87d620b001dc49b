import { Readable } from 'node:stream';
import { parseInternalToken } from '@payroll/admission';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { NO_WORKSPACE } from '../src/commands/create-internal-token.js';
import { hashSecret } from '../src/accounts/secret.js';
import { createTokenCommand } from '../src/operator/create-token.js';
import { createWorkspaceCommand } from '../src/operator/create-workspace.js';
import { setPasswordCommand } from '../src/operator/set-password.js';
import { findInvitation } from '../src/queries/find-invitation.js';
import { PASSWORD, Site } from './site.js';
import type { Workspaces } from './support.js';

let site: Site;
let workspaces: Workspaces;
let printed = '';
beforeAll(async () => {
  site = await Site.open('workspaces_operator');
  ({ workspaces } = site);
});
afterAll(() => site[Symbol.asyncDispose]());
afterEach(() => {
  printed = '';
  vi.restoreAllMocks();
});

async function run(command: typeof createTokenCommand, ...args: string[]): Promise<string> {
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  await command.run({ DATABASE_URL: workspaces.databaseUrl, AUTH_URL: 'https://accounts.example/' }, args);
  return printed.trim();
}

const BUSINESS = ['--name', 'Northwind', '--country', 'DE', '--admin-name', 'Ada', '--admin-email', 'ada@example.com'];

it('create-workspace sets up an employer that the rest of the system learns of', async () => {
  const text = await run(createWorkspaceCommand, ...BUSINESS, '--kyb', 'pending');
  const { workspaceId, membershipId, invitation } = JSON.parse(text) as Record<string, string>;
  expect(await workspaces.audited(workspaceId!)).toMatchObject([
    {
      action: 'workspace.provisioned',
      actorKind: 'system',
      change: { name: 'Northwind', country: 'DE', kybStatus: 'pending', admin: membershipId },
    },
    {
      action: 'member.invited',
      actorKind: 'system',
      change: { email: 'ada@example.com', membershipId, role: 'admin' },
    },
  ]);
  expect(invitation).toMatch(/^https:\/\/accounts\.example\/invitations\/[\w-]{43}$/);
  const found = await findInvitation(workspaces.em, hashSecret(invitation!.slice(-43)));
  expect(found).toMatchObject({ workspaceId, email: 'ada@example.com', hasAccount: false });
});

it('create-token leaves who the token is for and until when; its secret works and is nowhere', async () => {
  const text = await run(createTokenCommand, '--name', 'Olga', '--team', 'operations', '--days', '2');
  const credential = parseInternalToken(`Bearer ${text}`)!;
  const rows = await workspaces.audited(NO_WORKSPACE);
  expect(rows).toMatchObject([
    {
      action: 'internal-token.created',
      actorKind: 'system',
      subjectId: credential.id,
      change: { name: 'Olga', team: 'operations', expiresAt: expect.any(String) },
    },
  ]);
  expect(JSON.stringify(rows)).not.toContain(text.split('_')[2]);
  const days = (Date.parse(String(rows[0]!.change['expiresAt'])) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(1.9);
  expect(days).toBeLessThanOrEqual(2);
  vi.restoreAllMocks();
  const { workspaceId } = await workspaces.provision();
  const asked = { via: 'graphql', scope: null, workspaceId, reason: 'r' } as const;
  expect(await workspaces.admitOne(credential, asked)).toMatchObject({ admitted: true });
});

describe('set-password', () => {
  const set = async (passwords: string, ...emails: string[]): Promise<void> => {
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([passwords]) as typeof process.stdin);
    await run(setPasswordCommand, ...emails.flatMap((email) => ['--email', email]));
    vi.restoreAllMocks();
  };

  it('gives members their sign-in, and who forgot it a new one, signed out everywhere', async () => {
    const text = await run(createWorkspaceCommand, ...BUSINESS.with(-1, 'grace@example.com'));
    const { workspaceId, invitation } = JSON.parse(text) as Record<string, string>;
    const other = await site.account();
    const stale = site.browser();
    await stale.signIn(other.email, PASSWORD);
    await set('four words of mine\nfour words of theirs\n', ' Grace@Example.com', other.email);
    expect((await stale.get('/workspaces')).status).toBe(303);
    const browser = site.browser();
    await browser.signIn('grace@example.com', 'four words of mine');
    expect((await browser.get(`/workspaces/${workspaceId}`)).text).toContain('Your role admin');
    expect((await site.browser().get(new URL(invitation!).pathname)).status).toBe(404);
    expect((await site.browser().signIn(other.email, 'four words of theirs')).status).toBe(303);
  });

  it.each([
    ['nobody@example.com', 'four words of mine', 'nobody here has the address'],
    ['known', 'short', 'The password is too easy to guess'],
  ])('of %s to %j is refused in one line', async (who, password, line) => {
    const email = who === 'known' ? (await site.account()).email : who;
    await expect(set(password, email)).rejects.toThrow(line);
  });
});

it.each([
  [setPasswordCommand, [], 'set-password needs --email'],
  [createTokenCommand, ['--name', 'n'.repeat(201), '--team', 'finance'], 'name'],
  [createTokenCommand, ['--name', 'Olga', '--team', 'nobody'], '--team'],
  [createTokenCommand, ['--name', 'Olga', '--team', 'finance', '--days', '366'], '--days'],
  [createWorkspaceCommand, [...BUSINESS, '--country', 'de'], 'country'],
  [createWorkspaceCommand, BUSINESS.slice(0, -2), 'create-workspace needs'],
])('mistakes are said in one line (%#)', async (command, args, line) => {
  await expect(run(command, ...args)).rejects.toThrow(line);
});
