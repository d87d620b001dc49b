import { errorForLog, newId } from '@payroll/kernel';
import type { Log } from '@payroll/process';
import { asDomainError, inBatches, OUTCOME_DAYS, SKIPPING } from '@payroll/store';
import { sql, type Kysely, type RawBuilder, type Selectable } from 'kysely';
import type { FacadeRows } from '../store/schema.js';

/** A claim that this request holds. Every update of its row is fenced by operation, attempt and `running`. */
export interface HeldClaim {
  principalId: string;
  key: string;
  operationId: string;
  /** Above 1: an earlier request began this operation, and nobody knows how far it came. */
  attempt: number;
}

/** What a completed operation answered, to the byte. */
export interface StoredAnswer {
  status: number;
  body: string;
}

export interface ClaimRequest extends Pick<HeldClaim, 'principalId' | 'key'> {
  fingerprint: string;
  requestId: string;
}

export type Begun =
  | { kind: 'held'; claim: HeldClaim }
  | { kind: 'done'; answer: StoredAnswer }
  | { kind: 'in_progress' | 'reused' | 'expired' };

/** Long enough for two lost renewals; short, so that a key is soon free to be retried when this process dies. */
const LEASE_MS = 3_000;

type FoundRow = Pick<
  Selectable<FacadeRows['idempotency_claim']>,
  'fingerprint' | 'operation_id' | 'attempt' | 'state' | 'request_id' | 'status' | 'body'
> & { expired: boolean };

/** The keys of the write operations. All time is the database's. */
export class IdempotencyClaims {
  constructor(private readonly db: Kysely<FacadeRows>) {}

  /**
   * Takes the key, takes it over from a request whose lease lapsed, or finds its state: one round trip.
   * @throws DomainError `SERVICE_UNAVAILABLE` when Postgres is.
   */
  async begin(request: ClaimRequest): Promise<Begun> {
    const { principalId, key, fingerprint, requestId } = request;
    // A row that is not to be taken is updated to itself: the only way in which one statement sees a row that another
    // transaction has inserted a moment ago. statement_timestamp() is the same in every branch; clock_timestamp() is not.
    const { rows } = await this.run(sql<FoundRow>`
      insert into idempotency_claim as claim
        (principal_id, key, fingerprint, operation_id, attempt, state, request_id, begun_at, lease_until)
      values (${principalId}, ${key}, ${fingerprint}, ${newId()}, 1, 'running', ${requestId},
        statement_timestamp(), statement_timestamp() + ${LEASE})
      on conflict (principal_id, key) do update set
        attempt = claim.attempt + case when ${MAY_TAKE_OVER} then 1 else 0 end,
        request_id = case when ${MAY_TAKE_OVER} then excluded.request_id else claim.request_id end,
        lease_until = case when ${MAY_TAKE_OVER} then excluded.lease_until else claim.lease_until end
      returning fingerprint, operation_id, attempt, state, request_id, status, body,
        coalesce(finished_at, begun_at) <= statement_timestamp() - ${RETENTION} as expired`);
    return begunBy(request, rows[0]!);
  }

  /** Keeps the answer for replays; false when another attempt has the claim by now. */
  async complete(claim: HeldClaim, { status, body }: StoredAnswer): Promise<boolean> {
    return await this.changed(sql`
      update idempotency_claim
      set state = 'done', finished_at = clock_timestamp(), status = ${status}, body = ${body}
      where ${fence(claim)}`);
  }

  /** After a definitive refusal: the key's next use is a new operation. */
  async free(claim: HeldClaim): Promise<boolean> {
    return await this.changed(sql`delete from idempotency_claim where ${fence(claim)}`);
  }

  async renew(claim: HeldClaim): Promise<boolean> {
    return await this.changed(sql`
      update idempotency_claim set lease_until = clock_timestamp() + ${LEASE} where ${fence(claim)}`);
  }

  /** Lets a retry take over at once, with the same operation id. */
  async giveUp(claim: HeldClaim): Promise<boolean> {
    return await this.changed(sql`update idempotency_claim set lease_until = clock_timestamp() where ${fence(claim)}`);
  }

  /** Empties answers past their retention. The rows stay as tombstones. */
  async emptyExpired(): Promise<number> {
    return await inBatches((limit) =>
      this.run(sql`
        update idempotency_claim set body = null where (principal_id, key) in (
          select principal_id, key from idempotency_claim
          where body is not null and finished_at <= clock_timestamp() - ${RETENTION} ${limit} ${SKIPPING})`),
    );
  }

  private async changed(statement: RawBuilder<unknown>): Promise<boolean> {
    const { numAffectedRows } = await this.run(statement);
    return numAffectedRows === 1n;
  }

  private async run<Row>(statement: RawBuilder<Row>) {
    try {
      return await statement.execute(this.db);
    } catch (error) {
      throw asDomainError(error);
    }
  }
}

const LEASE = sql`make_interval(secs => ${sql.lit(LEASE_MS / 1000)})`;
/** A key must not be reused afterwards. */
const RETENTION = sql`make_interval(days => ${sql.lit(OUTCOME_DAYS)})`;
const MAY_TAKE_OVER = sql`(claim.state = 'running' and claim.fingerprint = excluded.fingerprint
  and claim.lease_until <= statement_timestamp() and claim.begun_at > statement_timestamp() - ${RETENTION})`;

function fence({ principalId, key, operationId, attempt }: HeldClaim): RawBuilder<boolean> {
  return sql`principal_id = ${principalId} and key = ${key}
    and operation_id = ${operationId} and attempt = ${attempt} and state = 'running'`;
}

function begunBy({ principalId, key, fingerprint, requestId }: ClaimRequest, row: FoundRow): Begun {
  if (row.fingerprint !== fingerprint) return { kind: 'reused' };
  if (row.expired) return { kind: 'expired' };
  if (row.state === 'done') return { kind: 'done', answer: { status: row.status!, body: row.body! } };
  if (row.request_id !== requestId) return { kind: 'in_progress' };
  return { kind: 'held', claim: { principalId, key, operationId: row.operation_id, attempt: row.attempt } };
}

/** Expiry itself needs no timer, the claim's age decides: this only frees the space of answers that nobody can ask for. */
export function emptyEachHour(claims: Pick<IdempotencyClaims, 'emptyExpired'>, log: Log): Disposable {
  const empty = async (): Promise<void> => {
    try {
      const emptied = await claims.emptyExpired();
      if (emptied > 0) log.info({ emptied }, 'emptied answers past their retention');
    } catch (error) {
      log.warn({ error: errorForLog(error) }, 'could not empty answers past their retention');
    }
  };
  const timer = setInterval(() => void empty(), 3_600_000);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
