import { MANAGERS, notFound, type Role } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { requireAnotherAdmin } from '../domain/last-admin.js';
import type { Member } from '../domain/workspace.js';
import { MembershipTable } from '../store/tables.js';
import { toMember } from '../store/to-member.js';
import { requireRecentPassword } from './require-recent-password.js';
import { takeBackOf } from './revoke-invitation.js';

export interface ChangeMemberRole {
  id: string;
  role: Role;
}

/** Holds from the next request on, for whatever acts for this member: admission reads the role each time. */
export const changeMemberRole = defineCommand(
  'member.change-role',
  MANAGERS,
  async (tx, { id, role }: ChangeMemberRole): Promise<Member> => {
    await requireRecentPassword(tx);
    const { workspaceId } = tx;
    const members = await tx.em.find(MembershipTable, { workspaceId, leftAt: null });
    const member = members.find((each) => each.id === id);
    if (!member) throw notFound('The member');
    if (role !== 'admin') requireAnotherAdmin(members, id);
    const from = member.role;
    if (role !== from) {
      Object.assign(member, { role, updatedAt: tx.now });
      tx.audit('member.role-changed', member.id, { role: { from, to: role } });
      if (role !== 'admin') await takeBackOf(tx, id);
    }
    return toMember(member);
  },
);
