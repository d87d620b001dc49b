import { DomainError } from '@payroll/kernel';

export function refuseUnknownRoute(): never {
  throw new DomainError('NOT_FOUND', 'There is nothing at this path with this method.');
}
