import { DomainError, isId, notFound, type Origin } from '@payroll/kernel';
import { type Room, roomPath } from '@payroll/pages';
import type { Command } from '@payroll/commands';
import type { SignedIn } from '../accounts/sessions.js';
import { personIn } from '../domain/member.js';
import { membershipsOfAccount, type OwnMembership } from '../queries/members.js';
import type { OwnExchange } from './exchange.js';

/** Somebody in a workspace they belong to, with the role they have right now. */
export type Visit = Awaited<ReturnType<typeof visit>>;

/** For all members of the workspace in the path. @throws DomainError `NOT_FOUND` for everybody else */
export async function visit(at: OwnExchange, room: Room) {
  const { em, commands } = at.web;
  const visitor = await at.requireSignIn();
  const { workspaceId } = at;
  const [membership] = isId(workspaceId) ? await membershipsOfAccount(em, visitor.account.id, workspaceId) : [];
  if (!membership) throw notFound('What this address names');
  const { role, workspaceName } = membership;
  const origin = originOf(membership, visitor, at);
  at.place = { workspaceId, workspaceName, role, room, deployment: at.web.settings.deployment };
  return {
    ...{ em, visitor, membership, workspaceId, origin },
    /** Of the room. */
    path: roomPath(workspaceId, room),
    run: <Input, Result>(command: Command<Input, Result>, input: Input, operationId?: string): Promise<Result> =>
      commands.run(command, input, origin, operationId),
  };
}

/** For admins. @throws DomainError `INSUFFICIENT_SCOPE` for other members */
export async function visitAsAdmin(at: OwnExchange, room: Room): Promise<Visit> {
  const found = await visit(at, room);
  const { role, workspaceName } = found.membership;
  if (role === 'admin') return found;
  const message = `This is for admins of ${workspaceName}; you are a ${role}. Ask an admin.`;
  throw new DomainError('INSUFFICIENT_SCOPE', message);
}

export function originOf(membership: OwnMembership, signedIn: SignedIn, { request }: OwnExchange): Origin {
  return {
    actor: personIn(membership, { ...signedIn, email: signedIn.account.email }),
    via: 'web',
    requestId: request.id,
  };
}
