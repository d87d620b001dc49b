import { DomainError, notFound, requireInternal, type Role } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import type { Member } from '../domain/workspace.js';
import { MembershipTable } from '../store/tables.js';

export interface ChangeMemberRole {
  id: string;
  role: Role;
}

/** Holds from the next request on, for whatever acts for this member: admission reads the role each time. */
export const changeMemberRole = defineCommand(
  'member.change-role',
  async (tx, input: ChangeMemberRole): Promise<Member> => {
    requireInternal(tx.origin.actor);
    const { workspaceId } = tx;
    const members = await tx.em.find(MembershipTable, { workspaceId, leftAt: null });
    const member = members.find(({ id }) => id === input.id);
    if (!member) throw notFound('The member');
    const admins = members.filter(({ role }) => role === 'admin');
    if (input.role !== 'admin' && admins.length === 1 && admins[0] === member) {
      throw new DomainError('INVALID_STATE', 'This is the last admin; make someone else an admin first.');
    }
    const from = member.role;
    member.role = input.role;
    member.updatedAt = tx.now;
    tx.audit('member.role-changed', member.id, { role: { from, to: input.role } });
    return { id: member.id, name: member.name, email: member.email, role: member.role };
  },
);
