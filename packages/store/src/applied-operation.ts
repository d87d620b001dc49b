import { DomainError, type DomainErrorOptions, type ErrorCode, type Instant } from '@payroll/kernel';
import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

/** One intent of one caller. Sent twice, it is applied once: the second finds the first's outcome. */
export interface Operation {
  workspaceId: string;
  principalId: string;
  operationId: string;
  command: string;
  /** Digest of the command's input: an operation id does not serve for two different things. */
  fingerprint: string;
}

export type Outcome =
  | { kind: 'applied'; result: unknown }
  | { kind: 'refused'; code: ErrorCode; message: string; details?: DomainErrorOptions['details'] };

/**
 * Takes the operation's row, with its outcome where that is known by now, or finds what came of it. Waits for a
 * transaction that is deciding it right now.
 */
export async function claimOperation(
  em: EntityManager,
  operation: Operation,
  now: Instant,
  outcome: Outcome | null = null,
): Promise<Outcome | null> {
  const { workspaceId, principalId, operationId, command, fingerprint } = operation;
  const kept = outcome && JSON.stringify(outcome);
  const inserted = await sql`
    insert into applied_operation (workspace_id, principal_id, operation_id, command, fingerprint, outcome, applied_at)
    values (${workspaceId}, ${principalId}, ${operationId}, ${command}, ${fingerprint}, ${kept}::jsonb, ${now})
    on conflict do nothing`.execute(em.getKysely());
  if (inserted.numAffectedRows === 1n) return null;

  const { rows } = await sql<{ command: string; fingerprint: string; outcome: Outcome | null }>`
    select command, fingerprint, outcome from applied_operation
    where workspace_id = ${workspaceId} and principal_id = ${principalId} and operation_id = ${operationId}`.execute(
    em.getKysely(),
  );
  const earlier = rows[0]!;
  if (earlier.command !== command || earlier.fingerprint !== fingerprint) {
    throw new DomainError('IDEMPOTENCY_KEY_REUSED', 'This operation id was used for something else. Use a new one.');
  }
  if (earlier.outcome === null) {
    throw new DomainError('OPERATION_EXPIRED', 'The result of this operation is no longer kept. Look at the resource.');
  }
  return earlier.outcome;
}

export async function keepOutcome(em: EntityManager, operation: Operation, outcome: Outcome): Promise<void> {
  const { workspaceId, principalId, operationId } = operation;
  await sql`
    update applied_operation set outcome = ${JSON.stringify(outcome)}::jsonb
    where workspace_id = ${workspaceId} and principal_id = ${principalId} and operation_id = ${operationId}`.execute(
    em.getKysely(),
  );
}

export function refusal(error: DomainError): Outcome {
  const { code, message, details } = error;
  return details === undefined ? { kind: 'refused', code, message } : { kind: 'refused', code, message, details };
}

/** What the operation came to: its result, or its refusal thrown again. */
export function replay(outcome: Outcome): unknown {
  if (outcome.kind === 'applied') return outcome.result;
  throw new DomainError(
    outcome.code,
    outcome.message,
    outcome.details === undefined ? {} : { details: outcome.details },
  );
}
