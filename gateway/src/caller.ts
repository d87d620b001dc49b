import type { ActorTokens } from '@payroll/admission';

/** On whose behalf an operation runs: the tokens admission gave, relayed to each service as they are. */
export interface Caller {
  tokens: ActorTokens;
  requestId: string;
  /** Whether nobody waits for the answer any more: what has not been asked by then never is, writes aside. */
  isGone?: () => boolean;
  /** Told when a service says that it had made the change before, by the same operation id. */
  noteReplay?: () => void;
}
