import { createHash } from 'node:crypto';
import { canonicalJson, DomainError, errorForLog, unavailable, type ErrorCode } from '@payroll/kernel';
import type { Log } from '@payroll/process';
import { metrics, step } from '@payroll/telemetry';
import type { ClaimRequest, HeldClaim, StoredAnswer } from './claim-statements.js';
import type { IdempotencyClaims } from './claims.js';

/** `replayed`: it was kept here, or the service had applied it before an earlier attempt was lost. */
export type OnceAnswer = StoredAnswer & { replayed: boolean };

/**
 * Runs an operation once per key: a completed one is answered from its stored answer.
 * @throws DomainError `IDEMPOTENCY_KEY_REUSED`, `OPERATION_IN_PROGRESS`, `OPERATION_EXPIRED`, or what the operation threw.
 */
export async function once(
  { claims, log }: { claims: IdempotencyClaims; log: Log },
  request: ClaimRequest,
  operation: (claim: HeldClaim) => Promise<OnceAnswer>,
): Promise<OnceAnswer> {
  const begun = await step('take the idempotency key', {}, () => claims.begin(request));
  metrics.idempotentWrites.add({ found: begun.kind });
  if (begun.kind === 'done') return { ...begun.answer, replayed: true };
  if (begun.kind !== 'held') throw REFUSALS[begun.kind];
  const { claim } = begun;
  // Its lease then lapses by itself.
  const unsettled = (error: unknown): void =>
    log.warn({ requestId: request.requestId, error: errorForLog(error) }, 'an idempotency claim was left to lapse');
  const lease = new Lease(claims, claim);
  try {
    const answer = await operation(claim);
    await lease.stop();
    // The operation has happened even if this fails: a retry then asks the service again, by the same id.
    const completed = await step('keep the answer', {}, () => claims.complete(claim, answer)).catch(unsettled);
    // It may have happened in a history that is lost. The retry asks this one.
    if (completed === 'elsewhere') throw unavailable('The database that knew this operation');
    return answer;
  } catch (error) {
    await lease.stop();
    await (freesKey(error, claim.attempt) ? claims.free(claim) : claims.giveUp(claim)).catch(unsettled);
    throw error;
  }
}

const REFUSALS = {
  reused: new DomainError(
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key was used for another request. Use a new one.',
  ),
  in_progress: new DomainError(
    'OPERATION_IN_PROGRESS',
    'The first request with this key is still under way. Retry shortly.',
    { retryAfterSeconds: 1 },
  ),
  expired: new DomainError(
    'OPERATION_EXPIRED',
    'The result of this operation is no longer kept. Look at the resource.',
  ),
} as const;

/** Refusals that a service decides, and remembers, under the operation id. */
const DECIDED: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'NOT_FOUND',
  'STALE_RESOURCE_VERSION',
  'INVALID_STATE',
  'EXTERNAL_REFERENCE_EXISTS',
  'VALIDATION_FAILED',
]);

/** Refusals at a service's door, before it looks the operation up. */
const TURNED_AWAY: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'INVALID_CREDENTIAL',
  'INSUFFICIENT_SCOPE',
  'INTEGRATION_DISABLED',
  'WRITES_DISABLED',
  'RATE_LIMITED',
  'INVALID_REQUEST',
]);

/**
 * Whether a failure is definitive. Being turned away is so for a first attempt only: an earlier attempt may have been
 * applied, and a new operation id would apply it again.
 */
function freesKey(error: unknown, attempt: number): boolean {
  if (!(error instanceof DomainError)) return false;
  return DECIDED.has(error.code) || (attempt === 1 && TURNED_AWAY.has(error.code));
}

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

/**
 * What makes two requests the same: method, full path with its ids, and the body as it was sent, before defaults, with
 * numbers by their digits.
 */
export function fingerprintOf(method: string, path: string, body: unknown): string {
  return createHash('sha256')
    .update(canonicalJson([method, path, body]))
    .digest('base64url');
}
