import type { AdmissionQuestion, Credential } from '@payroll/admission';
import type { Holder } from '../domain/admission.js';
import type { Standing } from '../domain/standing.js';
import type { AdmissionOptions } from './answer-admission.js';
import { findInternal } from './find-internal.js';
import { findPrincipals } from './find-principals.js';

/** A question with something to look up. */
export interface Presented extends AdmissionQuestion {
  credential: Credential;
}

/** Who holds a credential at this moment, and where the request stands in the limits that it counts for. */
export interface Found {
  holder: Holder;
  standings: readonly Standing[];
}

/** Nobody is found for what is unknown, wrong, expired or revoked. */
export async function findHolders(
  options: AdmissionOptions,
  questions: readonly AdmissionQuestion[],
): Promise<Map<AdmissionQuestion, Found>> {
  const presented = (...kinds: readonly Credential['kind'][]): Presented[] =>
    questions.filter((question): question is Presented => kinds.some((kind) => question.credential?.kind === kind));
  const found = await Promise.all([
    findPrincipals(options, presented('api_key', 'assertion')),
    findInternal(options.em, presented('token')),
  ]);
  return new Map(found.flatMap((each) => [...each]));
}
