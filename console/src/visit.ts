import { DomainError, type Role } from '@payroll/kernel';
import { roomPath, type Room } from '@payroll/pages';
import type { Caller } from '@payroll/gateway';
import type { ConsoleExchange } from './exchange.js';
import type { Operation } from './operations.js';

/** Somebody in a workspace they belong to, with the role they have right now. */
export type Visit = Awaited<ReturnType<typeof visit>>;

type Variables = Record<string, unknown>;

/** For all members of the workspace in the path. @throws DomainError `NOT_FOUND` for everybody else, Detour */
export async function visit(at: ConsoleExchange, room: Room) {
  const { origin, names, tokens } = await at.admitted();
  const { workspaceId, role } = origin.actor;
  // Admission answers nothing else for a session; what it answered for another kind is nobody's visit.
  if (origin.actor.kind !== 'person' || role === null || !names) throw new TypeError('Only people visit pages.');
  at.place = { workspaceId, workspaceName: names.workspace, role, room };
  const { operations } = at.application;
  const caller: Caller = { tokens, requestId: at.request.id, isGone: () => at.reply.raw.destroyed };
  return {
    ...{ workspaceId, role, names },
    /** Of the room. */
    path: roomPath(workspaceId, room),
    /** Reads. @throws DomainError the first refusal of any service */
    ask: <Data, Given extends Variables>(operation: Operation<Data, Given>, given: Given): Promise<Data> =>
      operations.run(operation, given, caller),
    /** Changes. Sent twice under one operation id it is done once; the id comes from the form. @throws DomainError */
    tell: <Data, Given extends Variables>(
      operation: Operation<Data, Given>,
      given: Omit<Given, 'operationId'>,
      operationId: string,
    ): Promise<Data> => operations.run(operation, { ...given, operationId }, caller),
  };
}

/** For members with one of these roles, to whom alone the page offers anything. The commands ask by themselves. */
export async function visitAs(at: ConsoleExchange, room: Room, roles: readonly Role[]): Promise<Visit> {
  const found = await visit(at, room);
  if (roles.includes(found.role)) return found;
  const message = `This is for ${roles.map((role) => `${role}s`).join(' and ')} of ${found.names.workspace}; you are a ${found.role}. Ask an admin.`;
  throw new DomainError('INSUFFICIENT_SCOPE', message);
}
