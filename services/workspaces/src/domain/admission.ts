import type { AdmissionQuestion, Admitted } from '@payroll/admission';
import {
  DomainError,
  notFound,
  ROLE_SCOPES,
  SCOPES,
  textProblem,
  type Actor,
  type Role,
  type Scope,
  type StaffTeam,
} from '@payroll/kernel';
import { personIn } from './member.js';

export type Holder =
  | {
      kind: 'api_key' | 'connection';
      workspaceId: string;
      principalId: string;
      role: Role;
      scopes: readonly Scope[];
      integrationEnabled: boolean;
      writesEnabled: boolean;
    }
  | Visitor
  | { kind: 'token'; workspaceId: string; principalId: string; team: 'service' }
  | { kind: 'token'; workspaceId: string; principalId: string; team: StaffTeam; owner: string };

/** Somebody who is signed in; without a membership where the workspace that they named is none of theirs. */
export interface Visitor {
  kind: 'session';
  sessionId: string;
  isRecent: boolean;
  /** Of the account. */
  email: string;
  membership: { workspaceId: string; membershipId: string; role: Role } | null;
  names: NonNullable<Admitted['names']>;
}

/** @throws DomainError 403 codes, `NOT_FOUND` for who does not belong there, `INVALID_REQUEST` for staff who do not say why. */
export function admit(holder: Holder, question: AdmissionQuestion): Actor {
  switch (holder.kind) {
    case 'token':
      return admitInternal(holder, question);
    case 'session':
      return admitVisitor(holder);
    default:
      return admitPrincipal(holder, question);
  }
}

/** What they may do there stands with each command: no scope bounds who is there in person. */
function admitVisitor({ membership, ...session }: Visitor): Actor {
  if (!membership) throw notFound('The workspace');
  return personIn(membership, session);
}

/** An integration principal: a key, or the connection of an assistant. */
export type Principal = Extract<Holder, { kind: 'api_key' | 'connection' }>;

function admitPrincipal(holder: Principal, { scope, limit }: AdmissionQuestion): Actor {
  const { kind, workspaceId, principalId, role } = holder;
  if (!holder.integrationEnabled) {
    throw new DomainError('INTEGRATION_DISABLED', 'The public API is not enabled for this workspace.');
  }
  // It acts as a membership: what the role no longer allows is gone from the next request on.
  const scopes = holder.scopes.filter((each) => ROLE_SCOPES[role].includes(each));
  if (scope !== null && !scopes.includes(scope)) {
    throw new DomainError('INSUFFICIENT_SCOPE', `This needs the scope ${scope} and a role that allows it.`);
  }
  if (limit === 'writes' && !holder.writesEnabled) {
    throw new DomainError('WRITES_DISABLED', 'Writes are not enabled for this workspace.');
  }
  return { kind, principalId, workspaceId, role, scopes };
}

/** Each staff access keeps its reason for ever. */
const MAX_REASON_LENGTH = 500;

function admitInternal(holder: Extract<Holder, { kind: 'token' }>, { reason }: AdmissionQuestion): Actor {
  const { workspaceId, principalId } = holder;
  if (holder.team === 'service') return { kind: 'service', principalId, workspaceId, role: null, scopes: SCOPES };
  const problem = textProblem(reason?.trim() ?? '', 1, MAX_REASON_LENGTH);
  if (problem !== null) {
    throw new DomainError('INVALID_REQUEST', 'Say why you look at this workspace in the header x-reason.', {
      details: [{ path: 'x-reason', code: problem === 'too_short' ? 'required' : problem }],
    });
  }
  const { team, owner: person } = holder;
  const scopes: readonly Scope[] = team === 'read_only' ? ['read'] : SCOPES;
  return { kind: 'staff', team, person, principalId, workspaceId, role: null, scopes };
}
