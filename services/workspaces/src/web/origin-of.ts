import type { Origin } from '@payroll/kernel';
import type { SignedIn } from '../accounts/sessions.js';
import { personIn, requireFactorOfAdmins } from '../domain/member.js';
import type { OwnMembership } from '../queries/members.js';
import type { OwnExchange } from './exchange.js';

/** The origin of a signed-in person in one of their workspaces. @throws DomainError `INSUFFICIENT_SCOPE` for an admin without a required second factor */
export function originOf(membership: OwnMembership, signedIn: SignedIn, { request }: OwnExchange): Origin {
  requireFactorOfAdmins(membership);
  return {
    actor: personIn(membership, { ...signedIn, email: signedIn.account.email }),
    via: 'web',
    requestId: request.id,
  };
}
