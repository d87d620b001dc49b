import { DomainError, isId, notFound, type Origin } from '@payroll/kernel';
import type { FastifyRequest } from 'fastify';
import type { SignedIn } from '../accounts/sessions.js';
import { personIn } from '../domain/permissions.js';
import { membershipsOfAccount, type OwnMembership } from '../queries/memberships-of-account.js';
import type { Place, Room } from './layout.js';
import { requireSignIn } from './visitor.js';
import type { Web } from './web.js';

/** Somebody in a workspace they belong to, with the role they have right now. */
export interface Visit {
  visitor: SignedIn;
  membership: OwnMembership;
  /** What their commands are run as. */
  origin: Origin;
  place: Place;
}

/** For everybody who belongs to the workspace that the path names; to others it is not there. */
export async function visit(web: Web, request: FastifyRequest, room: Room): Promise<Visit> {
  const visitor = await requireSignIn(web, request);
  const { workspaceId } = request.params as { workspaceId: string };
  const [membership] = isId(workspaceId) ? await membershipsOfAccount(web.em, visitor.account.id, workspaceId) : [];
  if (!membership) throw notFound('What this address names');
  const { role, workspaceName } = membership;
  const actor = personIn(membership, visitor.sessionId);
  const origin: Origin = { actor, via: 'web', requestId: request.id };
  return { visitor, membership, origin, place: { workspaceId, workspaceName, role, room } };
}

/** For admins alone. @throws DomainError `INSUFFICIENT_SCOPE` for who belongs to the workspace as something else. */
export async function visitAsAdmin(web: Web, request: FastifyRequest, room: Room): Promise<Visit> {
  const found = await visit(web, request, room);
  if (found.membership.role === 'admin') return found;
  throw new DomainError(
    'INSUFFICIENT_SCOPE',
    `This is for admins of ${found.membership.workspaceName}; you are a ${found.membership.role}. Ask an admin.`,
  );
}
