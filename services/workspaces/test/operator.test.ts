import { parseInternalToken } from '@payroll/admission';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { NO_WORKSPACE } from '../src/commands/create-internal-token.js';
import { createTokenCommand } from '../src/operator/create-token.js';
import { createWorkspaceCommand } from '../src/operator/create-workspace.js';
import { Workspaces } from './support.js';

let workspaces: Workspaces;
let printed = '';
beforeAll(async () => {
  workspaces = await Workspaces.open('workspaces_operator');
});
afterAll(() => workspaces[Symbol.asyncDispose]());
afterEach(() => {
  printed = '';
  vi.restoreAllMocks();
});

async function run(command: typeof createTokenCommand, ...args: string[]): Promise<string> {
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  await command.run({ DATABASE_URL: workspaces.databaseUrl }, args);
  return printed.trim();
}

const BUSINESS = ['--name', 'Northwind', '--country', 'DE', '--admin-name', 'Ada', '--admin-email', 'ada@example.com'];

it('create-workspace sets up an employer that the rest of the system learns of', async () => {
  const text = await run(createWorkspaceCommand, ...BUSINESS, '--kyb', 'pending');
  const { workspaceId, membershipId } = JSON.parse(text) as { workspaceId: string; membershipId: string };
  expect(await workspaces.audited(workspaceId)).toMatchObject([
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

it.each([
  [createTokenCommand, ['--name', 'n'.repeat(201), '--team', 'finance'], 'name'],
  [createTokenCommand, ['--name', 'Olga', '--team', 'nobody'], '--team'],
  [createTokenCommand, ['--name', 'Olga', '--team', 'finance', '--days', '366'], '--days'],
  [createWorkspaceCommand, [...BUSINESS, '--country', 'de'], 'country'],
  [createWorkspaceCommand, BUSINESS.slice(0, -2), 'create-workspace needs'],
])('mistakes are said in one line (%#)', async (command, args, line) => {
  await expect(run(command, ...args)).rejects.toThrow(line);
});
