import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { parseApiKey, parseInternalToken, type AdmissionResponse, type BearerCredential } from '@payroll/admission';
import { newId, systemOrigin } from '@payroll/kernel';
import { hashSecret } from '@payroll/pages';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { NO_WORKSPACE } from '../src/commands/installation.js';
import { addMember } from '../src/commands/members.js';
import { giveWorkerAccess } from '../src/commands/worker-access.js';
import { giveWorkerAccessCommand, resetSecondFactorCommand, setPasswordCommand } from '../src/operator/accounts.js';
import {
  createTokenCommand,
  listTokensCommand,
  revokeTokenCommand,
  revokeKeyCommand,
} from '../src/operator/credentials.js';
import { createWorkspaceCommand } from '../src/operator/create-workspace.js';
import { findInvitation } from '../src/queries/members.js';
import { PASSWORD, Site } from './pages/site.js';
import { question } from './support.js';

const site = await Site.open('workspaces_operator');
const { workspaces } = site;
const place = await workspaces.provision();
afterAll(() => site[Symbol.asyncDispose]());
afterEach(() => vi.restoreAllMocks());

async function run(command: typeof createTokenCommand, ...args: string[]): Promise<string> {
  let printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  await command.run({ DATABASE_URL: workspaces.databaseUrl, APP_URL: 'https://accounts.example/' }, args);
  return printed.trim();
}

const BUSINESS = ['--name', 'Northwind', '--country', 'DE', '--admin-name', 'Ada', '--admin-email', 'ada@example.com'];

it('create-workspace creates an employer and publishes its event', async () => {
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
  expect(found).toMatchObject({ workspaceId, email: 'ada@example.com' });
});

describe('internal tokens', () => {
  const mint = async (owner: string, ...more: string[]): Promise<BearerCredential> => {
    const text = await run(createTokenCommand, '--owner', owner, '--team', 'operations', ...more);
    return parseInternalToken(`Bearer ${text}`)!;
  };
  const open = (credential: BearerCredential): Promise<AdmissionResponse> =>
    workspaces.admitOne(credential, { via: 'graphql', scope: null, workspaceId: place.workspaceId, reason: 'r' });
  const told = async ({ id }: BearerCredential) =>
    (await workspaces.audited(NO_WORKSPACE)).filter(({ subjectId }) => subjectId === id);

  it('have an owner and an end; the secret works and is not stored', async () => {
    const text = await run(createTokenCommand, '--owner', 'Olga@Example.com', '--team', 'operations', '--days', '2');
    const credential = parseInternalToken(`Bearer ${text}`)!;
    const rows = await told(credential);
    expect(rows).toMatchObject([
      {
        action: 'internal-token.created',
        actorKind: 'system',
        change: { name: 'Olga@Example.com', owner: 'olga@example.com', team: 'operations' },
      },
    ]);
    expect(JSON.stringify(rows)).not.toContain(text.split('_')[2]);
    const days = (Date.parse(String(rows[0]!.change['expiresAt'])) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(1.9);
    expect(days).toBeLessThanOrEqual(2);
    expect(await open(credential)).toMatchObject({
      admitted: true,
      origin: { actor: { kind: 'staff', team: 'operations', person: 'olga@example.com' } },
    });
  });

  it('are printed as they are made, also if a later owner is refused', async () => {
    let printed = '';
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      printed += String(text);
      return true;
    });
    const args = ['--team', 'operations', '--owner', 'pia@example.com', '--owner', 'no-address'];
    const made = createTokenCommand.run({ DATABASE_URL: workspaces.databaseUrl }, args);
    await expect(made).rejects.toThrow('email address');
    expect(await open(parseInternalToken(`Bearer ${printed.trim()}`)!)).toMatchObject({ admitted: true });
  });

  it('are refused from the next request after revocation, which is reported once', async () => {
    const credential = await mint('rita@example.com');
    expect(await open(credential)).toMatchObject({ admitted: true });
    expect(await run(revokeTokenCommand, '--id', credential.id)).toBe(credential.id);
    expect(await open(credential)).toMatchObject({ admitted: false, code: 'INVALID_CREDENTIAL' });
    await expect(run(revokeTokenCommand, '--id', credential.id)).rejects.toThrow('no such token to revoke');
    expect((await told(credential)).map(({ action }) => action)).toEqual([
      'internal-token.created',
      'internal-token.revoked',
    ]);
  });

  it("are all revoked when their owner leaves, and no other owner's", async () => {
    const [one, two, other] = [
      await mint('gus@example.com'),
      await mint('Gus@example.com'),
      await mint('ida@example.com'),
    ];
    const revoked = await run(revokeTokenCommand, '--owner', 'GUS@example.com');
    expect(revoked.split('\n').toSorted()).toEqual([one.id, two.id].toSorted());
    expect(await open(other)).toMatchObject({ admitted: true });
  });

  it('are listed without their secrets: the valid ones, or all that ever existed', async () => {
    const [kept, gone] = [await mint('lea@example.com', '--name', 'Laptop'), await mint('lea@example.com')];
    await run(revokeTokenCommand, '--id', gone.id);
    const [live, all] = [await run(listTokensCommand), await run(listTokensCommand, '--all')];
    expect(live.split('\n').find((line) => line.startsWith(kept.id))).toMatch(
      /operations +lea@example\.com +Laptop +made \S+ +ends \S+$/,
    );
    expect(live).not.toContain(gone.id);
    expect(all.split('\n').find((line) => line.startsWith(gone.id))).toMatch(/revoked \S+$/);
    expect(all).not.toContain(kept.proof);
  });
});

const type = (typed: string): void => {
  vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([typed]) as typeof process.stdin);
};

describe('revoke-key', () => {
  const INPUT = 'memberId: "%", name: "Leaked", scopes: ["read"], expiresAt: "2099-01-01T00:00:00Z"';
  const make = async (): Promise<{ id: string; secret: string }> => {
    const input = INPUT.replace('%', place.membershipId);
    const query = `mutation { createApiKey(input: { ${input} }) { secret apiKey { id } } }`;
    const { data } = await workspaces.graphql(place.application, query);
    const { secret, apiKey } = data!['createApiKey'] as { secret: string; apiKey: { id: string } };
    return { id: apiKey.id, secret };
  };
  const admits = async (secret: string): Promise<boolean> =>
    (await workspaces.admitOne(parseApiKey(`Bearer ${secret}`, 'test'))).admitted;

  it('revokes leaked keys, by secret or id, with access to the database only', async () => {
    const [one, other, kept] = [await make(), await make(), await make()];
    type(`${one.secret}\n\n  ${other.id}\n`);
    expect(await run(revokeKeyCommand)).toBe(`${one.id}\n${other.id}`);
    expect([await admits(one.secret), await admits(other.secret), await admits(kept.secret)]).toEqual([
      false,
      false,
      true,
    ]);
    expect((await workspaces.audited(place.workspaceId)).at(-1)).toMatchObject({
      action: 'api-key.revoked',
      actorKind: 'system',
      subjectId: other.id,
    });
  });

  it.each(['nonsense', newId(), ''])('names the invalid line (%j) without its content', async (line) => {
    const { secret } = await make();
    type(line === '' ? '' : `${secret}\n${line}`);
    const failed = run(revokeKeyCommand);
    await expect(failed).rejects.toThrow(line === '' ? 'from stdin' : 'line 2 is not a key of this installation');
    await expect(failed).rejects.not.toThrow(secret);
    expect(await admits(secret)).toBe(line === '');
  });
});

describe('set-password', () => {
  const set = async (passwords: string, ...emails: string[]): Promise<void> => {
    type(passwords);
    const isEmail = (each: string): boolean => each.includes('@');
    await run(setPasswordCommand, ...emails.flatMap((each) => (isEmail(each) ? ['--email', each] : [each])));
    vi.restoreAllMocks();
  };

  it('sets the first or a new password, and signs out everywhere', async () => {
    const text = await run(createWorkspaceCommand, ...BUSINESS.with(-1, 'grace@example.com'));
    const { invitation } = JSON.parse(text) as Record<string, string>;
    const other = await site.account();
    const stale = site.browser();
    await stale.signIn(other.email, PASSWORD);
    await set('four words of mine\nfour words of theirs\n', ' Grace@Example.com', other.email);
    expect((await stale.get('/workspaces')).status).toBe(303);
    const browser = site.browser();
    await browser.signIn('grace@example.com', 'four words of mine');
    expect((await browser.get('/workspaces')).text).toContain('Northwind admin');
    expect((await site.browser().get(new URL(invitation!).pathname)).status).toBe(404);
    expect((await site.browser().signIn(other.email, 'four words of theirs')).status).toBe(303);
  });

  it('changes no password if one of them is refused, and names its address', async () => {
    const [one, other] = [await site.account(), await site.account()];
    await expect(set('four words of mine\nshort\n', one.email, other.email)).rejects.toThrow(
      `${other.email}: This password cannot be set. (password: too_short)`,
    );
    expect((await site.browser().signIn(one.email, PASSWORD)).status).toBe(303);
  });

  it('with several accounts of an address requires --workspace, and changes only that account', async () => {
    const places = [await workspaces.provision(), await workspaces.provision()];
    const people = [await site.person(places[0]!, 'member'), await site.person(places[1]!, 'member')];
    const email = 'several@example.com';
    for (const { accountId } of people) {
      await sql`update account set email = ${email} where id = ${accountId}`.execute(workspaces.em.getKysely());
    }
    const refused = set('four words of mine\n', email);
    await expect(refused).rejects.toThrow(`--workspace, one of ${places[0]!.workspaceId}, ${places[1]!.workspaceId}`);
    await set('four words of mine\n', email, '--workspace', places[1]!.workspaceId);
    const found = async (password: string) => {
      const browser = site.browser();
      await browser.signIn(email, password);
      return (await browser.get('/workspaces')).html.includes(places[1]!.workspaceId);
    };
    expect([await found('four words of mine'), await found(PASSWORD)]).toEqual([true, false]);
  });

  it('makes no worker a member of the same workspace, who would approve what they are paid for', async () => {
    const { id: accountId, email } = await site.account();
    const { workspaceId, origin } = await workspaces.provision();
    await workspaces.run(
      giveWorkerAccess,
      { workerId: newId(), accountId },
      systemOrigin(workspaceId, 'runner', newId()),
    );
    await workspaces.run(addMember, { name: 'Wanda', email, role: 'admin' }, origin);
    await expect(set('four words of mine\n', email)).rejects.toThrow('is a worker of this workspace already');
    const browser = site.browser();
    await browser.signIn(email, 'four words of mine');
    expect((await browser.get('/workspaces')).html).not.toContain(`/workspaces/${workspaceId}`);
  });

  it.each([
    ['nobody@example.com', 'four words of mine', 'no account or member has the address'],
    ['known', 'short', 'This password cannot be set. (password: too_short)'],
    ['known', 'passwordpassword', '(password: too_common)'],
  ])('refuses %s with the password %j in one line', async (who, password, line) => {
    const email = who === 'known' ? (await site.account()).email : who;
    await expect(set(password, email)).rejects.toThrow(line);
  });
});

const WORKER = ['--workspace', newId(), '--worker', newId(), '--name', 'Wanda'];
const OLGA = ['--owner', 'olga@example.com', '--team', 'finance'];

it.each([
  [setPasswordCommand, [], 'set-password needs --email'],
  [createTokenCommand, [...OLGA, '--name', 'n'.repeat(201)], 'name'],
  [createTokenCommand, ['--owner', 'olga', '--team', 'finance'], 'email address'],
  [createTokenCommand, ['--name', 'Olga', '--team', 'finance'], '--owner'],
  [createTokenCommand, ['--owner', 'olga@example.com', '--team', 'nobody'], '--team'],
  [createTokenCommand, [...OLGA, '--days', '91'], 'from 1 to 90'],
  [createTokenCommand, ['--name', 'app', '--team', 'service', '--days', '366'], 'from 1 to 365'],
  [createTokenCommand, [...OLGA, '--days', '0'], '--days'],
  [revokeTokenCommand, [], 'either --id or --owner'],
  [revokeTokenCommand, ['--id', 'it_x'], 'the UUID'],
  [createWorkspaceCommand, [...BUSINESS, '--country', 'de'], '(country: invalid_format)'],
  [createWorkspaceCommand, [...BUSINESS, '--kyb', 'done'], '--kyb is one of not_started, pending, verified, rejected'],
  [createWorkspaceCommand, BUSINESS.slice(0, -2), 'create-workspace needs'],
  [giveWorkerAccessCommand, [...WORKER, '--email', 'Ada <ada@example.com>'], '--email: Ada <ada@example.com> is not'],
])('usage errors are reported in one line (%#)', async (command, args, line) => {
  await expect(run(command, ...args)).rejects.toThrow(line);
});

it('reset-second-factor names the missing setting', async () => {
  const order = resetSecondFactorCommand.run({ DATABASE_URL: workspaces.databaseUrl }, ['--email', 'a@example.com']);
  await expect(order).rejects.toThrow('APP_URL is missing');
});

describe('give-worker-access', () => {
  const withPassword = async (password: string, ...args: string[]): Promise<string> => {
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(
      Readable.from([`${password}\n`]) as unknown as typeof process.stdin,
    );
    return await run(giveWorkerAccessCommand, ...args);
  };

  it('creates an account that is admitted as a worker only', async () => {
    const [workerId, email] = [newId(), 'wanda@example.com'];
    const who = ['--workspace', place.workspaceId, '--worker', workerId, '--name', 'Wanda', '--email', email];
    await withPassword(PASSWORD, ...who);
    const browser = site.browser();
    expect((await browser.signIn(email, PASSWORD)).status).toBe(303);
    const credential = { kind: 'session', proof: hashSecret(browser.cookies.get('session')!) } as const;
    const asked = question(credential, { via: 'web', workspaceId: place.workspaceId });
    const [worker, member] = await workspaces.admit([{ ...asked, as: 'worker' }, asked]);
    expect(worker).toMatchObject({ admitted: true, origin: { actor: { kind: 'worker', workerId } } });
    expect(member).toMatchObject({ admitted: false, code: 'NOT_FOUND' });
  });

  it('refuses a worker who signs in already, and makes no account', async () => {
    const email = 'wanda.again@example.com';
    const who = ['--workspace', place.workspaceId, '--worker', newId(), '--name', 'Wanda', '--email', email];
    await withPassword(PASSWORD, ...who);
    await expect(withPassword('four words of mine', ...who)).rejects.toThrow('The worker signs in already.');
    expect((await site.browser().signIn(email, 'four words of mine')).status).toBe(422);
  });

  it('gives workers of several workspaces accounts whose passwords can be set by workspace', async () => {
    const email = 'wanda.of.two@example.com';
    const places = [await workspaces.provision(), await workspaces.provision()];
    for (const { workspaceId } of places) {
      const who = ['--workspace', workspaceId, '--worker', newId(), '--name', 'Wanda', '--email', email];
      await withPassword(PASSWORD, ...who);
    }
    const set = (...args: string[]) => {
      type('four words of mine\n');
      return run(setPasswordCommand, '--email', email, ...args);
    };
    await expect(set()).rejects.toThrow('has 2 accounts; say which with --workspace');
    await set('--workspace', places[1]!.workspaceId);
    expect((await site.browser().signIn(email, 'four words of mine')).status).toBe(303);
    expect((await site.browser().signIn(email, PASSWORD)).status).toBe(303);
  });

  it('names missing options', async () => {
    await expect(withPassword(PASSWORD, '--workspace', place.workspaceId)).rejects.toThrow('--worker <id>');
  });
});
