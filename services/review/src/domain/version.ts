import { hash } from 'node:crypto';
import { DomainError } from '@payroll/kernel';

/** Stands for all that a reviewer sees of a piece of work; means nothing but "the same" or "not the same". */
export type Version = string;

export function versionOf(id: string, revision: number): Version {
  return hash('sha256', `${id}/${revision}`, 'base64url').slice(0, 22);
}

/** @throws DomainError `STALE_RESOURCE_VERSION` when the work has changed since it was reviewed. */
export function requireVersion(work: { id: string; revision: number }, expected: Version): void {
  if (versionOf(work.id, work.revision) !== expected) {
    throw new DomainError(
      'STALE_RESOURCE_VERSION',
      'This has changed since you reviewed it. Fetch and review it again.',
    );
  }
}
