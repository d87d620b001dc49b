import type { Instant, Role } from '@payroll/kernel';

export const KYB_STATUSES = ['not_started', 'pending', 'verified', 'rejected'] as const;
export type KybStatus = (typeof KYB_STATUSES)[number];

export const ROLES = ['admin', 'member', 'viewer'] as const satisfies readonly Role[];

/** Who uses the internal endpoint. A service acts by itself; the others are people and must say why. */
export const TEAMS = ['service', 'read_only', 'support', 'operations', 'finance'] as const;
export type Team = (typeof TEAMS)[number];

/** The employer whose workspace this is, as its readers see it. */
export interface Business {
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
  createdAt: Instant;
}

export function isCountry(text: string): boolean {
  return /^[A-Z]{2}$/.test(text);
}

/** Enough to catch a slip; whether an address works, only a message to it can tell. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);
}
