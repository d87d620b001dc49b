import type { Instant, KybStatus, Role } from '@payroll/kernel';

export const ROLES = ['admin', 'member', 'viewer'] as const satisfies readonly Role[];

/** Whether the workspace's integrations may ask anything, and whether they may change anything. */
export interface IntegrationSwitches {
  integrationEnabled: boolean;
  writesEnabled: boolean;
}

/** The employer whose workspace this is. Its readers do not see the switches, which are for internal teams. */
export interface Business extends IntegrationSwitches {
  id: string;
  name: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
  kybStatus: KybStatus;
  createdAt: Instant;
  updatedAt: Instant;
}

/** Someone who belongs to a workspace, with the role that bounds whatever acts for them. */
export interface Member {
  id: string;
  name: string;
  email: string;
  role: Role;
  /** Whether they can sign in; without, only keys act for them. */
  hasAccount: boolean;
  createdAt: Instant;
  /** Set for who left; joining again makes a new membership. */
  leftAt: Instant | null;
}

/** A key as it is listed; its secret was shown once, when it was created. */
export interface ApiKey {
  id: string;
  name: string;
  principalId: string;
  memberId: string;
  scopes: readonly string[];
  expiresAt: Instant;
  revokedAt: Instant | null;
  /** To the minute; null when it has never been used. */
  lastUsedAt: Instant | null;
  createdAt: Instant;
}

/** A place held for somebody until they take it with the link they were given, which was shown once. */
export interface Invitation {
  id: string;
  name: string;
  email: string;
  role: Role;
  expiresAt: Instant;
  acceptedAt: Instant | null;
  revokedAt: Instant | null;
  createdAt: Instant;
}
