import { MANAGERS, notFound } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { requireAnotherAdmin } from '../domain/last-admin.js';
import type { Member } from '../domain/workspace.js';
import { MembershipTable } from '../store/tables.js';
import { toMember } from '../store/to-member.js';
import { endAccess } from './end-access.js';
import { takeBackFor, takeBackOf } from './revoke-invitation.js';

/** Someone leaves the workspace, and with them, for ever, the keys and connections that act for them (public-api.md §5). */
export const removeMember = defineCommand(
  'member.remove',
  { ...MANAGERS, own: ({ id }: { id: string }) => id },
  async (tx, { id }: { id: string }): Promise<Member> => {
    const { workspaceId } = tx;
    const members = await tx.em.find(MembershipTable, { workspaceId, leftAt: null });
    const member = members.find((each) => each.id === id);
    if (!member) throw notFound('The member');
    requireAnotherAdmin(members, id);
    Object.assign(member, { leftAt: tx.now, updatedAt: tx.now });
    tx.audit('member.left', id, { leftAt: { from: null, to: tx.now }, role: member.role });
    await endAccess(tx, id);
    await takeBackFor(tx, id);
    await takeBackOf(tx, id);
    return toMember(member);
  },
);
