import { DomainError, isMember, refuseProblems } from '@payroll/kernel';
import type { WorkspaceRows } from '@payroll/commands';

/** What a person had before them when they decided. Internal teams may leave it out. */
export interface Seen {
  expectedRevision?: number | null | undefined;
}

/** @throws DomainError `STALE_RESOURCE_VERSION` when it has changed since; `VALIDATION_FAILED` for a person who does not say. */
export function requireSeen(
  { origin }: WorkspaceRows,
  { revision }: { revision: number },
  { expectedRevision }: Seen,
): void {
  if (expectedRevision == null) {
    refuseProblems(
      isMember(origin.actor) ? [{ path: 'expectedRevision', code: 'required' }] : [],
      'Say which revision you saw.',
    );
  } else if (expectedRevision !== revision) {
    throw new DomainError('STALE_RESOURCE_VERSION', 'This has changed since you opened it. Look at it again.');
  }
}
