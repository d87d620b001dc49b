import type { ActorTokens } from '@payroll/admission';

/** On whose behalf an operation runs: the tokens admission gave, relayed to each service as they are. */
export interface Caller {
  tokens: ActorTokens;
  requestId: string;
  /** Aborted when the caller waits no longer: what has not been sent by then never is. */
  signal?: AbortSignal;
}
