import { newEvent } from '@payroll/events';
import {
  daysAfter,
  DomainError,
  isMember,
  ADMINS_OR_INTERNAL,
  requireFound,
  throwIfInvalid,
  requireWorker,
  SYSTEM_ONLY,
  WORKER_ONLY,
} from '@payroll/kernel';
import { defineCommand, type CommandTransaction } from '@payroll/commands';
import { sql, type TableRow } from '@payroll/store';
import { normalizeEmail } from '../domain/account.js';
import { INVITATION_DAYS } from '../domain/member.js';
import { tellAccount } from '../mail/outbox.js';
import { InvitationTable, WorkerAccessTable } from '../store/account-tables.js';
import { requireRecentPassword, joinAsWorker, standingsOf } from './access.js';
import { createAccount, type NewAccount } from './accounts.js';
import { findJustMailed, openInvitationsTo, requireFewMails, revokeOpenInvitations } from './invitations.js';

/** Name and address are those that contracts has of the worker. The link's secret is mailed; only its hash gets here. */
interface InviteWorker {
  id: string;
  secretHash: string;
  workerId: string;
  name: string;
  email: string;
}

/**
 * Invites a worker to sign in, always by mail: with a link passed on by hand, an admin could sign in the worker's place.
 * Revokes an open invitation of the worker, never one of another person with the address: its link would end without a word. Returns the id of the first click's invitation, if it was
 * mailed a moment ago.
 */
export const inviteWorker = defineCommand('worker-access.invite', {
  who: { ...ADMINS_OR_INTERNAL, needsRecentPassword: true },
  decide: async (tx, { workerId, name, email: address, ...link }: InviteWorker): Promise<{ id: string }> => {
    const { origin } = tx;
    const email = normalizeEmail(address);
    await requireNoAccess(tx, workerId);
    await requireRecentPassword(tx);
    const [standing] = await standingsOf(tx, sql`${email}`);
    throwIfInvalid(standing ? [{ path: 'email', code: standing }] : [], `A ${standing} has this address already.`);
    const sent = await findJustMailed(tx, { email, name, workerId, role: null, membershipId: null });
    if (sent) return { id: sent.id };
    await requireFewMails(tx, email, 'Try again tomorrow.');
    const isInvited = (await openInvitationsTo(tx, email)).some((each) => each.workerId !== workerId);
    throwIfInvalid(
      isInvited ? [{ path: 'email', code: 'invited' }] : [],
      'Another person is invited with this address.',
    );
    await revokeOpenInvitations(tx, { workerId });
    tx.insert(InvitationTable, {
      ...link,
      workerId,
      name,
      email,
      role: null,
      membershipId: null,
      isMailed: true,
      invitedBy: isMember(origin.actor) ? origin.actor.principalId : null,
      expiresAt: daysAfter(tx.now, INVITATION_DAYS),
      acceptedAt: null,
      revokedAt: null,
    });
    tx.audit('worker-access.invited', workerId, { email });
    return { id: link.id };
  },
});

/** @throws DomainError `VALIDATION_FAILED` */
async function requireNoAccess(tx: CommandTransaction, workerId: string): Promise<void> {
  const hasJoined = (await tx.find(WorkerAccessTable, { workerId, endedAt: null })) !== null;
  throwIfInvalid(hasJoined ? [{ path: 'workerId', code: 'joined' }] : [], 'The worker signs in already.');
}

/** `hasSigned`: whether contracts has a signature of the worker. `reason`: required of internal teams. */
interface EndAccess {
  workerId: string;
  hasSigned: boolean;
  reason: string | null;
}

/**
 * Until the worker has signed something, an admin can end the access. Afterwards it is the worker's way to their own
 * contracts and payments: only the worker ends it, or an internal team with a reason.
 */
export const endWorkerAccess = defineCommand('worker-access.end', {
  who: { ...ADMINS_OR_INTERNAL, needsRecentPassword: true },
  decide: async (tx, { workerId, hasSigned, reason }: EndAccess): Promise<void> => {
    const access = requireFound(await tx.find(WorkerAccessTable, { workerId, endedAt: null }), 'A worker who signs in');
    if (isMember(tx.origin.actor)) {
      if (hasSigned) throw new DomainError('INVALID_STATE', SIGNED);
    } else {
      throwIfInvalid(reason?.trim() ? [] : [{ path: 'reason', code: 'required' }], 'Say why the access ends.');
    }
    end(tx, access, { reason: reason?.trim() ?? null });
    if (!isMember(tx.origin.actor)) tellPayments(tx, access);
  },
});

const SIGNED =
  'The worker has signed with this access, which stays their way to what they signed and are paid. Only they can end it.';

/** A worker leaves. Contracts and payments stay as they are. */
export const leaveAsWorker = defineCommand('worker-access.leave', {
  who: { ...WORKER_ONLY, needsRecentPassword: true },
  decide: async (tx): Promise<void> => {
    const { principalId: id } = requireWorker(tx.origin.actor);
    const access = requireFound(await tx.find(WorkerAccessTable, { id, endedAt: null }), 'Your access');
    end(tx, access);
  },
});

/** The worker has closed their account. Details that they entered stay as they are: payments that they are owed are made. */
export const endClosedAccess = defineCommand('worker-access.end-closed', {
  who: SYSTEM_ONLY,
  decide: async (tx, { id }: { id: string }): Promise<void> => {
    const access = requireFound(await tx.find(WorkerAccessTable, { id, endedAt: null }), 'The access');
    end(tx, access);
  },
});

/** For operators: gives a worker their sign-in without an invitation, with a new account or one that is there. */
export const giveWorkerAccess = defineCommand('worker-access.give', {
  who: SYSTEM_ONLY,
  decide: async (tx, { workerId, ...whose }: { workerId: string } & (NewAccount | { accountId: string })) => {
    await requireNoAccess(tx, workerId);
    await joinAsWorker(tx, workerId, 'accountId' in whose ? whose.accountId : createAccount(tx, whose).id);
  },
});

type Access = TableRow<typeof WorkerAccessTable>;

/** Another person may have used the access, so payout details that were entered with it have to be verified again. */
function tellPayments(tx: CommandTransaction, { id: accessId, workerId }: Access): void {
  tx.emit(newEvent('worker-access.ended', workerId, { accessId, workerId }));
}

function end(tx: CommandTransaction, access: Access, more: object = {}): void {
  const { id, workerId, accountId } = access;
  tx.update(WorkerAccessTable, access, { endedAt: tx.now });
  tx.audit('worker-access.ended', workerId, { access: id, ...more });
  const about = { kind: 'access_ended', aboutId: tx.workspaceId } as const;
  tx.write(tellAccount({ sourceId: tx.operationId, accountId, ...about }));
}
