import { defineEntity, p } from '@mikro-orm/core';
import { KYB_STATUSES, ROLES, TEAMS } from '@payroll/kernel';
import { instant } from '@payroll/store';

export const BusinessTable = defineEntity({
  name: 'Business',
  tableName: 'business',
  properties: {
    id: p.uuid().primary().comment('Also the id of the workspace.'),
    revision: p.integer().comment('Counts the changes that other services are told of.'),
    name: p.text(),
    country: p.text(),
    kybStatus: p.enum(KYB_STATUSES).columnType('text'),
    integrationEnabled: p.boolean(),
    writesEnabled: p.boolean(),
    secondFactorRequired: p.boolean().default(false).comment('Of admins who act in person.'),
    createdAt: instant(),
    updatedAt: instant(),
  },
});

export const MembershipTable = defineEntity({
  name: 'Membership',
  tableName: 'membership',
  properties: {
    workspaceId: p.uuid().primary(),
    id: p.uuid().primary(),
    accountId: p.uuid().strictNullable().comment('Who signs in to it; nobody until an invitation is accepted.'),
    name: p.text(),
    email: p.text(),
    role: p.enum(ROLES).columnType('text'),
    leftAt: instant().strictNullable().comment('Who left is never revived: rejoining makes a new membership.'),
    createdAt: instant(),
    updatedAt: instant(),
  },
  indexes: [
    { name: 'membership_newest', properties: ['workspaceId', 'createdAt', 'id'] },
    { name: 'membership_of_account', properties: ['accountId'] },
  ],
  uniques: [
    { name: 'membership_email', properties: ['workspaceId', 'email'], where: 'left_at is null' },
    { name: 'membership_account', properties: ['workspaceId', 'accountId'], where: 'left_at is null' },
  ],
});

export const ApiKeyTable = defineEntity({
  name: 'ApiKey',
  tableName: 'api_key',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid(),
    principalId: p.uuid().comment('Kept over rotation; idempotency and external references belong to it.'),
    membershipId: p.uuid(),
    name: p.text(),
    scopes: p.array().columnType('text[]'),
    secretHash: p.text(),
    expiresAt: instant(),
    revokedAt: instant().strictNullable(),
    lastUsedAt: instant().strictNullable().comment('To the minute; null when it has never been used.'),
    createdAt: instant(),
  },
  indexes: [{ name: 'api_key_of_workspace', properties: ['workspaceId', 'createdAt', 'id'] }],
});

/** Tokens of internal staff and services for the internal GraphQL endpoint. They belong to no workspace. */
export const InternalTokenTable = defineEntity({
  name: 'InternalToken',
  tableName: 'internal_token',
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    owner: p.text().strictNullable().comment('The e-mail address of the person who holds it, in lower case.'),
    team: p.enum(TEAMS).columnType('text'),
    secretHash: p.text(),
    expiresAt: instant(),
    revokedAt: instant().strictNullable(),
    createdAt: instant(),
  },
  checks: [
    {
      name: 'internal_token_owner_check',
      expression: "team = 'service' or owner is not null or revoked_at is not null",
    },
  ],
});

/** Requests counted per window of 60 s. Unlogged: losing a minute of counts in a crash does no harm. */
export const RateCounterTable = defineEntity({
  name: 'RateCounter',
  tableName: 'rate_counter',
  properties: { subject: p.text().primary(), windowStartedAt: instant(), used: p.integer() },
});
