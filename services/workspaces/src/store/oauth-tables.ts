import { defineEntity, p } from '@mikro-orm/core';
import { instant } from '@payroll/store';
import { CLIENT_STATUSES } from '../domain/connection.js';

/** Keys of the authorization server, each from its publication until its last signature has expired. */
export const SigningKeyTable = defineEntity({
  name: 'SigningKey',
  tableName: 'signing_key',
  properties: {
    kid: p.text().primary(),
    sealed: p.text().comment('The key, sealed under OAUTH_SECRET.'),
    createdAt: instant(),
    signsFrom: instant(),
    withdrawnAt: instant().strictNullable(),
    isFirst: p
      .boolean()
      .default(false)
      .comment('Made because there was no key; rotations may leave several others in use, of these there is one.'),
  },
  uniques: [{ name: 'signing_key_first', properties: ['isFirst'], where: 'is_first and withdrawn_at is null' }],
});

/** Codes, refresh tokens, grants and authorization requests. Found by the hash of the credential. */
export const OauthArtifactTable = defineEntity({
  name: 'OauthArtifact',
  tableName: 'oauth_artifact',
  properties: {
    kind: p.text().primary(),
    idHash: p.text().primary(),
    grantId: p.uuid().strictNullable(),
    sealed: p.text().comment('The payload, sealed under OAUTH_SECRET.'),
    consumedAt: instant().strictNullable(),
    expiresAt: instant(),
  },
  indexes: [
    { name: 'oauth_artifact_of_grant', properties: ['grantId'], where: 'grant_id is not null' },
    { name: 'oauth_artifact_expiry', properties: ['expiresAt'] },
  ],
});

/** Clients that registered themselves; they are public and have no secret. */
export const OauthClientTable = defineEntity({
  name: 'OauthClient',
  tableName: 'oauth_client',
  properties: {
    id: p.text().primary(),
    metadata: p.json<Record<string, unknown>>(),
    createdAt: instant(),
    lastUsedAt: instant().strictNullable(),
  },
});

/** Clients of assistants that a member asked for, and the status that admins gave them. */
export const McpClientTable = defineEntity({
  name: 'McpClient',
  tableName: 'mcp_client',
  properties: {
    workspaceId: p.uuid().primary(),
    id: p.text().primary().comment('As the authorization server knows it.'),
    name: p.text(),
    hosts: p.array().columnType('text[]'),
    status: p.enum(CLIENT_STATUSES).columnType('text'),
    createdAt: instant(),
    changedAt: instant(),
  },
});

export const McpConnectionTable = defineEntity({
  name: 'McpConnection',
  tableName: 'mcp_connection',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid(),
    clientId: p.text(),
    membershipId: p.uuid(),
    subject: p.text().comment('Whom the issuer means; another one with the same address is somebody else.'),
    principalId: p.uuid().comment('Kept over refresh; each consent has one of its own.'),
    grantId: p
      .uuid()
      .strictNullable()
      .comment('Of the embedded authorization server, one for each consent; null where another one keeps its own.'),
    scopes: p.array().columnType('text[]'),
    createdAt: instant(),
    lastUsedAt: instant().strictNullable(),
    revokedAt: instant().strictNullable(),
  },
  indexes: [{ name: 'mcp_connection_newest', properties: ['workspaceId', 'createdAt', 'id'] }],
  uniques: [
    {
      name: 'mcp_connection_live',
      properties: ['workspaceId', 'clientId', 'membershipId'],
      where: 'revoked_at is null and grant_id is null',
    },
    { name: 'mcp_connection_of_grant', properties: ['grantId'] },
  ],
});
