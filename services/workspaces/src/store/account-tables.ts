import type { SavedForm } from '@payroll/pages';
import { defineEntity, p } from '@mikro-orm/core';
import { ROLES } from '@payroll/kernel';
import { instant } from '@payroll/store';

export const AccountTable = defineEntity({
  name: 'Account',
  tableName: 'account',
  properties: {
    id: p.uuid().primary(),
    email: p.text().comment('Normalized; what the person signs in with.'),
    emailVerifiedAt: instant()
      .strictNullable()
      .comment('When somebody opened a link that was sent to the address; null while nobody has.'),
    name: p.text(),
    passwordHash: p.text().comment('Argon2id, in the PHC string format, which says how it was made.'),
    createdAt: instant(),
    updatedAt: instant(),
    closesAt: instant().strictNullable().comment('From when it is closed, until its places in workspaces have ended.'),
    closedAt: instant().strictNullable().comment('Since then the row names nobody, and nobody can sign in.'),
  },
  indexes: [
    { name: 'account_of_email', properties: ['email'] },
    { name: 'account_closing', properties: ['closesAt'], where: 'closes_at is not null' },
  ],
  uniques: [{ name: 'account_email_verified', properties: ['email'], where: 'email_verified_at is not null' }],
});

/** The session of a signed-in browser. Its row is deleted at sign-out or expiry. */
export const SessionTable = defineEntity({
  name: 'Session',
  tableName: 'session',
  properties: {
    id: p.uuid().primary(),
    accountId: p.uuid(),
    proofHash: p
      .text()
      .comment('Of the hash of the cookie that travels to admission (ADR 08); only the browser has the cookie.'),
    userAgent: p.text(),
    createdAt: instant(),
    authenticatedAt: instant()
      .defaultRaw('now()')
      .comment(
        'When the password was last given in it, with the second factor where there is one; 1970 if the factor never was.',
      ),
    lastSeenAt: instant(),
    expiresAt: instant().comment('However much it is used.'),
    draft: p
      .json<SavedForm>()
      .strictNullable()
      .comment('What was typed into a form that could not be sent, until it is shown again.'),
  },
  indexes: [{ name: 'session_of_account', properties: ['accountId'] }],
  uniques: [{ name: 'session_proof', properties: ['proofHash'] }],
});

/** A browser that has signed in to the account: other people's wrong passwords do not lock it out. */
export const KnownDeviceTable = defineEntity({
  name: 'KnownDevice',
  tableName: 'known_device',
  properties: {
    secretHash: p.text().primary(),
    accountId: p.uuid(),
    lastUsedAt: instant(),
    factorTrustedUntil: instant()
      .strictNullable()
      .comment('Until when sign-in requires no code in it; null where none was given yet.'),
  },
  indexes: [{ name: 'known_device_of_account', properties: ['accountId'] }],
});

/** One-time codes by time (RFC 6238), required in addition to the password. */
export const SecondFactorTable = defineEntity({
  name: 'SecondFactor',
  tableName: 'second_factor',
  properties: {
    accountId: p.uuid().primary(),
    sealed: p.text().comment('The secret, sealed under SECOND_FACTOR_KEYS.'),
    lastStep: p.integer().comment('Of the last code that was used; no earlier one counts.'),
    setAt: instant(),
    resetAt: instant().strictNullable().comment('When it ends, because an operator was told that it is lost.'),
    stopHash: p.text().strictNullable().comment('Of the secret in the link that keeps it.'),
  },
  uniques: [{ name: 'second_factor_stop', properties: ['stopHash'] }],
});

/** For a lost second factor; deleted when used. */
export const RecoveryCodeTable = defineEntity({
  name: 'RecoveryCode',
  tableName: 'recovery_code',
  properties: { accountId: p.uuid().primary(), codeHash: p.text().primary() },
});

/** A link sent to the account's address, with which the password can be changed once. */
export const PasswordResetTable = defineEntity({
  name: 'PasswordReset',
  tableName: 'password_reset',
  properties: { secretHash: p.text().primary(), accountId: p.uuid(), expiresAt: instant() },
  indexes: [{ name: 'password_reset_of_account', properties: ['accountId'] }],
});

/** Another address for an account: requested, and made once a link that was mailed to it is used. */
export const AddressChangeTable = defineEntity({
  name: 'AddressChange',
  tableName: 'address_change',
  properties: {
    id: p.uuid().primary(),
    accountId: p.uuid(),
    email: p.text().comment('The new one, normalized.'),
    secretHash: p.text().comment('Of the link that was mailed to it.'),
    expiresAt: instant().comment('Of that link.'),
    createdAt: instant(),
    formerEmail: p.text().strictNullable().comment('The one that it replaced.'),
    changedAt: instant().strictNullable(),
    undoneAt: instant().strictNullable().comment('When the reader of a former address took the account back.'),
  },
  indexes: [{ name: 'address_change_of_account', properties: ['accountId', 'createdAt'] }],
  uniques: [{ name: 'address_change_secret', properties: ['secretHash'] }],
});

/** A mailed link that stops a change of an account. A mail that is sent twice has two, and both work. */
export const StopLinkTable = defineEntity({
  name: 'StopLink',
  tableName: 'stop_link',
  properties: {
    secretHash: p.text().primary(),
    accountId: p.uuid(),
    aboutId: p.uuid().comment('The change of address or of payout details, or the account that will be closed.'),
    createdAt: instant(),
  },
  indexes: [{ name: 'stop_link_of_account', properties: ['accountId'] }],
});

/** Wrong passwords per window. Unlogged: losing a window of counts in a crash does no harm. */
export const SignInCounterTable = defineEntity({
  name: 'SignInCounter',
  tableName: 'sign_in_counter',
  properties: {
    subject: p.text().primary().comment('What is counted for, hashed: people type passwords where addresses belong.'),
    windowStartedAt: instant(),
    used: p.integer(),
  },
});

/** A place in a workspace for a person, as a member or as one of its workers, who accepts it with a link. */
export const InvitationTable = defineEntity({
  name: 'Invitation',
  tableName: 'invitation',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid(),
    membershipId: p
      .uuid()
      .strictNullable()
      .comment('Whose sign-in it gives, where the membership is there already; once accepted, who took it.'),
    invitedBy: p.uuid().strictNullable().comment('The membership of the admin; null for internal teams.'),
    name: p.text(),
    email: p.text(),
    role: p.enum(ROLES).columnType('text').strictNullable().comment('Null for a worker.'),
    workerId: p.uuid().strictNullable().comment('Of contracts; the person whom the link makes this worker.'),
    secretHash: p.text(),
    isMailed: p.boolean().default(false).comment('Only whoever reads the mail of the address can have the link.'),
    expiresAt: instant(),
    acceptedAt: instant().strictNullable(),
    revokedAt: instant().strictNullable(),
    createdAt: instant(),
  },
  indexes: [
    { name: 'invitation_of_workspace', properties: ['workspaceId', 'createdAt', 'id'] },
    { name: 'invitation_of_email', properties: ['email', 'createdAt'] },
  ],
  uniques: [{ name: 'invitation_secret', properties: ['secretHash'] }],
  checks: [{ name: 'invitation_standing_check', expression: '(role is null) = (worker_id is not null)' }],
});

/** A worker's standing in a workspace. Workers act with it, as members act with a membership. */
export const WorkerAccessTable = defineEntity({
  name: 'WorkerAccess',
  tableName: 'worker_access',
  properties: {
    workspaceId: p.uuid().primary(),
    id: p.uuid().primary(),
    workerId: p.uuid().comment('Of contracts.'),
    accountId: p.uuid(),
    joinedAt: instant(),
    endedAt: instant()
      .strictNullable()
      .comment('An access that has ended is never revived: joining again makes a new one.'),
  },
  indexes: [{ name: 'worker_access_of_account', properties: ['accountId'] }],
  uniques: [
    { name: 'worker_access_worker', properties: ['workspaceId', 'workerId'], where: 'ended_at is null' },
    { name: 'worker_access_account', properties: ['workspaceId', 'accountId'], where: 'ended_at is null' },
  ],
});
