import type { ActorTokens } from '@payroll/admission';

export interface Caller {
  tokens: ActorTokens;
  requestId: string;
  /** Whether nobody waits for the answer any more. */
  isGone?: () => boolean;
  /** Told when a service had made the change before, by the same operation id. */
  noteReplay?: () => void;
}

interface PreparedOperation<Data, Variables extends Record<string, unknown>> {
  /** @throws DomainError with the service's code. */
  run(variables: Variables, caller: Caller): Promise<Data>;
}

/** What the facade asks of the supergraph: documents prepared once, run per request. */
export interface GatewayPort {
  prepare<Data, Variables extends Record<string, unknown>>(document: string): PreparedOperation<Data, Variables>;
}
