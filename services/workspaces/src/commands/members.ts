import { ADMINS_OR_INTERNAL, isId, newId, notFound, requireFound, throwIfInvalid, SYSTEM_ONLY } from '@payroll/kernel';
import { defineCommand, type CommandTransaction } from '@payroll/commands';
import { columns, sql, type TableRow } from '@payroll/store';
import { normalizeEmail } from '../domain/account.js';
import { type Member, toMember } from '../store/views.js';
import { requireAnotherAdmin, requireExpectedRole } from '../domain/member.js';
import { problemsOfEmail, problemsOfPersonName } from '../domain/workspace.js';
import { MembershipTable } from '../store/tables.js';
import { revokeAccess, requireRecentPassword, requireNoStanding } from './access.js';
import { revokeOpenInvitations } from './invitations.js';

type MemberRow = TableRow<typeof MembershipTable>;
type AddMember = Pick<MemberRow, 'name' | 'email' | 'role'>;

export const addMember = defineCommand('member.add', {
  who: ADMINS_OR_INTERNAL,
  decide: async (tx, input: AddMember) => {
    const { name, role } = input;
    const email = normalizeEmail(input.email);
    const isTaken = (await tx.find(MembershipTable, { email, leftAt: null })) !== null;
    throwIfInvalid(
      [
        ...problemsOfPersonName('name', name),
        ...problemsOfEmail('email', email),
        ...(isTaken ? [{ path: 'email', code: 'taken' }] : []),
      ],
      isTaken ? 'Someone with this address is a member already.' : 'A member needs a name and an email address.',
    );
    const member = tx.insert(MembershipTable, { id: newId(), name, email, role, accountId: null, leftAt: null });
    tx.audit('member.added', member.id, { name, email, role });
    return toMember(member);
  },
});

/** `expectedRole`: the role that the caller saw, if any. */
type ChangeRole = Pick<MemberRow, 'id' | 'role'> & { expectedRole?: MemberRow['role'] | null | undefined };

/** Applies from the next request of everything that acts for this member: admission reads the role each time. */
export const changeMemberRole = defineCommand('member.change-role', {
  who: { ...ADMINS_OR_INTERNAL, needsRecentPassword: true },
  decide: async (tx, { id, role, expectedRole }: ChangeRole): Promise<Member> => {
    await requireRecentPassword(tx);
    const member = await findMember(tx, id);
    if (role !== 'admin') requireAnotherAdmin(await adminsOf(tx), id);
    const from = member.role;
    if (role === from) return toMember(member);
    requireExpectedRole(member, expectedRole ?? from);
    const changed = tx.update(MembershipTable, member, { role, updatedAt: tx.now });
    tx.audit('member.role-changed', id, { name: member.name, role: { from, to: role } });
    if (role !== 'admin') await revokeOpenInvitations(tx, { invitedBy: id });
    return toMember(changed);
  },
});

/**
 * The member leaves the workspace, and the keys and connections that act for them are permanently revoked
 * (public-api.md §5).
 */
export const removeMember = defineCommand('member.remove', {
  who: { ...ADMINS_OR_INTERNAL, own: ({ id }: { id: string }) => id },
  decide: async (tx, { id }: { id: string }): Promise<Member> => {
    const member = await findMember(tx, id);
    requireAnotherAdmin(await adminsOf(tx), id);
    const left = tx.update(MembershipTable, member, { leftAt: tx.now, updatedAt: tx.now });
    tx.audit('member.left', id, { name: member.name, leftAt: { from: null, to: tx.now }, role: member.role });
    await revokeAccess(tx, id);
    await revokeOpenInvitations(tx, { membershipId: id });
    await revokeOpenInvitations(tx, { invitedBy: id });
    return toMember(left);
  },
});

/** @throws DomainError `NOT_FOUND` */
export async function findMember(tx: CommandTransaction, id: string): Promise<MemberRow> {
  return requireFound(isId(id) ? await tx.find(MembershipTable, { id, leftAt: null }) : null, 'The member');
}

/** Without those whose account is closed: their membership ends soon, by `closeDue`. */
async function adminsOf(tx: CommandTransaction) {
  return await tx.read(sql`select ${columns(MembershipTable, 'id', 'accountId')}
    from membership left join account on account.id = membership.account_id
    where membership.workspace_id = ${tx.workspaceId} and membership.role = 'admin' and membership.left_at is null
      and account.closed_at is null`);
}

/** Links an account to a member who could not sign in. */
export const linkAccount = defineCommand('member.give-sign-in', {
  who: SYSTEM_ONLY,
  decide: async (tx, { membershipId, accountId }: Record<'membershipId' | 'accountId', string>): Promise<void> => {
    const member = await tx.find(MembershipTable, { id: membershipId, accountId: null, leftAt: null });
    if (!member) throw notFound('A member who cannot sign in yet');
    await requireNoStanding(tx, accountId, 'worker');
    tx.update(MembershipTable, member, { accountId, updatedAt: tx.now });
    await revokeOpenInvitations(tx, { membershipId });
    tx.audit('member.given-sign-in', membershipId, { account: accountId });
  },
});
