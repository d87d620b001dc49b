import { DomainError } from '@payroll/kernel';
import { toProblems, type Problem, type Wording } from './problems.js';

export type FormOutcome<T> = { done: true; result: T } | { done: false; problems: readonly Problem[] };

/** Does what a form asks for. What is wrong with what was filled in comes back in words; anything else is thrown. */
export async function tryForm<T>(wording: Wording, work: () => Promise<T>): Promise<FormOutcome<T>> {
  try {
    return { done: true, result: await work() };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.code === 'VALIDATION_FAILED') return { done: false, problems: toProblems(error.details ?? [], wording) };
    if (error.code !== 'INVALID_STATE') throw error;
    return { done: false, problems: [{ field: null, message: error.message }] };
  }
}
