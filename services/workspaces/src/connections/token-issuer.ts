import type { AccessClaims } from '../domain/access-claims.js';

/** What an access token says, and what makes sure that it still stands. */
export interface TokenFacts extends AccessClaims {
  /** Of the embedded server: its grants are looked up live. Null for another issuer, which keeps its own. */
  grantId: string | null;
  /** How another issuer's subject is found among the members; null where it does not say. */
  email: string | null;
}

/** Whoever signs access tokens for the MCP server: the embedded authorization server, or another one. */
export interface TokenIssuer {
  /**
   * Null for a token that is none of this issuer's, for another audience, altered or over, or does not say enough.
   * @throws DomainError `SERVICE_UNAVAILABLE` when its keys cannot be had.
   */
  read(token: string): Promise<TokenFacts | null>;
}
