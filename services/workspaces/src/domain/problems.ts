import { isEmail, nameProblem, type ErrorDetail } from '@payroll/kernel';

export function problemsOfName(path: string, name: string): ErrorDetail[] {
  const code = nameProblem(name);
  return code === null ? [] : [{ path, code }];
}

export function problemsOfEmail(path: string, email: string): ErrorDetail[] {
  return isEmail(email) ? [] : [{ path, code: 'invalid_format' }];
}

/** ISO 3166-1 alpha-2, by its form. */
export function problemsOfCountry(country: string): ErrorDetail[] {
  return /^[A-Z]{2}$/.test(country) ? [] : [{ path: 'country', code: 'invalid_format' }];
}
