import type { AdmissionClient, Credential } from '@payroll/admission';
import type { Log, WaitingFor } from '@payroll/process';
import type { IdempotencyClaims } from '../idempotency/claims.js';
import type { GatewayPort } from '../operations/gateway-port.js';

export interface AppDependencies {
  admission: AdmissionClient;
  /** Reads the `Authorization` header; null for what cannot be a credential of this deployment. */
  parseCredential: (authorization: string | undefined) => Credential | null;
  /** What is wrong with a header that cannot be one, for whoever sent it. */
  whyNoCredential: (authorization: string | undefined) => string;
  gateway: GatewayPort;
  claims: IdempotencyClaims;
  log: Log;
  waitingFor: WaitingFor;
  /** Proxies whose `X-Forwarded-For` is believed: addresses and CIDR ranges. */
  trustedProxies?: readonly string[];
  /** Where integrators reach `/v1`; by default relative to where they got the OpenAPI document. */
  publicUrl?: string;
  /** Names, beside those of its public address and this machine's own, by which it is called. */
  allowedHosts?: readonly string[];
  /** How long an answer may take, body included. */
  deadlineMs?: number;
}
