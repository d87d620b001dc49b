import type { EntityManager } from '@mikro-orm/postgresql';
import {
  daysAfter,
  DomainError,
  isMember,
  ADMINS_OR_INTERNAL,
  newId,
  DENY_ALL,
  requireFound,
  type Role,
} from '@payroll/kernel';
import { defineCommand, type CommandTransaction } from '@payroll/commands';
import { computed, sql, type Sql, type TableRow, write } from '@payroll/store';
import { normalizeEmail } from '../domain/account.js';
import { PAGE_WAITS_MS } from '../mail/mailer.js';
import { type Invitation, toInvitation } from '../store/views.js';
import { INVITATION_DAYS, invitationOver, isOpen } from '../domain/member.js';
import { problemsOfEmail, problemsOfPersonName } from '../domain/workspace.js';
import { type AccountTable, InvitationTable } from '../store/account-tables.js';
import { MembershipTable } from '../store/tables.js';
import { revokeAccess, requireRecentPassword, joinAsWorker, requireNoStanding, standingsOf } from './access.js';
import { createAccount, findAccount, markAddressVerified } from './accounts.js';

type InvitationRow = TableRow<typeof InvitationTable>;

/**
 * The caller creates the id and the link's secret, of which only the hash gets here; the role is null if none was
 * chosen.
 */
type InviteMember = Pick<InvitationRow, 'id' | 'secretHash' | 'name' | 'email'> & {
  role: Role | null;
  isMailed?: boolean;
};

const TAKEN = 'Someone with this address is a member already.';
const OF_WORKER = 'A worker of this workspace has this address, and cannot be a member too.';
const INCOMPLETE = 'A member needs a name, an email address and a role.';

/**
 * Invites a person, or lets an existing member without an account sign in. Whoever has the link can accept. Revokes
 * open invitations for the address. Returns the invitation of the first click, if it was mailed a moment ago.
 */
export const inviteMember = defineCommand('member.invite', {
  who: { ...ADMINS_OR_INTERNAL, needsRecentPassword: true },
  decide: async (tx, { id, secretHash, isMailed = false, ...input }: InviteMember): Promise<Invitation> => {
    const { origin } = tx;
    const email = normalizeEmail(input.email);
    const member = await tx.find(MembershipTable, { email, leftAt: null });
    const isTaken = member !== null && member.accountId !== null;
    const isWorker =
      (await standingsOf(tx, sql`${email}`)).includes('worker') ||
      (await openInvitationsTo(tx, email)).some(({ workerId }) => workerId !== null);
    const role = roleOf({ name: input.name, email, role: member?.role ?? input.role, isTaken, isWorker });
    await requireRecentPassword(tx);
    const held = { membershipId: member?.id ?? null, name: member?.name ?? input.name.trim(), role };
    const sent = isMailed && (await findJustMailed(tx, { email, ...held, workerId: null }));
    if (sent) return toInvitation(sent);
    if (isMailed) await requireFewMails(tx, email, 'Try again tomorrow, or share the link yourself.');
    await revokeOpenInvitations(tx, { email });
    const invitation = tx.insert(InvitationTable, {
      id,
      email,
      secretHash,
      isMailed,
      ...held,
      workerId: null,
      expiresAt: daysAfter(tx.now, INVITATION_DAYS),
      acceptedAt: null,
      revokedAt: null,
      invitedBy: isMember(origin.actor) ? origin.actor.principalId : null,
    });
    tx.audit('member.invited', id, { ...held, email });
    return toInvitation(invitation);
  },
});

type JustMailed = Pick<InvitationRow, 'email' | 'name' | 'role' | 'membershipId' | 'workerId'>;

/** The same invitation, while its page may still wait for the mail server: then it was sent by a double click. */
export async function findJustMailed(tx: CommandTransaction, which: JustMailed): Promise<InvitationRow | null> {
  const open = await tx.all(InvitationTable, { ...which, isMailed: true, acceptedAt: null, revokedAt: null });
  return open.find(({ createdAt }) => Date.parse(tx.now) - Date.parse(createdAt) < PAGE_WAITS_MS) ?? null;
}

/**
 * Mailed invitations of a workspace per day: to one address, by one admin, in all. Those of other workspaces do not
 * count: they could lock the address. Nor do links passed on by hand.
 */
const MAILS_A_DAY = { address: 5, sender: 100, workspace: 200 };

/** The mail server has refused the mail, so it does not count: an outage would lock the address for a day. */
export async function forgetMail(em: EntityManager, id: string): Promise<void> {
  await write(em, sql`update invitation set is_mailed = false where id = ${id}`);
}

/** @throws DomainError `RATE_LIMITED` that ends with the advice */
export async function requireFewMails(tx: CommandTransaction, email: string, advice: string): Promise<void> {
  const { workspaceId, origin } = tx;
  const counted = (which: Sql) => sql`count(*) filter (where ${which})`;
  const [sent] = await tx.read(sql`
    select ${computed('address', 'int', counted(sql`email = ${email}`))}, ${computed('sender', 'int', counted(sql`invited_by = ${origin.actor.principalId}`))},
      ${computed('workspace', 'int', sql`count(*)`)}
    from invitation
    where workspace_id = ${workspaceId} and is_mailed and created_at > ${tx.now}::timestamptz - interval '1 day'`);
  const isOver = (['address', 'sender', 'workspace'] as const).some((each) => sent![each] >= MAILS_A_DAY[each]);
  if (!isOver) return;
  const message = `Too many invitations were mailed within a day. ${advice}`;
  throw new DomainError('RATE_LIMITED', message, { retryAfterSeconds: 86_400 });
}

interface Invited {
  name: string;
  email: string;
  role: Role | null;
  /** Whether the person is already a member who can sign in. */
  isTaken: boolean;
  /** Whether a worker signs in here with the address, or is invited to: joining would be refused. */
  isWorker: boolean;
}

/** @throws DomainError `VALIDATION_FAILED` that lists all problems at once */
function roleOf({ name, email, role, isTaken, isWorker }: Invited): Role {
  const details = [
    ...problemsOfPersonName('name', name),
    ...problemsOfEmail('email', email),
    ...(isTaken ? [{ path: 'email', code: 'taken' }] : []),
    ...(isWorker ? [{ path: 'email', code: 'worker' }] : []),
    ...(role === null ? [{ path: 'role', code: 'missing' }] : []),
  ];
  if (role !== null && details.length === 0) return role;
  const message = isTaken ? TAKEN : isWorker ? OF_WORKER : INCOMPLETE;
  throw new DomainError('VALIDATION_FAILED', message, { details });
}

export const revokeInvitation = defineCommand('invitation.revoke', {
  who: ADMINS_OR_INTERNAL,
  decide: async (tx, { id }: { id: string }) => {
    const invitation = requireFound(await tx.lock(InvitationTable, id), 'The invitation');
    if (invitation.acceptedAt !== null) {
      const next = invitation.workerId === null ? 'remove the member' : 'end the access';
      throw new DomainError('INVALID_STATE', `The invitation has already been accepted; ${next} instead.`);
    }
    return toInvitation(invitation.revokedAt === null ? takeBack(tx, invitation) : invitation);
  },
});

/** The invitations that can still be accepted with a link mailed to this address. */
export async function openInvitationsTo(tx: CommandTransaction, email: string): Promise<InvitationRow[]> {
  const all = await tx.all(InvitationTable, { email, acceptedAt: null, revokedAt: null });
  return all.filter((each) => isOpen(each, tx.now));
}

/** Revokes the open invitations for an address, for a member's sign-in, or of an admin who may no longer invite. */
export async function revokeOpenInvitations(
  tx: CommandTransaction,
  which: { email: string } | { membershipId: string } | { workerId: string } | { invitedBy: string },
): Promise<void> {
  const open = { ...which, acceptedAt: null, revokedAt: null };
  for (const invitation of await tx.all(InvitationTable, open)) takeBack(tx, invitation);
}

function takeBack(tx: CommandTransaction, invitation: InvitationRow): InvitationRow {
  tx.audit('invitation.revoked', invitation.id, { email: invitation.email, revokedAt: { from: null, to: tx.now } });
  return tx.update(InvitationTable, invitation, { revokedAt: tx.now });
}

/** How the invited person joins: with an existing account, or with a new one for the invited address. */
export type Joining = { kind: 'account'; accountId: string } | { kind: 'newcomer'; name: string; passwordHash: string };

type AcceptInvitation = Pick<InvitationRow, 'secretHash'> & { joining: Joining };
/** Uses up the link and makes its holder a worker or a member: a new one, or the one that it gives a sign-in. */
export const acceptInvitation = defineCommand('invitation.accept', {
  who: { ...DENY_ALL, roles: [null] },
  decide: async (tx, { secretHash, joining }: AcceptInvitation) => {
    const invitation = await tx.find(InvitationTable, { secretHash });
    if (!invitation || !isOpen(invitation, tx.now)) throw invitationOver();
    const account = await findOrCreateAccount(tx, invitation, joining);
    if (invitation.isMailed && invitation.email === account.email) markAddressVerified(tx, account);
    const { id: accountId, updatedAt } = account;
    if (invitation.workerId !== null) {
      await joinAsWorker(tx, invitation.workerId, accountId);
      tx.update(InvitationTable, invitation, { acceptedAt: tx.now });
      return { accountId, updatedAt };
    }
    const { id: membershipId, role, name } = await findOrCreateMembership(tx, invitation, account);
    tx.update(InvitationTable, invitation, { acceptedAt: tx.now, membershipId });
    tx.audit('invitation.accepted', invitation.id, { account: accountId, member: membershipId, name, role });
    return { accountId, updatedAt };
  },
});

async function findOrCreateAccount(tx: CommandTransaction, { email }: InvitationRow, joining: Joining) {
  if (joining.kind === 'newcomer') return createAccount(tx, { email, ...joining });
  return await findAccount(tx, joining.accountId);
}

async function findOrCreateMembership(
  tx: CommandTransaction,
  { membershipId, role, invitedBy }: InvitationRow,
  { id: accountId, name, email }: TableRow<typeof AccountTable>,
): Promise<TableRow<typeof MembershipTable>> {
  if (role === null) throw new TypeError('An invitation for a worker makes no member.');
  await requireNoStanding(tx, accountId, 'worker');
  const members = await tx.all(MembershipTable, { leftAt: null });
  const waiting = members.find(({ id }) => id === membershipId);
  if (membershipId !== null && waiting?.accountId !== null) throw invitationOver();
  // Refuses a holder who is already a member, or whose address belongs to another member.
  if (members.some((each) => each !== waiting && (each.accountId === accountId || each.email === email))) {
    throw new DomainError('INVALID_STATE', 'You are a member of this workspace already.');
  }
  if (waiting) {
    // The inviting admin may hold the link too: revoke keys that acted for the member, so that whoever accepts does
    // not get them.
    if (invitedBy !== null) await revokeAccess(tx, waiting.id);
    return tx.update(MembershipTable, waiting, { accountId, email, updatedAt: tx.now });
  }
  const member = tx.insert(MembershipTable, { id: newId(), accountId, name, email, role, leftAt: null });
  tx.audit('member.added', member.id, { name, email, role });
  return member;
}
