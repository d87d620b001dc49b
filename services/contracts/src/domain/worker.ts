import { isEmail, nameProblem, type ErrorDetail } from '@payroll/kernel';

export interface Worker {
  id: string;
  /** Counts its changes. */
  revision: number;
  name: string;
  email: string;
}

export type NewWorker = Omit<Worker, 'id' | 'revision'>;

export function problemsOfWorker({ name, email }: NewWorker): ErrorDetail[] {
  const code = nameProblem(name);
  return [
    ...(code === null ? [] : [{ path: 'name', code }]),
    ...(isEmail(email) ? [] : [{ path: 'email', code: 'invalid_format' }]),
  ];
}
