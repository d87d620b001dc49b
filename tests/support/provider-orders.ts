import type { StackFile } from '@payroll/tools/local/stack-file';

export interface Order {
  idempotencyKey: string;
  amount: string;
  currency: string;
  destination: string;
  state: string;
  /** 1: it was in progress, and the provider has forgotten it. */
  forgotten: 0 | 1;
  /** How often it was ordered; for a forgotten one, since then. */
  submissions: number;
}

/** Every order that the provider has ever received. */
export async function ordersOf({ url, key }: StackFile['provider']): Promise<Order[]> {
  const response = await fetch(`${url}/control/orders`, { headers: { authorization: `Bearer ${key}` } });
  const lines = (await response.text()).split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Order);
}
