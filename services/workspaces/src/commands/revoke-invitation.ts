import type { InferEntity } from '@mikro-orm/core';
import { DomainError, isId, MANAGERS, notFound } from '@payroll/kernel';
import { defineCommand, type CommandTransaction } from '@payroll/store';
import type { Invitation } from '../domain/workspace.js';
import { InvitationTable } from '../store/account-tables.js';
import { toInvitation } from '../store/to-invitation.js';

/** The link opens nothing any more. Who has taken the place already is a member, to be removed as one. */
export const revokeInvitation = defineCommand(
  'invitation.revoke',
  MANAGERS,
  async (tx, { id }: { id: string }): Promise<Invitation> => {
    const { workspaceId } = tx;
    const invitation = isId(id) ? await tx.em.findOne(InvitationTable, { workspaceId, id }) : null;
    if (!invitation) throw notFound('The invitation');
    if (invitation.acceptedAt !== null) {
      throw new DomainError('INVALID_STATE', 'The invitation was accepted already; remove the member instead.');
    }
    if (invitation.revokedAt === null) takeBack(tx, invitation);
    return toInvitation(invitation);
  },
);

/** No open link is left that gives the sign-in of a member who has it by now, or has left. */
export async function takeBackFor(tx: CommandTransaction, membershipId: string): Promise<void> {
  await takeBackOpen(tx, { membershipId });
}

/** No open link is left of somebody who may not invite any more: it was worth what they might do. */
export async function takeBackOf(tx: CommandTransaction, invitedBy: string): Promise<void> {
  await takeBackOpen(tx, { invitedBy });
}

/** Those that nobody has used; who is asked for by an address is invited anew. */
export async function takeBackOpen(
  tx: CommandTransaction,
  which: { membershipId: string } | { invitedBy: string } | { email: string },
): Promise<void> {
  const open = { workspaceId: tx.workspaceId, ...which, acceptedAt: null, revokedAt: null };
  for (const invitation of await tx.em.find(InvitationTable, open)) {
    if (invitation.revokedAt === null) takeBack(tx, invitation);
  }
}

function takeBack(tx: CommandTransaction, invitation: InferEntity<typeof InvitationTable>): void {
  invitation.revokedAt = tx.now;
  tx.audit('invitation.revoked', invitation.id, { revokedAt: { from: null, to: tx.now } });
}
