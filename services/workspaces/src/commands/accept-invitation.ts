import type { InferEntity } from '@mikro-orm/core';
import { DomainError, newId, notFound, NOBODY } from '@payroll/kernel';
import { defineCommand, type CommandTransaction } from '@payroll/store';
import { invitationOver, isOpen } from '../domain/invitation.js';
import { InvitationTable, AccountTable } from '../store/account-tables.js';
import { MembershipTable } from '../store/tables.js';
import { createAccount } from './create-account.js';
import { endAccess } from './end-access.js';

/** Who takes the place: somebody with an account, or a newcomer whose account is made for the invited address. */
export type Joining = { kind: 'account'; accountId: string } | { kind: 'newcomer'; name: string; passwordHash: string };

export interface AcceptInvitation {
  /** Of the link's secret. */
  secretHash: string;
  joining: Joining;
}

export interface Joined {
  accountId: string;
  membershipId: string;
}

/** The link is used up, and its holder is a member: a new one, or the one whose sign-in was waiting for them. */
export const acceptInvitation = defineCommand(
  'invitation.accept',
  { ...NOBODY, roles: [null] },
  async (tx, { secretHash, joining }: AcceptInvitation): Promise<Joined> => {
    const { workspaceId } = tx;
    const invitation = await tx.em.findOne(InvitationTable, { workspaceId, secretHash });
    if (!invitation || !isOpen(invitation, tx.now)) throw invitationOver();
    const account = await findOrCreateAccount(tx, invitation, joining);
    const membership = await findOrCreateMembership(tx, invitation, account);
    invitation.acceptedAt = tx.now;
    const { id, role } = membership;
    tx.audit('invitation.accepted', invitation.id, { account: account.id, member: id, role });
    return { accountId: account.id, membershipId: id };
  },
);

type Account = InferEntity<typeof AccountTable>;
type Invitation = InferEntity<typeof InvitationTable>;

async function findOrCreateAccount(tx: CommandTransaction, { email }: Invitation, joining: Joining): Promise<Account> {
  if (joining.kind === 'newcomer') return createAccount(tx, { email, ...joining });
  const account = await tx.em.findOne(AccountTable, { id: joining.accountId });
  if (!account) throw notFound('The account');
  return account;
}

async function findOrCreateMembership(
  tx: CommandTransaction,
  { membershipId, role, invitedBy }: Invitation,
  { id: accountId, name, email }: Account,
): Promise<InferEntity<typeof MembershipTable>> {
  const { workspaceId } = tx;
  const members = await tx.em.find(MembershipTable, { workspaceId, leftAt: null });
  const waiting = members.find(({ id }) => id === membershipId);
  if (membershipId !== null && waiting?.accountId !== null) throw invitationOver();
  // Their own address, or that of somebody else who is a member already.
  if (members.some((each) => each !== waiting && (each.accountId === accountId || each.email === email))) {
    throw new DomainError('INVALID_STATE', 'You are a member of this workspace already.');
  }
  if (waiting) {
    // An admin may hold the link they have made: whoever takes the place by it gets no keys that acted for somebody else.
    if (invitedBy !== null) await endAccess(tx, waiting.id);
    return Object.assign(waiting, { accountId, email, updatedAt: tx.now });
  }
  const times = { leftAt: null, createdAt: tx.now, updatedAt: tx.now };
  const member = tx.em.create(MembershipTable, { id: newId(), workspaceId, accountId, name, email, role, ...times });
  tx.em.persist(member);
  tx.audit('member.added', member.id, { name, email, role });
  return member;
}
