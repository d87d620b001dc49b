import { DomainError, instantOf, MANAGERS, type Role } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { normalizeEmail } from '../domain/account.js';
import { INVITATION_DAYS } from '../domain/invitation.js';
import { problemsOfEmail, problemsOfName } from '../domain/problems.js';
import type { Invitation } from '../domain/workspace.js';
import { InvitationTable } from '../store/account-tables.js';
import { MembershipTable } from '../store/tables.js';
import { toInvitation } from '../store/to-invitation.js';
import { requireRecentPassword } from './require-recent-password.js';
import { takeBackOpen } from './revoke-invitation.js';

export interface InviteMember {
  /** Made by the caller together with the link's secret, which never comes here. */
  id: string;
  secretHash: string;
  name: string;
  email: string;
  /** Null where none was chosen. */
  role: Role | null;
}

const TAKEN = 'Someone with this address is a member already.';
const INCOMPLETE = 'A member has a name, an e-mail address and a role.';

/**
 * Holds a place for somebody, which they take with a link. A member who cannot sign in yet is given their sign-in this
 * way. Whoever is invited again gets a new link, and the one before opens nothing any more.
 */
export const inviteMember = defineCommand(
  'member.invite',
  MANAGERS,
  async (tx, input: InviteMember): Promise<Invitation> => {
    const { actor } = tx.origin;
    const { workspaceId } = tx;
    const email = normalizeEmail(input.email);
    const member = await tx.em.findOne(MembershipTable, { workspaceId, email, leftAt: null });
    const role = member?.role ?? input.role;
    const isTaken = member !== null && member.accountId !== null;
    const details = [
      ...problemsOfName('name', input.name),
      ...problemsOfEmail('email', email),
      ...(isTaken ? [{ path: 'email', code: 'taken' }] : []),
      ...(role === null ? [{ path: 'role', code: 'missing' }] : []),
    ];
    if (role === null || details.length > 0) {
      throw new DomainError('VALIDATION_FAILED', isTaken ? TAKEN : INCOMPLETE, { details });
    }
    if (role === 'admin') await requireRecentPassword(tx);
    await takeBackOpen(tx, { email });
    const { id, secretHash } = input;
    const invitation = tx.em.create(InvitationTable, {
      ...{ id, workspaceId, email, secretHash },
      membershipId: member?.id ?? null,
      name: member?.name ?? input.name.trim(),
      role,
      invitedBy: actor.kind === 'person' ? actor.principalId : null,
      expiresAt: instantOf(new Date(Date.parse(tx.now) + INVITATION_DAYS * 86_400_000)),
      acceptedAt: null,
      revokedAt: null,
      createdAt: tx.now,
    });
    tx.em.persist(invitation);
    const { name, membershipId } = invitation;
    tx.audit('member.invited', id, { name, email, role, membershipId });
    return toInvitation(invitation);
  },
);
