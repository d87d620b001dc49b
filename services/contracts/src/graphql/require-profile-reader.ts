import { requireInternal, requireScope, type Actor } from '@payroll/kernel';

/** The API shows a worker's name and a contract's summary, and nothing else of the person (public-api.md §1). */
export function requireProfileReader(actor: Actor): void {
  requireInternal(actor);
  requireScope(actor, 'read');
}
