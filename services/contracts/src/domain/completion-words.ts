import type { ErrorDetail } from '@payroll/kernel';
import { LABELS } from './agreement-words.js';

/** A problem that keeps a draft from verification, with a message for the person who completes it. */
export interface CompletionProblem extends ErrorDetail {
  message: string;
}

const NEEDED: Readonly<Record<string, string>> = {
  worker: 'Choose who does the work.',
  startDate: 'Enter the first day of the contract.',
  countryOfEmployment: 'Enter the country of employment.',
  'compensation.rate': 'Enter what the work is paid: a rate, or a retainer where the contract is for a fixed fee.',
  milestones: 'Add at least one milestone.',
  creatorTerms: 'Enter the terms for the content: exclusivity and who owns it.',
  creatorDeliverables: 'Add at least one deliverable.',
};

const WRONG: Readonly<Record<string, string>> = {
  before_start_date: 'lies before the first day.',
  unknown_country: 'names no country: enter two capitals, such as NL.',
  implausible: 'cannot be meant: look at it again.',
  unknown_currency: 'is not in a currency that is paid out.',
  too_precise: 'has more decimal places than its currency.',
  out_of_range: 'is more than can be paid.',
};

export function toCompletionProblem({ path, code }: ErrorDetail): CompletionProblem {
  const needed = code === 'required' ? NEEDED[path] : undefined;
  const name = LABELS[path.replaceAll(/\[\d+\]/g, '')] ?? path;
  return { path, code, message: needed ?? `${name} ${WRONG[code] ?? 'cannot be paid like this.'}` };
}
