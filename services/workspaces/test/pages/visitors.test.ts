import { verifyActorToken, type AdmissionResponse, type AdmissionGranted } from '@payroll/admission';
import { newId, SCOPES } from '@payroll/kernel';
import { hashSecret, newSecret } from '@payroll/pages';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { changeMemberRole, removeMember } from '../../src/commands/members.js';
import { setIntegrationSwitches } from '../../src/commands/business.js';
import { QUOTAS } from '../../src/domain/admission.js';
import { Site, type Person } from './site.js';
import { question, type Place, type Question, codeOf } from '../support.js';

let place: Place;
let admin: Person;
const site = await Site.open('workspaces_visitors');
afterAll(() => site[Symbol.asyncDispose]());
beforeEach(async () => {
  place = await site.workspaces.provision();
  admin = await site.person(place);
});

/** A question as the application sends it: with the hash of the cookie. */
function asks(person: Person, more: Partial<Question> = {}): Question {
  const proof = hashSecret(person.browser.cookies.get('session')!);
  return question({ kind: 'session', proof }, { via: 'web', scope: null, workspaceId: place.workspaceId, ...more });
}

async function admit(person: Person, more: Partial<Question> = {}): Promise<AdmissionResponse> {
  return (await site.workspaces.admit([asks(person, more)]))[0]!;
}

async function change(statement: ReturnType<typeof sql>): Promise<void> {
  await statement.execute(site.workspaces.em.getKysely());
}

describe('a signed-in person', () => {
  it.each(['/account', '/sign-in'])(
    'reads at %s that a part does not answer while Postgres is silent',
    async (path) => {
      const silent = new Error('Connection terminated due to connection timeout');
      const find = vi.spyOn(site.web.sessions, 'find').mockRejectedValue(silent);
      const page = await admin.browser.get(path);
      find.mockRestore();
      expect(page).toMatchObject({ status: 503 });
      expect(page.text).toContain('A part of this service does not answer at the moment.');
    },
  );

  it('is admitted as their membership, with the names for their pages and a token per service', async () => {
    const { names, origin, tokens } = (await admit(admin, { requestId: 'req_1' })) as AdmissionGranted;
    const { membershipId: principalId, sessionId, email: person } = admin;
    const actor = {
      kind: 'person',
      person,
      principalId,
      workspaceId: place.workspaceId,
      role: 'admin',
      scopes: SCOPES,
      sessionId,
      hasRecentPassword: true,
    };
    expect(origin).toEqual({ actor, via: 'web', requestId: 'req_1' });
    expect(names).toEqual({ person: expect.any(String) as string, workspace: expect.any(String) as string });
    const key = site.workspaces.actorKeys.payments;
    expect(verifyActorToken('payments', [key], tokens.payments, new Date())).toEqual(origin);
  });

  it('no longer has a recent password ten minutes after it was entered', async () => {
    await site.age(admin, 11);
    expect(await admit(admin)).toMatchObject({ origin: { actor: { hasRecentPassword: false } } });
  });

  it('has their current role in the very next request', async () => {
    const member = await site.person(place, 'member');
    await site.workspaces.run(changeMemberRole, { id: member.membershipId, role: 'viewer' }, place.origin);
    expect(await admit(member)).toMatchObject({ origin: { actor: { role: 'viewer' } } });
  });

  it('is admitted while the public API is switched off, which is for integrations only', async () => {
    const off = { integrationEnabled: false, writesEnabled: false };
    await site.workspaces.run(setIntegrationSwitches, off, place.origin);
    expect(codeOf(await admit(admin, { limit: 'writes' }))).toBe('admitted');
  });

  it.each<[string, () => Promise<unknown>]>([
    ['signed out', async () => admin.browser.submit(await admin.browser.get('/account'), '/sign-out')],
    ['been away for an hour', () => change(sql`update session set last_seen_at = now() - interval '61 min'`)],
    ['been signed in for too long', () => change(sql`update session set expires_at = now()`)],
  ])('is not admitted once they have %s', async (_, end) => {
    const asked = asks(admin);
    await end();
    expect(codeOf((await site.workspaces.admit([asked]))[0]!)).toBe('INVALID_CREDENTIAL');
  });

  it('gets NOT_FOUND, not a failed sign-in, for a workspace they do not belong to', async () => {
    const member = await site.person(place, 'member');
    await site.workspaces.run(removeMember, { id: member.membershipId }, place.origin);
    const other = await site.workspaces.provision();
    for (const workspaceId of [place.workspaceId, other.workspaceId, newId(), 'none', '']) {
      expect(await admit(member, { workspaceId })).toMatchObject({
        code: 'NOT_FOUND',
        rateLimits: [{ name: 'pages' }],
      });
    }
  });

  it('stays signed in by using the application', async () => {
    await change(sql`update session set last_seen_at = now() - interval '59 min'`);
    await admit(admin);
    await change(sql`update session set last_seen_at = last_seen_at - interval '59 min'`);
    expect(codeOf(await admit(admin))).toBe('admitted');
  });
});

describe('a session', () => {
  it('is accepted for the pages and at no other endpoint', async () => {
    for (const via of ['rest', 'graphql'] as const) {
      expect(codeOf(await admit(admin, { via }))).toBe('INVALID_CREDENTIAL');
    }
  });

  it('is proved by the hash of its cookie: not by another secret or the stored hash', async () => {
    const stored = await site.workspaces.em.execute<[{ proof_hash: string }]>(
      `select proof_hash from session where id = '${admin.sessionId}'`,
    );
    for (const proof of [hashSecret(newSecret()), stored[0].proof_hash]) {
      expect(codeOf(await admit(admin, { credential: { kind: 'session', proof } }))).toBe('INVALID_CREDENTIAL');
    }
  });

  it('counts for its person across workspaces, and not for the workspace', async () => {
    const { rateLimits } = (await admit(admin)) as AdmissionGranted;
    expect(rateLimits).toMatchObject([{ name: 'pages', quota: QUOTAS.pages, remaining: QUOTAS.pages - 1 }]);
    await change(sql`update rate_counter set used = ${QUOTAS.pages} where subject = ${`pages/${admin.accountId}`}`);
    expect(codeOf(await admit(admin, { workspaceId: newId() }))).toBe('RATE_LIMITED');
    const key = await site.workspaces.key(place, admin.membershipId);
    expect(codeOf(await site.workspaces.admitOne(key.credential))).toBe('admitted');
  });

  it('shares a batch with others, each with its own answer', async () => {
    const viewer = await site.person(place, 'viewer');
    const gone: Question = { ...asks(admin), credential: { kind: 'session', proof: hashSecret(newSecret()) } };
    const key = await site.workspaces.key(place);
    const asked = [asks(viewer), gone, question(key.credential), asks(admin), asks(viewer, { workspaceId: newId() })];
    const answers = await site.workspaces.admit(asked);
    expect(answers.map(codeOf)).toEqual(['admitted', 'INVALID_CREDENTIAL', 'admitted', 'admitted', 'NOT_FOUND']);
    expect(answers[0]).toMatchObject({ origin: { actor: { role: 'viewer' } } });
    expect(answers[3]).toMatchObject({ origin: { actor: { role: 'admin' } } });
  });
});
