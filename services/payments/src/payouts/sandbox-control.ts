import { unavailable } from '@payroll/kernel';
import type { SimulatedOutcome } from '../commands/sandbox.js';

/** Tells the sandbox provider to settle or decline an order. A real provider has no such call. */
export type SandboxControl = (idempotencyKey: string, outcome: SimulatedOutcome) => Promise<void>;

const ANSWERED_WITHIN_MS = 3_000;

export function sandboxControl({ url, key }: { url: string; key: string }): SandboxControl {
  const address = `${url.replace(/\/$/, '')}/control/finish`;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return async (idempotencyKey, status) => {
    const body = JSON.stringify({ idempotencyKey, status });
    const signal = AbortSignal.timeout(ANSWERED_WITHIN_MS);
    const answer = await fetch(address, { method: 'POST', headers, body, signal }).catch((error: unknown) => {
      throw unavailable('The sandbox provider', error);
    });
    await answer.body?.cancel();
    if (!answer.ok)
      throw unavailable('The sandbox provider', new Error(`The sandbox provider returned ${answer.status}.`));
  };
}
