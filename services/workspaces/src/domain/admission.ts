import type { AdmissionRequest, AdmissionGranted, RateLimit } from '@payroll/admission';
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
  type WorkerActor,
} from '@payroll/kernel';
import { type FactorRule, personIn, requireFactorOfAdmins } from './member.js';

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

/** A signed-in person, and what they are in the named workspace: the one that was asked for, or null. */
export interface Visitor {
  kind: 'session';
  sessionId: string;
  isRecent: boolean;
  /** The account's email address. */
  email: string;
  membership: ({ workspaceId: string; membershipId: string } & FactorRule) | null;
  access: WorkerVisit | null;
  names: NonNullable<AdmissionGranted['names']>;
}

interface WorkerVisit {
  workspaceId: string;
  accessId: string;
  workerId: string;
  hasSecondFactor: boolean;
}

/**
 * @throws DomainError 403 codes, `NOT_FOUND` for a person who is neither member nor worker there, `INVALID_REQUEST` for staff without a
 * reason.
 */
export function admit(holder: Holder, question: AdmissionRequest): Actor {
  switch (holder.kind) {
    case 'token':
      return admitInternal(holder, question);
    case 'session':
      return admitVisitor(holder);
    default:
      return admitPrincipal(holder, question);
  }
}

/** Each command declares the roles that may run it: a person has no scope limit. */
function admitVisitor({ membership, access, ...session }: Visitor): Actor {
  if (access) return workerIn(access, session);
  if (membership) {
    requireFactorOfAdmins(membership);
    return personIn(membership, session);
  }
  throw notFound('The workspace');
}

/** A signed-in worker in a workspace; the access is the principal. */
function workerIn(
  { workspaceId, accessId, workerId, hasSecondFactor }: WorkerVisit,
  { sessionId, isRecent, email }: { sessionId: string; isRecent: boolean; email: string },
): WorkerActor {
  // A password is recent only with the second factor of an account that has one.
  const session = {
    person: email,
    sessionId,
    hasRecentPassword: isRecent,
    hasRecentFactor: isRecent && hasSecondFactor,
  };
  return { kind: 'worker', principalId: accessId, workspaceId, workerId, role: null, scopes: [], ...session };
}

/** An integration principal: a key, or the connection of an assistant. */
export type Principal = Extract<Holder, { kind: 'api_key' | 'connection' }>;

function admitPrincipal(holder: Principal, { scope, limit }: AdmissionRequest): Actor {
  const { kind, workspaceId, principalId, role } = holder;
  if (!holder.integrationEnabled) {
    throw new DomainError('INTEGRATION_DISABLED', 'The public API is not enabled for this workspace.');
  }
  // It acts for a membership: scopes that the role no longer allows are dropped from the next request.
  const scopes = holder.scopes.filter((each) => ROLE_SCOPES[role].includes(each));
  if (scope !== null && !scopes.includes(scope)) {
    throw new DomainError('INSUFFICIENT_SCOPE', `This needs the scope ${scope} and a role that allows it.`);
  }
  if (limit === 'writes' && !holder.writesEnabled) {
    throw new DomainError('WRITES_DISABLED', 'Writes are not enabled for this workspace.');
  }
  return { kind, principalId, workspaceId, role, scopes };
}

/** A connection has at most the scopes of its access token. */
export function limitTo(upTo: readonly Scope[] | undefined, caller: Holder | null): Holder | null {
  if (!upTo || caller?.kind !== 'connection') return caller;
  return { ...caller, scopes: caller.scopes.filter((scope) => upTo.includes(scope)) };
}

/** The reason of each staff access is stored permanently. */
const MAX_REASON_LENGTH = 500;

function admitInternal(holder: Extract<Holder, { kind: 'token' }>, { reason }: AdmissionRequest): Actor {
  const { workspaceId, principalId } = holder;
  if (holder.team === 'service') return { kind: 'service', principalId, workspaceId, role: null, scopes: SCOPES };
  const problem = textProblem(reason?.trim() ?? '', 1, MAX_REASON_LENGTH);
  if (problem !== null) {
    throw new DomainError('INVALID_REQUEST', 'Give a reason for accessing this workspace in the header x-reason.', {
      details: [{ path: 'x-reason', code: problem === 'too_short' ? 'required' : problem }],
    });
  }
  const { team, owner: person } = holder;
  const scopes: readonly Scope[] = team === 'read_only' ? ['read'] : SCOPES;
  return { kind: 'staff', team, person, principalId, workspaceId, role: null, scopes };
}

/**
 * Requests per window of 60 s (public-api.md §8). Failures are counted per address, messages to `/mcp` per
 * connection, pages of the application per person, so that integrations do not use up a person's quota.
 */
export const QUOTAS = { reads: 600, writes: 60, workspace: 2_000, failures: 30, messages: 600, pages: 600 } as const;

/** The position of one request in a counter whose window ends in `resetSeconds`. */
export interface CounterPosition {
  name: RateLimit['name'];
  position: number;
  resetSeconds: number;
}

/** The refusal of a request over a limit; null if all counters allow it. */
export function overLimit(standings: readonly CounterPosition[]) {
  const over = standings.filter(isOver);
  if (over.length === 0) return null;
  const retryAfterSeconds = Math.max(...over.map(({ resetSeconds }) => resetSeconds));
  const message = `Too many requests. Try again in ${retryAfterSeconds} s.`;
  return { code: 'RATE_LIMITED' as const, message, retryAfterSeconds };
}

export function toRateLimit({ name, position, resetSeconds }: CounterPosition): RateLimit {
  return { name, quota: QUOTAS[name], remaining: Math.max(0, QUOTAS[name] - position), resetSeconds };
}

function isOver({ name, position }: CounterPosition): boolean {
  return position > QUOTAS[name];
}
