import type { JWTPayload } from 'jose';
import { type Expected, verifyOwnToken } from '../oauth/access-tokens.js';
import type { KeyRing, SigningKeys } from '../oauth/key-ring.js';

interface Verified {
  keys: SigningKeys;
  payloads: Map<string, JWTPayload>;
}

/**
 * Access tokens of the embedded server, each signature verified once for as long as the ring takes its keys for fresh: a
 * signature stays good, but keys can be withdrawn. What a token is good for is looked up on each call, not here.
 */
export class VerifiedTokens {
  private verified: Verified | undefined;

  constructor(
    private readonly ring: Pick<KeyRing, 'current' | 'reload'>,
    private readonly expected: Expected,
  ) {}

  /** The claims; null for a token that is not ours, or whose time is over. */
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

/** In whole seconds, as where tokens are verified. */
function isOver({ exp = 0 }: JWTPayload): boolean {
  return exp <= Math.floor(Date.now() / 1000);
}
