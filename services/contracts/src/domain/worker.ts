import { isEmail, nameProblem, type ErrorDetail, type Instant } from '@payroll/kernel';

export interface Worker {
  id: string;
  revision: number;
  name: string;
  email: string;
  createdAt: Instant;
}

export type NewWorker = Pick<Worker, 'name' | 'email'>;

export function problemsOfWorker({ name, email }: NewWorker): ErrorDetail[] {
  const code = nameProblem(name);
  return [
    ...(code === null ? [] : [{ path: 'name', code }]),
    ...(isEmail(email) ? [] : [{ path: 'email', code: 'invalid_format' }]),
  ];
}
