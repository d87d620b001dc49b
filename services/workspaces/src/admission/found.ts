import type { AdmissionQuestion, Credential } from '@payroll/admission';
import type { Holder } from '../domain/admission.js';
import type { Standing } from '../domain/standing.js';

/** A question with the credential that it brings. */
export type Presented<Of extends Credential> = AdmissionQuestion & { credential: Of };

/** Who holds a credential at this moment, and where the request stands in the limits that it counts for. */
export interface Found {
  holder: Holder;
  standings: readonly Standing[];
}

export type FoundOf = Map<AdmissionQuestion, Found>;
