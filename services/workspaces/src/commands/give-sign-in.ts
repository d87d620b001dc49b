import { SYSTEM_ONLY, notFound } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { MembershipTable } from '../store/tables.js';
import { takeBackFor } from './revoke-invitation.js';

export interface GiveSignIn {
  membershipId: string;
  accountId: string;
}

/** A member who could not sign in does so from now on with this account. */
export const giveSignIn = defineCommand(
  'member.give-sign-in',
  SYSTEM_ONLY,
  async (tx, { membershipId, accountId }: GiveSignIn): Promise<void> => {
    const waiting = { workspaceId: tx.workspaceId, id: membershipId, accountId: null, leftAt: null };
    const member = await tx.em.findOne(MembershipTable, waiting);
    if (!member) throw notFound('A member who cannot sign in yet');
    Object.assign(member, { accountId, updatedAt: tx.now });
    await takeBackFor(tx, membershipId);
    tx.audit('member.given-sign-in', membershipId, { account: accountId });
  },
);
