import type { AdmissionQuestion, Credential } from '@payroll/admission';
import type { Holder } from '../domain/admission.js';
import type { Standing } from '../domain/standing.js';

/** A question with its credential. */
export type Presented<Of extends Credential> = AdmissionQuestion & { credential: Of };

/** The live holder of a credential, and the positions of the request in its rate counters. */
export interface Found {
  holder: Holder;
  standings: readonly Standing[];
}

export type FoundOf = Map<AdmissionQuestion, Found>;
