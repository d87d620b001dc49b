import { DomainError, type ErrorCode, isId } from '@payroll/kernel';
import type { WorkspaceContext } from '../../workspace-context.js';
import type { SelectedWork } from './selected-work.js';
import { APPROVE, REJECT } from './operations.js';
import { type WorkItem, readPiece } from './work-item.js';

/** The result of a decision. Only `decided` has changed anything. */
export type DecisionResult =
  | { came: 'decided'; paymentId: string | null }
  /** Another person, or the same one in another window, decided first. */
  | { came: 'late'; piece: WorkItem }
  /** The current version is not the one that was shown. */
  | { came: 'changed'; piece: WorkItem }
  | { came: 'gone' }
  | { came: 'refused'; error: DomainError };

/** Idempotent by its operation id. @throws Error anything but a DomainError */
export async function decide(visit: WorkspaceContext, chosen: SelectedWork, reason?: string): Promise<DecisionResult> {
  const { kind, id, version: expectedVersion, operationId } = chosen;
  if (!isId(operationId)) return { came: 'refused', error: new DomainError('INVALID_STATE', INCOMPLETE) };
  try {
    const { decided } =
      reason === undefined
        ? await visit.mutate(APPROVE[kind], { id, expectedVersion }, operationId)
        : await visit.mutate(REJECT[kind], { id, expectedVersion, reason }, operationId);
    return { came: 'decided', paymentId: decided.paymentId };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.code === 'NOT_FOUND') return { came: 'gone' };
    return NOT_AS_SEEN.has(error.code) ? await whatItIsNow(visit, chosen, error) : { came: 'refused', error };
  }
}

const INCOMPLETE = 'The form was not complete, so nothing was done. Look at the work once more, then decide.';

const NOT_AS_SEEN: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['STALE_RESOURCE_VERSION', 'INVALID_STATE']);

async function whatItIsNow(
  visit: WorkspaceContext,
  { kind, id, version }: SelectedWork,
  error: DomainError,
): Promise<DecisionResult> {
  const piece = await readPiece(visit, kind, id);
  if (piece === null) return { came: 'gone' };
  if (piece.status !== 'submitted') return { came: 'late', piece };
  return piece.version === version ? { came: 'refused', error } : { came: 'changed', piece };
}
