import type { AdmissionResponse } from '@payroll/admission';
import { SCOPES, type Origin } from '@payroll/kernel';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { NO_WORKSPACE } from '../../src/commands/installation.js';
import { updateBusiness } from '../../src/commands/business.js';
import { Workspaces, codeOf } from '../support.js';

const workspaces = await Workspaces.open('workspaces_internal_tokens');
const place = await workspaces.provision();
afterAll(() => workspaces[Symbol.asyncDispose]());

/** A question as the internal endpoint sends it. */
const graphql = (reason?: string) =>
  ({ via: 'graphql', scope: null, workspaceId: place.workspaceId, ...(reason !== undefined && { reason }) }) as const;

async function originOf(answer: Promise<AdmissionResponse>): Promise<Origin> {
  const given = await answer;
  if (!given.admitted) throw new Error(given.code);
  return given.origin;
}

describe('a staff token', () => {
  it.each([undefined, '', ' \t ', 'r'.repeat(501)])('is refused with the reason %j', async (reason) => {
    const answer = await workspaces.admitOne(await workspaces.token('support'), graphql(reason));
    expect(codeOf(answer)).toBe('INVALID_REQUEST');
  });

  it('records who accessed, when, why and in which request, each time', async () => {
    const own = await workspaces.provision();
    const token = await workspaces.token('finance');
    const asked = { ...graphql('payout 42'), workspaceId: own.workspaceId };
    for (const requestId of ['req_a', 'req_b']) await workspaces.admitOne(token, { ...asked, requestId });
    const accesses = (await workspaces.audited(own.workspaceId)).filter(
      ({ action }) => action === 'workspace.accessed',
    );
    expect(accesses).toEqual(
      ['req_a', 'req_b'].map((requestId) => ({
        action: 'workspace.accessed',
        actorKind: 'staff',
        principalId: token.id,
        via: 'graphql',
        requestId,
        subjectId: own.workspaceId,
        change: { reason: 'payout 42' },
      })),
    );
  });

  it('of the team read_only can read and not change', async () => {
    const token = await workspaces.token('read_only');
    const origin = await originOf(workspaces.admitOne(token, graphql('a look')));
    expect(origin.actor).toMatchObject({ kind: 'staff', scopes: ['read'] });
    await expect(workspaces.run(updateBusiness, { name: 'Mine' }, origin)).rejects.toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
    });
    expect((await workspaces.graphql(origin, '{ business { name } }')).errors).toBeUndefined();
  });

  it.each(['support', 'operations', 'finance'] as const)('of the team %s can make changes', async (team) => {
    const origin = await originOf(workspaces.admitOne(await workspaces.token(team), graphql('a ticket')));
    expect(origin.actor).toMatchObject({ kind: 'staff', team, person: 'olga@example.com', role: null, scopes: SCOPES });
  });

  it('two tokens of a person are two principals and one person', async () => {
    const tokens = [await workspaces.token('finance'), await workspaces.token('finance', 'Olga@Example.com')];
    const origins = await Promise.all(tokens.map((token) => originOf(workspaces.admitOne(token, graphql('r')))));
    expect(new Set(origins.map(({ actor }) => actor.principalId)).size).toBe(2);
    expect(origins.map(({ actor }) => actor.kind === 'staff' && actor.person)).toEqual([
      'olga@example.com',
      'olga@example.com',
    ]);
  });
});

it('a service token needs no reason and records no access', async () => {
  const own = await workspaces.provision();
  const asked = { ...graphql(), workspaceId: own.workspaceId };
  const origin = await originOf(workspaces.admitOne(await workspaces.token('service'), asked));
  expect(origin.actor.kind).toBe('service');
  expect((await workspaces.audited(own.workspaceId)).map(({ action }) => action)).toEqual(['workspace.provisioned']);
});

it.each(['expires_at', 'revoked_at'])('a token with %s in the past is refused', async (column) => {
  const token = await workspaces.token('service');
  await sql`update internal_token set ${sql.ref(column)} = now() where id = ${token.id}`.execute(
    workspaces.em.getKysely(),
  );
  expect(codeOf(await workspaces.admitOne(token, graphql()))).toBe('INVALID_CREDENTIAL');
});

it.each([undefined, 'x', NO_WORKSPACE])('a token is refused for the workspace %j', async (workspaceId) => {
  const token = await workspaces.token('service');
  const asked = { via: 'graphql', scope: null, ...(workspaceId !== undefined && { workspaceId }) } as const;
  expect(codeOf(await workspaces.admitOne(token, asked))).toBe('INVALID_CREDENTIAL');
});
