import { verifyActorToken, type AdmissionGranted, type AdmissionResponse } from '@payroll/admission';
import { newId, SCOPES, type Role, type Scope } from '@payroll/kernel';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { changeMemberRole, removeMember } from '../../src/commands/members.js';
import { revokeApiKey } from '../../src/commands/api-keys.js';
import { setIntegrationSwitches } from '../../src/commands/business.js';
import { question, Workspaces, type Question, codeOf } from '../support.js';

const workspaces = await Workspaces.open('workspaces_credentials');
const place = await workspaces.provision();
afterAll(() => workspaces[Symbol.asyncDispose]());

function admitted(answer: AdmissionResponse): AdmissionGranted {
  if (!answer.admitted) throw new Error(answer.code);
  return answer;
}

describe('an API key', () => {
  it('is admitted as its member, with a token per service that no other service accepts', async () => {
    const { credential, principalId } = await workspaces.key(place);
    const asked = question(credential, { requestId: 'req_1' });
    const { origin, tokens } = admitted((await workspaces.admit([asked]))[0]!);
    const { workspaceId } = place;
    expect(origin).toEqual({
      actor: { kind: 'api_key', principalId, workspaceId, role: 'admin', scopes: SCOPES },
      via: 'rest',
      requestId: 'req_1',
    });
    const { contracts, review } = workspaces.actorKeys;
    expect(verifyActorToken('contracts', [contracts], tokens.contracts, new Date())).toEqual(origin);
    expect(() => verifyActorToken('review', [review], tokens.contracts, new Date())).toThrow(
      'not signed for this service',
    );
  });

  it.each<[string, (key: { id: string }) => Promise<unknown>]>([
    [
      'expired',
      ({ id }) => sql`update api_key set expires_at = now() where id = ${id}`.execute(workspaces.em.getKysely()),
    ],
    ['revoked', ({ id }) => workspaces.run(revokeApiKey, { id }, place.origin)],
  ])('that is %s is no longer admitted', async (_, end) => {
    const key = await workspaces.key(place);
    expect(codeOf(await workspaces.admitOne(key.credential))).toBe('admitted');
    await end(key);
    expect(codeOf(await workspaces.admitOne(key.credential))).toBe('INVALID_CREDENTIAL');
  });

  it('is admitted with its own secret and kind only', async () => {
    const [one, other] = [await workspaces.key(place), await workspaces.key(place)];
    const wrong = [
      { ...one.credential, proof: other.credential.proof },
      { ...one.credential, id: newId() },
      { ...one.credential, kind: 'token' as const },
    ];
    for (const credential of wrong) {
      const answer = await workspaces.admitOne(credential, { workspaceId: place.workspaceId, reason: 'r' });
      expect(codeOf(answer)).toBe('INVALID_CREDENTIAL');
    }
  });

  it('stays revoked after its member has left, even if they return', async () => {
    const memberId = await workspaces.member(place, 'member');
    const key = await workspaces.key(place, memberId, ['read']);
    await workspaces.run(removeMember, { id: memberId }, place.origin);
    await workspaces.member(place, 'member');
    expect(codeOf(await workspaces.admitOne(key.credential))).toBe('INVALID_CREDENTIAL');
  });

  it('keeps its principal when rotated, and stays valid next to the new one until revoked', async () => {
    const old = await workspaces.key(place);
    const fresh = await workspaces.rotate(place, old);
    const ask = () => workspaces.admit([question(old.credential), question(fresh.credential)]);
    expect((await ask()).map((answer) => admitted(answer).origin.actor.principalId)).toEqual([
      old.principalId,
      old.principalId,
    ]);
    await workspaces.run(revokeApiKey, { id: old.id }, place.origin);
    expect((await ask()).map(codeOf)).toEqual(['INVALID_CREDENTIAL', 'admitted']);
  });
});

describe('scopes', () => {
  it.each<[Role, readonly Scope[], readonly Scope[]]>([
    ['admin', SCOPES, SCOPES],
    ['admin', ['read'], ['read']],
    ['member', ['read', 'contracts:write'], ['read', 'contracts:write']],
    ['member', ['contracts:write'], ['contracts:write']],
    ['viewer', ['read'], ['read']],
  ])('of a key of a %s granted %j are %j', async (role, granted, effective) => {
    const key = await workspaces.key(place, await workspaces.member(place, role), granted);
    const answer = admitted(await workspaces.admitOne(key.credential, { scope: null }));
    expect(answer.origin.actor.scopes).toEqual(effective);
    for (const scope of SCOPES) {
      const code = codeOf(await workspaces.admitOne(key.credential, { scope }));
      expect(code).toBe(effective.includes(scope) ? 'admitted' : 'INSUFFICIENT_SCOPE');
    }
  });

  it('follow the role from the very next request', async () => {
    const id = await workspaces.member(place, 'admin');
    const { credential } = await workspaces.key(place, id);
    const write = { scope: 'timesheets:write', limit: 'writes' } as const;
    const codes: string[] = [];
    for (const role of ['admin', 'member', 'viewer', 'admin'] as const) {
      await workspaces.run(changeMemberRole, { id, role }, place.origin);
      codes.push(codeOf(await workspaces.admitOne(credential, write)));
    }
    expect(codes).toEqual(['admitted', 'INSUFFICIENT_SCOPE', 'INSUFFICIENT_SCOPE', 'admitted']);
  });
});

describe('integration switches', () => {
  const write: Partial<Question> = { limit: 'writes', scope: 'contracts:write' };

  it.each([
    [{ integrationEnabled: true, writesEnabled: true }, 'admitted', 'admitted'],
    [{ integrationEnabled: true, writesEnabled: false }, 'admitted', 'WRITES_DISABLED'],
    [{ integrationEnabled: false, writesEnabled: true }, 'INTEGRATION_DISABLED', 'INTEGRATION_DISABLED'],
    [{ integrationEnabled: false, writesEnabled: false }, 'INTEGRATION_DISABLED', 'INTEGRATION_DISABLED'],
  ])('%j: reads %s, writes %s', async (switches, reads, writes) => {
    const own = await workspaces.provision();
    const { credential } = await workspaces.key(own);
    await workspaces.run(setIntegrationSwitches, switches, own.origin);
    const answers = await workspaces.admit([question(credential), question(credential, write)]);
    expect(answers.map(codeOf)).toEqual([reads, writes]);
    const other = await workspaces.key(place);
    expect(codeOf(await workspaces.admitOne(other.credential, write))).toBe('admitted');
  });
});
