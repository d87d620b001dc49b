import type { EntityManager } from '@mikro-orm/postgresql';
import { newId } from '@payroll/kernel';
import { as, columns, HISTORY, OUTCOME_DAYS, read, sql, verbatim, write } from '@payroll/store';
import { IdempotencyClaimTable } from '../store/schema.js';

/** A claim that this request holds. Every update of its row is fenced by operation, attempt and `running`. */
export interface HeldClaim {
  principalId: string;
  key: string;
  operationId: string;
  /** Above 1: an earlier request began this operation, and nobody knows how far it came. */
  attempt: number;
  /** Of the database that the claim is in (ADR 0020): what became of the operation counts in no other one. */
  history: string;
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

/** Long enough for two lost renewals; short, so that a key is soon free to be retried when this process dies. */
const LEASE = verbatim(`interval '3 s'`);
/** A key must not be reused afterwards. */
const RETENTION = verbatim(`interval '${OUTCOME_DAYS} days'`);
const MAY_TAKE_OVER = verbatim(`(idempotency_claim.state = 'running'
  and idempotency_claim.fingerprint = excluded.fingerprint
  and idempotency_claim.lease_until <= statement_timestamp()
  and idempotency_claim.begun_at > statement_timestamp() - interval '${OUTCOME_DAYS} days')`);

const FOUND = columns(
  IdempotencyClaimTable,
  ...(['principalId', 'key', 'fingerprint', 'operationId', 'attempt', 'state', 'requestId', 'status', 'body'] as const),
);

export type FoundClaim = Awaited<ReturnType<typeof takeOrFind>>[number];

/**
 * Takes keys, takes them over from requests whose lease lapsed, or finds their state. Each key once: Postgres changes no row
 * twice in one statement (21000). In the order of the keys, so that batches never deadlock.
 */
export async function takeOrFind(em: EntityManager, requests: readonly ClaimRequest[]) {
  const asked = requests.map((request) => ({ ...request, operationId: newId() }));
  // A row that is not to be taken is updated to itself: the only way in which one statement sees a row that another
  // transaction has inserted a moment ago. statement_timestamp() is the same in every branch; clock_timestamp() is not.
  return await read(
    em,
    sql`insert into idempotency_claim
      (principal_id, key, fingerprint, operation_id, attempt, state, request_id, begun_at, lease_until)
    select "principalId", key, fingerprint, "operationId", 1, 'running', "requestId", statement_timestamp(),
      statement_timestamp() + ${LEASE}
    from json_to_recordset(${JSON.stringify(asked)})
      as asked ("principalId" uuid, key text, fingerprint text, "operationId" uuid, "requestId" text)
    order by "principalId", key
    on conflict (principal_id, key) do update set
      attempt = idempotency_claim.attempt + case when ${MAY_TAKE_OVER} then 1 else 0 end,
      request_id = case when ${MAY_TAKE_OVER} then excluded.request_id else idempotency_claim.request_id end,
      lease_until = case when ${MAY_TAKE_OVER} then excluded.lease_until else idempotency_claim.lease_until end
    returning ${FOUND}, ${as('history', 'text', HISTORY)},
      ${as('isExpired', 'boolean', sql`coalesce(finished_at, begun_at) <= statement_timestamp() - ${RETENTION}`)}`,
  );
}

/**
 * Keeps answers for replays; what other attempts have by now is left to them, and in another history than the claim's
 * nobody knows what the operation came to. Says of each attempt whether it is in this one.
 */
export async function keepAnswers(em: EntityManager, answered: readonly { claim: HeldClaim; answer: StoredAnswer }[]) {
  const kept = answered.map(({ claim, answer }) => ({ ...claim, ...answer }));
  return await read(
    em,
    sql`with kept as (
      select *, history = ${HISTORY} as is_here from json_to_recordset(${JSON.stringify(kept)}) as kept
        ("principalId" uuid, key text, "operationId" uuid, attempt int, history text, status int, body text)
    ), held as (
      select claim.principal_id, claim.key, kept.status, kept.body
      from kept join idempotency_claim claim on claim.principal_id = kept."principalId" and claim.key = kept.key
        and claim.operation_id = kept."operationId" and claim.attempt = kept.attempt and claim.state = 'running'
      where kept.is_here order by claim.principal_id, claim.key for update of claim
    ), done as (
      update idempotency_claim set state = 'done', finished_at = clock_timestamp(), status = held.status, body = held.body
      from held where idempotency_claim.principal_id = held.principal_id and idempotency_claim.key = held.key
      returning operation_id, attempt
    )
    select ${as('operationId', 'uuid', sql`"operationId"`)}, ${as('attempt', 'int', sql`attempt`)},
      ${as('isHere', 'boolean', sql`is_here`)},
      ${as('isKept', 'boolean', sql`("operationId", attempt) in (select operation_id, attempt from done)`)} from kept`,
  );
}

export async function freeKey(em: EntityManager, claim: HeldClaim): Promise<boolean> {
  const isHere = sql`${HISTORY} = ${claim.history}`;
  return (await write(em, sql`delete from idempotency_claim where ${fence(claim)} and ${isHere}`)) === 1;
}

/** Until a lease from now on, or, where it is given up, until now. */
export async function setLease(em: EntityManager, claim: HeldClaim, isGivenUp = false): Promise<boolean> {
  const lasts = isGivenUp ? sql`` : sql` + ${LEASE}`;
  const statement = sql`update idempotency_claim set lease_until = clock_timestamp()${lasts} where ${fence(claim)}`;
  return (await write(em, statement)) === 1;
}

function fence({ principalId, key, operationId, attempt }: HeldClaim) {
  return sql`principal_id = ${principalId} and key = ${key}
    and operation_id = ${operationId} and attempt = ${attempt} and state = 'running'`;
}
