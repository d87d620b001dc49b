import {
  newId,
  DENY_ALL,
  type Instant,
  notFound,
  requireFound,
  passwordNotRecent,
  throwIfInvalid,
  SYSTEM_ONLY,
  isMember,
  isSignedIn,
  hoursAfter,
} from '@payroll/kernel';
import { defineCommand, type CommandTransaction } from '@payroll/commands';
import { sql, type TableRow, rawSql } from '@payroll/store';
import { unknownPassword } from '../accounts/passwords.js';
import { endOpenResets } from '../accounts/links.js';
import { RECENT_PASSWORD_WINDOW } from '../accounts/sessions.js';
import { type ReadAccount, CLOSING_DAYS, requireOtherAdmins } from '../domain/account.js';
import { problemsOfPersonName } from '../domain/workspace.js';
import { tellAccount } from '../mail/outbox.js';
import { AccountTable, PasswordResetTable } from '../store/account-tables.js';
import { withoutOtherAdmin } from '../queries/members.js';

type Account = TableRow<typeof AccountTable>;
export type NewAccount = Pick<Account, 'email' | 'name' | 'passwordHash'>;

/** The (normalized) address is not verified, so others can have accounts with it too (ADR 19). */
export function createAccount(tx: CommandTransaction, { email, name, passwordHash }: NewAccount): Account {
  throwIfInvalid(problemsOfPersonName('name', name), 'name must be text of 1 to 200 characters.');
  const id = newId();
  const account = tx.insert(AccountTable, {
    id,
    email,
    name: name.trim(),
    passwordHash,
    emailVerifiedAt: null,
    closesAt: null,
    closedAt: null,
  });
  tx.audit('account.created', id, { email, name });
  return account;
}

export interface Own {
  accountId: string;
}

/** People, about their own account. */
export const OWNER = { ...DENY_ALL, own: ({ accountId }: Own) => accountId } as const;

type ChangePassword = Own & { passwordHash: string };

/** Afterwards only API keys still act for the account; creating one requires a password. */
export const signOutEverywhere = defineCommand('account.sign-out-everywhere', {
  who: OWNER,
  decide: (tx, { accountId }: Own): void => {
    endSignIns(tx, accountId);
    tx.audit('account.signed-out-everywhere', accountId, {});
  },
});

/**
 * Signs the account out everywhere. `asRead`: the account when the form was read. Returns it as a new session has to find it.
 * @throws DomainError `INSUFFICIENT_SCOPE` if it has changed since: it may have a second factor, whose code was not given
 */
export const changePassword = defineCommand('account.change-password', {
  who: OWNER,
  decide: async (tx, { asRead, ...input }: ChangePassword & { asRead: Instant }): Promise<ReadAccount> => {
    await requireOpenSession(tx, input);
    if ((await findAccount(tx, input.accountId)).updatedAt !== asRead) throw passwordNotRecent();
    const { updatedAt } = await replacePassword(tx, input);
    tx.audit('account.password-changed', input.accountId, {});
    return { accountId: input.accountId, updatedAt };
  },
});

type ResetPassword = ChangePassword & { secretHash: string };

/** Uses a link that was sent to the account's address, which verifies the address. */
export const resetPassword = defineCommand('account.reset-password', {
  who: OWNER,
  decide: async (tx, { secretHash, ...input }: ResetPassword): Promise<void> => {
    const { accountId } = input;
    const reset = await tx.findAnywhere(PasswordResetTable, { secretHash, accountId });
    if (!reset || reset.expiresAt <= tx.now) throw notFound('The link');
    const account = await replacePassword(tx, input);
    markAddressVerified(tx, account);
    tx.audit('account.password-reset', accountId, {});
  },
});

/**
 * Marks the address as verified, since a person has read its mail. Of several accounts with one address, one can be
 * verified (ADR 19).
 */
export function markAddressVerified(tx: CommandTransaction, { id, email }: Account): void {
  tx.write(sql`update account set email_verified_at = ${tx.now}
    where id = ${id} and not exists (select from account where email = ${email} and email_verified_at is not null)`);
}

type SetPassword = NewAccount & { accountId: string | null };

/** For operators: members who forgot their password, or who have no account yet. */
export const setAccountPassword = defineCommand('account.set-password', {
  who: SYSTEM_ONLY,
  decide: async (tx, { accountId, ...input }: SetPassword): Promise<{ accountId: string }> => {
    if (accountId === null) return { accountId: createAccount(tx, input).id };
    await replacePassword(tx, { accountId, ...input });
    tx.audit('account.password-set', accountId, {});
    return { accountId };
  },
});

async function replacePassword(tx: CommandTransaction, { accountId, passwordHash }: ChangePassword): Promise<Account> {
  const account = await findAccount(tx, accountId);
  tx.write(tellAccount({ sourceId: tx.operationId, accountId, kind: 'password_changed' }));
  return endPassword(tx, account, passwordHash);
}

/** Signs the account out everywhere; its owner has to set a new password with a mailed link. */
export async function removePassword(tx: CommandTransaction, accountId: string): Promise<void> {
  const account = await findAccount(tx, accountId);
  tx.write(tellAccount({ sourceId: tx.operationId, accountId, kind: 'password_removed' }));
  endPassword(tx, account, unknownPassword());
}

function endPassword(tx: CommandTransaction, account: Account, passwordHash: string): Account {
  const { id: accountId } = account;
  endSignIns(tx, accountId);
  // A link mailed before would undo the change.
  tx.write(endOpenResets(accountId, tx.now));
  return tx.update(AccountTable, account, { passwordHash, updatedAt: tx.now });
}

/** @throws DomainError `NOT_FOUND`, also for a closed account */
export async function findAccount(tx: CommandTransaction, id: string): Promise<Account> {
  return requireFound(await tx.findAnywhere(AccountTable, { id, closedAt: null }), 'The account');
}

/**
 * A new password or signing out everywhere may have ended the session since the request was admitted, also while the
 * passwords of this form were hashed, and a new second factor its recent proof. Without a session it is the holder of a
 * mailed link.
 * @throws DomainError `INSUFFICIENT_SCOPE`, which leads to the sign-in page
 */
export async function requireOpenSession(tx: CommandTransaction, { accountId }: { accountId: string }): Promise<void> {
  const { actor } = tx.origin;
  if (!isSignedIn(actor) || actor.sessionId === null) return;
  // Before its sessions, in every command: two that lock both would wait for each other.
  tx.write(sql`select from account where id = ${accountId} for no key update`);
  const recent = sql`authenticated_at > clock_timestamp() - ${RECENT_PASSWORD_WINDOW}::interval`;
  const open = await tx.read(sql`select from session
    where id = ${actor.sessionId} and account_id = ${accountId} ${actor.hasRecentPassword ? sql`and ${recent}` : sql``}
    for key share`);
  if (open.length === 0) throw passwordNotRecent();
}

/** Another person may have requested the change of address that such a link makes. */
export function endOpenAddressLinks(tx: CommandTransaction, accountId: string): void {
  tx.write(sql`update address_change set expires_at = ${tx.now}
    where account_id = ${accountId} and changed_at is null and expires_at > ${tx.now}`);
}

/**
 * Deletes every session and distrusts every browser, then revokes every assistant's connection, in all workspaces. The
 * order matters: deleting a session waits for a command that is giving access (`requireRecentPassword`), and the result
 * is then revoked too. The account is changed first: a session that is beginning (`Sessions.begin`) is either found here
 * or finds it changed.
 */
export function endSignIns(tx: CommandTransaction, accountId: string): void {
  const { actor, via, requestId } = tx.origin;
  const by = isMember(actor) ? sql`membership_id` : sql`${actor.principalId}::uuid`;
  tx.write(sql`update account set updated_at = ${tx.now} where id = ${accountId}`);
  tx.write(sql`delete from session where account_id = ${accountId}`);
  endOpenAddressLinks(tx, accountId);
  tx.write(sql`update known_device set factor_trusted_until = ${tx.now}
    where account_id = ${accountId} and factor_trusted_until > ${tx.now}`);
  tx.write(sql`
    with ended as (
      update mcp_connection c set revoked_at = ${tx.now} from membership m
      where m.account_id = ${accountId} and m.workspace_id = c.workspace_id and m.id = c.membership_id
        and c.revoked_at is null
      returning c.id, c.workspace_id, c.membership_id, c.grant_id, c.client_id
    ), withdrawn as (
      delete from oauth_artifact where grant_id in (select grant_id from ended)
    )
    insert into audit_entry
      (id, workspace_id, at, actor_kind, principal_id, via, request_id, action, subject_id, change)
    select gen_random_uuid(), workspace_id, ${tx.now}, ${actor.kind}, ${by}, ${via}, ${requestId},
      'mcp-connection.revoked', ended.id,
      jsonb_build_object('name', k.name, 'revokedAt', jsonb_build_object('from', null, 'to', ${tx.now}::text))
    from ended join mcp_client k using (workspace_id) where k.id = ended.client_id`);
}

export const requestClosing = defineCommand('account.request-closing', {
  who: { ...OWNER, needsRecentPassword: true },
  decide: async (tx, { accountId }: Own): Promise<void> => {
    await requireOpenSession(tx, { accountId });
    const account = await findAccount(tx, accountId);
    if (account.closesAt !== null) return;
    requireOtherAdmins((await tx.read(withoutOtherAdmin(accountId))).map(({ name }) => name));
    tx.update(AccountTable, account, { closesAt: hoursAfter(tx.now, CLOSING_DAYS * 24) });
    tx.write(tellAccount({ sourceId: tx.operationId, accountId, kind: 'closing_requested' }));
    tx.audit('account.closing-requested', accountId, {});
  },
});

/** Stops the closing: from the account's page, or with the mailed link. */
export const keepAccount = defineCommand('account.keep', {
  who: OWNER,
  decide: async (tx, { accountId }: Own): Promise<void> => {
    const account = await findAccount(tx, accountId);
    if (account.closesAt === null) throw notFound('The closing');
    endClosing(tx, accountId);
    tx.audit('account.kept', accountId, {});
  },
});

/** Tables of the person alone. Sessions and connections end with the sign-ins. */
const PERSONAL = [
  'second_factor',
  'recovery_code',
  'known_device',
  'password_reset',
  'address_change',
  'stop_link',
  'mail_choice',
];

/**
 * Takes the person out of the account, if it is due; the id stays, because the trail names it. For a person who has become
 * the only admin of a workspace meanwhile, the closing is called off.
 */
export const closeAccount = defineCommand('account.close', {
  who: SYSTEM_ONLY,
  decide: async (tx, { accountId, passwordHash }: ChangePassword): Promise<void> => {
    const [due] = await tx.read(sql`select from account
      where id = ${accountId} and closes_at <= clock_timestamp() and closed_at is null`);
    if (!due) return;
    // No other admin is lowered or leaves meanwhile.
    tx.holdWorkspaces(sql`select workspace_id from membership
      where account_id = ${accountId} and role = 'admin' and left_at is null`);
    if ((await tx.read(withoutOtherAdmin(accountId))).length > 0) {
      endClosing(tx, accountId);
      tx.write(tellAccount({ sourceId: tx.operationId, accountId, kind: 'closing_called_off' }));
      return tx.audit('account.closing-called-off', accountId, {});
    }
    endSignIns(tx, accountId);
    for (const table of PERSONAL) tx.write(sql`delete from ${rawSql(table)} where account_id = ${accountId}`);
    // The id as its address: it is unique, and no mail can be sent to it.
    tx.write(sql`update account set email = id::text, email_verified_at = null, name = 'Closed account',
      password_hash = ${passwordHash}, updated_at = ${tx.now}, closed_at = ${tx.now} where id = ${accountId}`);
    tx.audit('account.closed', accountId, {});
  },
});

function endClosing(tx: CommandTransaction, accountId: string): void {
  tx.write(sql`update account set closes_at = null where id = ${accountId}`);
  tx.write(sql`delete from stop_link where about_id = ${accountId}`);
}
