import {
  type ErrorDetail,
  transition,
  isCountry,
  isEmail,
  type KybStatus,
  nameProblem,
  type StateMachine,
} from '@payroll/kernel';

/**
 * Allowed status changes. A verified business may be verified again or rejected; a rejected one has to be verified
 * again.
 */
const verificationMachine: StateMachine<KybStatus, KybStatus> = {
  not_started: { pending: 'pending' },
  pending: { verified: 'verified', rejected: 'rejected' },
  verified: { pending: 'pending', rejected: 'rejected' },
  rejected: { pending: 'pending' },
};

export function followVerification(from: KybStatus, to: KybStatus): KybStatus {
  return transition(verificationMachine, 'verification of the business', from, to);
}

export function problemsOfName(path: string, name: string, most?: number): ErrorDetail[] {
  const code = nameProblem(name, most);
  return code === null ? [] : [{ path, code }];
}

/** Text that mail programs turn into a link. */
const ADDRESS_IN_TEXT = /@|:\/\/|\bwww\.|[\p{L}\p{N}]{2,}\.\p{L}{2,}|\.\p{L}{2,}\//iu;

/** People choose their names, and mails show them: a name must not contain an address or a link. U+3002 is a dot in a host name, too. */
export function problemsOfPersonName(path: string, name: string): ErrorDetail[] {
  const problems = problemsOfName(path, name);
  if (problems.length > 0) return problems;
  return ADDRESS_IN_TEXT.test(name.normalize('NFKC').replaceAll('。', '.')) ? [{ path, code: 'contains_address' }] : [];
}

export function problemsOfEmail(path: string, email: string): ErrorDetail[] {
  return isEmail(email) ? [] : [{ path, code: 'invalid_format' }];
}

/** It stands in agreements: ISO 3166-1 alpha-2. */
export function problemsOfCountry(country: string): ErrorDetail[] {
  return isCountry(country) ? [] : [{ path: 'country', code: 'invalid_format' }];
}
