import type { Origin } from '@payroll/kernel';
import type { SignedIn } from '../accounts/sessions.js';
import { personIn } from '../domain/member.js';
import type { OwnMembership } from '../queries/members.js';
import type { OwnExchange } from './exchange.js';

/** The origin of a signed-in person in one of their workspaces. */
export function originOf(membership: OwnMembership, signedIn: SignedIn, { request }: OwnExchange): Origin {
  return {
    actor: personIn(membership, { ...signedIn, email: signedIn.account.email }),
    via: 'web',
    requestId: request.id,
  };
}
