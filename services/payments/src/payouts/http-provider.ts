import {
  isNotFound,
  isOrderPage,
  isPayout,
  type Cancellation,
  type Order,
  type OrderPage,
} from '@payroll/provider-protocol';
import { Pool } from 'undici';
import { type Instant, parseJson, unavailable } from '@payroll/kernel';
import type { ProviderPayout } from '../domain/payout.js';
import { recipientText } from '../domain/unclaimed-order.js';
import type { PayoutOrder, PayoutProvider, ValidOrder } from './provider.js';
import type { SimulatedOutcome } from '../commands/sandbox.js';

interface Question {
  method: 'GET' | 'POST';
  path: string;
  signal: AbortSignal;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: object;
}

interface HttpAnswer {
  status: number;
  /** Undefined if it is not JSON. */
  body: unknown;
}

/** Shorter than the usual idle time-out of a provider or its proxy. */
const IDLE_MS = 4_000;
const LARGEST_ANSWER = 1_048_576;

/**
 * Payout provider over HTTP (packages/provider-protocol). Anything but a valid answer for the requested key throws,
 * whatever its status: the order's state is unknown, and it is looked up again.
 */
export class HttpProvider implements PayoutProvider, AsyncDisposable {
  private readonly pool: Pool;
  private readonly prefix: string;

  constructor(
    url: string,
    private readonly key: string,
  ) {
    const { origin, pathname } = new URL(url);
    this.pool = new Pool(origin, { connections: 16, keepAliveMaxTimeout: IDLE_MS, maxResponseSize: LARGEST_ANSWER });
    this.prefix = pathname.replace(/\/$/, '');
  }

  async submit({ idempotencyKey, validUntil, ...order }: ValidOrder, signal: AbortSignal): Promise<ProviderPayout> {
    const body: Order = { ...termsOf(order), validUntil };
    const headers = { 'idempotency-key': idempotencyKey };
    const answer = await this.ask({ method: 'POST', path: '/payouts', headers, body, signal });
    return knownFrom(answer, idempotencyKey) ?? noAnswer(answer);
  }

  async cancel({ idempotencyKey, ...order }: PayoutOrder, signal: AbortSignal): Promise<ProviderPayout> {
    const path = `/payouts/${encodeURIComponent(idempotencyKey)}/cancel`;
    const answer = await this.ask({ method: 'POST', path, body: termsOf(order), signal });
    return knownFrom(answer, idempotencyKey) ?? noAnswer(answer);
  }

  async lookUp(
    { idempotencyKey }: Pick<PayoutOrder, 'idempotencyKey'>,
    signal: AbortSignal,
  ): Promise<ProviderPayout | null> {
    const path = `/payouts/${encodeURIComponent(idempotencyKey)}`;
    const answer = await this.ask({ method: 'GET', path, signal });
    const { status, body } = answer;
    if (status === 404 && isNotFound(body) && body.idempotencyKey === idempotencyKey) return null;
    return knownFrom(answer, idempotencyKey) ?? noAnswer(answer);
  }

  async ordersSince(since: Instant, after: string | null, signal: AbortSignal): Promise<OrderPage> {
    const query = new URLSearchParams({ since, ...(after !== null && { after }) });
    const answer = await this.ask({ method: 'GET', path: `/orders?${query.toString()}`, signal });
    const { status, body } = answer;
    return status === 200 && isOrderPage(body) ? body : noAnswer(answer);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.pool.close();
  }

  private async ask({ path, headers, body, ...request }: Question): Promise<HttpAnswer> {
    const authorization = `Bearer ${this.key}`;
    const answer = await this.pool.request({
      ...request,
      path: this.prefix + path,
      headers: { ...headers, authorization, ...(body && { 'content-type': 'application/json' }) },
      body: body ? JSON.stringify(body) : null,
    });
    const text = await answer.body.text();
    return { status: answer.statusCode, body: parseJson(text) };
  }
}

function termsOf({
  amount,
  payoutMethod: method,
  destination,
  recipient,
}: Omit<PayoutOrder, 'idempotencyKey'>): Cancellation {
  return { ...amount, method, destination, recipient: recipientText(recipient) };
}

/** Null unless the body is about the requested order. */
function knownFrom({ status, body }: HttpAnswer, idempotencyKey: string): ProviderPayout | null {
  if ((status !== 200 && status !== 201) || !isPayout(body) || body.idempotencyKey !== idempotencyKey) return null;
  const { reference, amount, currency, method: payoutMethod, destination } = body;
  return { status: body.status, reference, amount: { amount, currency }, payoutMethod, destination };
}

function noAnswer({ status }: HttpAnswer): never {
  throw new Error(`The payout provider returned ${status} without a valid answer for this order.`);
}

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
