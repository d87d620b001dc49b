import type { HeldClaim } from './claim.js';
import type { IdempotencyClaims } from './claims.js';

/** A third of the lease: it outlives two renewals that fail. */
export const RENEWAL_MS = 1_000;

/** Keeps a claim's lease alive while its operation is under way. */
export class Lease {
  private readonly timer: NodeJS.Timeout;
  private renewal: Promise<void> = Promise.resolve();

  constructor(
    private readonly claims: Pick<IdempotencyClaims, 'renew'>,
    private readonly claim: HeldClaim,
  ) {
    this.timer = setInterval(() => {
      this.renewal = this.renew();
    }, RENEWAL_MS);
  }

  /** Ends the renewals, the one under way included: none may come after the claim is settled or given up. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.renewal;
  }

  private async renew(): Promise<void> {
    try {
      // Lost to another attempt: what keeps the two apart is the operation id, not this lease.
      if (!(await this.claims.renew(this.claim))) clearInterval(this.timer);
    } catch {
      // The next renewal may succeed; without any, the lease lapses and a retry takes over.
    }
  }
}
