import { DomainError, instantOf, refuseProblems, type Role } from '@payroll/kernel';
import { defineCommand, type CommandTransaction } from '@payroll/store';
import { normalizeEmail } from '../domain/account.js';
import { INVITATION_DAYS } from '../domain/invitation.js';
import { requireManager } from '../domain/permissions.js';
import { problemsOfEmail, problemsOfName } from '../domain/problems.js';
import type { Invitation } from '../domain/workspace.js';
import { InvitationTable } from '../store/account-tables.js';
import { MembershipTable } from '../store/tables.js';
import { toInvitation } from '../store/to-invitation.js';
import { takeBack } from './revoke-invitation.js';

export interface InviteMember {
  /** Made by the caller together with the link's secret, which never comes here. */
  id: string;
  secretHash: string;
  name: string;
  email: string;
  role: Role;
}

/**
 * Holds a place for somebody, which they take with a link. A member who cannot sign in yet is given their sign-in this
 * way. Whoever is invited again gets a new link, and the one before opens nothing any more.
 */
export const inviteMember = defineCommand('member.invite', async (tx, input: InviteMember): Promise<Invitation> => {
  requireManager(tx.origin.actor);
  const { workspaceId } = tx;
  const email = normalizeEmail(input.email);
  refuseProblems(
    [...problemsOfName('name', input.name), ...problemsOfEmail('email', email)],
    'A member has a name and an e-mail address.',
  );
  const member = await tx.em.findOne(MembershipTable, { workspaceId, email, leftAt: null });
  if (member && member.accountId !== null) {
    throw new DomainError('VALIDATION_FAILED', 'Someone with this address is a member already.', {
      details: [{ path: 'email', code: 'taken' }],
    });
  }
  await takeBackEarlier(tx, email);
  const { id, secretHash } = input;
  const invitation = tx.em.create(InvitationTable, {
    ...{ id, workspaceId, email, secretHash },
    membershipId: member?.id ?? null,
    name: member?.name ?? input.name.trim(),
    role: member?.role ?? input.role,
    expiresAt: instantOf(new Date(Date.parse(tx.now) + INVITATION_DAYS * 86_400_000)),
    acceptedAt: null,
    revokedAt: null,
    createdAt: tx.now,
  });
  tx.em.persist(invitation);
  const { name, role, membershipId } = invitation;
  tx.audit('member.invited', id, { name, email, role, membershipId });
  return toInvitation(invitation);
});

async function takeBackEarlier(tx: CommandTransaction, email: string): Promise<void> {
  const { workspaceId } = tx;
  const earlier = await tx.em.find(InvitationTable, { workspaceId, email, acceptedAt: null, revokedAt: null });
  for (const invitation of earlier) takeBack(tx, invitation);
}
