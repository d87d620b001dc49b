import type { ErrorCode, Origin, Scope, ServiceName } from '@payroll/kernel';

/**
 * What a caller presents, as it travels: never the secret itself. `proof` is the SHA-256 of the secret (base64url);
 * workspaces keeps only the SHA-256 of that, so neither the bus nor a stolen table gives a usable credential. Of an
 * assertion, which workspaces has made for a connection a moment ago, it is what workspaces knows it by.
 */
export interface Credential {
  kind: 'api_key' | 'token' | 'assertion';
  id: string;
  proof: string;
}

/** Asked on every request, replays included: who is this, and may it, right now? */
export interface AdmissionQuestion {
  /** Null when none came or its form is wrong: still asked, because failed attempts are counted per address. */
  credential: Credential | null;
  via: Origin['via'];
  requestId: string;
  clientAddress: string;
  /** Which rate limit it uses up. */
  limit: 'reads' | 'writes';
  /** The scope the operation needs; null where each field decides for itself (internal GraphQL). */
  scope: Scope | null;
  /** Staff and services name the workspace they act in, and staff why. */
  workspaceId?: string;
  reason?: string;
  /** The step of a trace that asks. */
  traceparent?: string | undefined;
}

/** `remaining` of `quota` in a window of 60 s that ends in `resetSeconds` (public-api.md §8). */
export interface RateLimit {
  name: 'reads' | 'writes' | 'workspace' | 'failures' | 'messages';
  quota: number;
  remaining: number;
  resetSeconds: number;
}

/** One short-lived token per service, which that service alone can verify. */
export type ActorTokens = Readonly<Record<ServiceName, string>>;

export interface Admitted {
  admitted: true;
  origin: Origin;
  tokens: ActorTokens;
  rateLimits: readonly RateLimit[];
}

export interface Refused {
  admitted: false;
  code: ErrorCode;
  message: string;
  retryAfterSeconds?: number;
  /** Empty for a credential that was not recognised, unless its address has failed too often. */
  rateLimits: readonly RateLimit[];
}

export type AdmissionAnswer = Admitted | Refused;
