import { DomainError, memberOf, throwIfInvalid } from '@payroll/kernel';
import type { WorkspaceReader } from '@payroll/commands';

/** The revision that the caller saw when deciding. Internal teams may omit it. */
export interface ExpectedRevision {
  expectedRevision?: number | null | undefined;
}

/**
 * @throws DomainError `STALE_RESOURCE_VERSION` if the revision has changed since; `VALIDATION_FAILED` if a member
 * omits it.
 */
export function requireExpectedRevision(
  { origin }: WorkspaceReader,
  { revision }: { revision: number },
  { expectedRevision }: ExpectedRevision,
): void {
  if (expectedRevision == null) {
    throwIfInvalid(
      memberOf(origin.actor) ? [{ path: 'expectedRevision', code: 'required' }] : [],
      'expectedRevision is required: the revision that you saw.',
    );
  } else if (expectedRevision !== revision) {
    throw new DomainError(
      'STALE_RESOURCE_VERSION',
      'This has changed since you opened it. Open it again and check it.',
    );
  }
}
