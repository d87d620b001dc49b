import type { EntityManager } from '@mikro-orm/postgresql';
import { as, columns, read, sql } from '@payroll/store';
import type { KnownPayout } from '../domain/payout.js';
import { SandboxPayoutTable } from '../store/money-tables.js';
import type { PayoutOrder, PayoutProvider } from './provider.js';

/**
 * Before the sandbox provider was a process of its own, the version before kept its orders in the database. Nobody can add
 * to them any more: what it has accepted is found here, everything else at the provider.
 */
export function withEarlierOrders(provider: PayoutProvider, em: EntityManager): PayoutProvider {
  return {
    submit: async (order, signal) => (await findEarlier(em, order)) ?? (await provider.submit(order, signal)),
    lookUp: async (order, signal) => (await findEarlier(em, order)) ?? (await provider.lookUp(order, signal)),
  };
}

async function findEarlier(em: EntityManager, order: PayoutOrder): Promise<KnownPayout | null> {
  const { idempotencyKey } = order;
  const status = sql`case state when 'held' then 'submitted' when 'declined' then 'declined' else 'settled' end`;
  const [row] = await read(
    em,
    sql`select ${columns(SandboxPayoutTable, 'currency', 'amount', 'payoutMethod', 'destination')}, ${as('status', 'text', status)}
      from sandbox_payout where idempotency_key = ${idempotencyKey} and state <> 'lost'`,
  );
  if (!row) return null;
  const { amount, currency, payoutMethod, destination } = row;
  return {
    status: row.status as KnownPayout['status'],
    reference: `sandbox-${idempotencyKey}`,
    amount: { amount, currency },
    // The oldest have none.
    payoutMethod: payoutMethod ?? order.payoutMethod,
    destination: destination ?? order.destination,
  };
}
