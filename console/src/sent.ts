import { DomainError, isId } from '@payroll/kernel';
import { OPERATION_FIELD, textOf, type SentForm } from '@payroll/pages';

/** The form's operation id and the revision that its sender saw. */
export function sentBy(form: SentForm): { operationId: string; expectedRevision: number } {
  const [operationId, revision] = [operationIn(form), textOf(form, 'revision')];
  if (!/^\d{1,9}$/.test(revision)) throw notWhole();
  return { operationId, expectedRevision: Number(revision) };
}

export function operationIn(form: SentForm): string {
  const operationId = textOf(form, OPERATION_FIELD);
  if (!isId(operationId)) throw notWhole();
  return operationId;
}

function notWhole(): DomainError {
  return new DomainError('INVALID_STATE', 'Nothing was done: this form was not complete. Open its page again.');
}
