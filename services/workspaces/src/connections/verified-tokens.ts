import type { JWTPayload } from 'jose';
import { type Expected, verifyOwnToken } from '../oauth/access-tokens.js';
import type { KeyRing, SigningKeys } from '../oauth/key-ring.js';

interface Verified {
  keys: SigningKeys;
  payloads: Map<string, JWTPayload>;
}

/**
 * Access tokens of the embedded server. Each signature is verified once per load of the keys: a signature stays
 * valid, but keys can be withdrawn. What a token allows is looked up on each call instead.
 */
export class VerifiedTokens {
  private verified: Verified | undefined;

  constructor(
    private readonly ring: Pick<KeyRing, 'current' | 'reload'>,
    private readonly expected: Expected,
  ) {}

  /** The claims; null for a token that is not ours or has expired. */
  async read(token: string): Promise<JWTPayload | null> {
    const keys = await this.ring.current();
    if (this.verified?.keys !== keys) this.verified = { keys, payloads: new Map() };
    const { payloads } = this.verified;
    const known = payloads.get(token);
    if (known) return isOver(known) ? null : known;
    const payload = await verifyOwnToken(token, this.ring, this.expected);
    if (payload) payloads.set(token, payload);
    return payload;
  }
}

/** Compares whole seconds, as the token verification does. */
function isOver({ exp = 0 }: JWTPayload): boolean {
  return exp <= Math.floor(Date.now() / 1000);
}
