import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { PayoutMethod } from '../domain/payee.js';
import type { KnownPayout } from '../domain/payout.js';
import type { PayoutOrder, PayoutProvider } from './provider.js';
import { scriptOf, type SandboxState } from './sandbox-script.js';

/**
 * A provider that moves no money and plays by the script that an order's destination names. It remembers every order in
 * a table of its own, as a real one would, so that what it was told outlives this process; in a database of its own
 * (`SANDBOX_DATABASE_URL`) it also outlives a restore, as the outside world does.
 */
export class SandboxProvider implements PayoutProvider {
  constructor(private readonly em: EntityManager) {}

  async submit(order: PayoutOrder): Promise<KnownPayout> {
    const { idempotencyKey, amount, payoutMethod, destination } = order;
    const { arrivesAs, answers } = scriptOf(order);
    // Whatever was lost on its way the first time arrives the second.
    const { rows } = await sql<Row>`
      insert into sandbox_payout as known (idempotency_key, state, currency, amount, payout_method, destination, created_at)
      values (${idempotencyKey}, ${arrivesAs}, ${amount.currency}, ${amount.amount}, ${payoutMethod}, ${destination},
        clock_timestamp())
      on conflict (idempotency_key) do update set
        state = case known.state when 'lost' then 'settled' else known.state end,
        payout_method = coalesce(known.payout_method, excluded.payout_method),
        destination = coalesce(known.destination, excluded.destination)
      returning ${KNOWN}`.execute(this.em.getKysely());
    const known = toKnown(rows[0]!);
    if (!answers || known === null) throw new Error('The sandbox provider did not answer in time.');
    return known;
  }

  /** An order that was only accepted is settled by the first look at it. */
  async lookUp({ idempotencyKey, payoutMethod, destination }: PayoutOrder): Promise<KnownPayout | null> {
    // Orders of versions before do not say where to.
    const { rows } = await sql<Row>`
      update sandbox_payout set state = case state when 'accepted' then 'settled' else state end,
        payout_method = coalesce(payout_method, ${payoutMethod}), destination = coalesce(destination, ${destination})
      where idempotency_key = ${idempotencyKey}
      returning ${KNOWN}`.execute(this.em.getKysely());
    return rows[0] ? toKnown(rows[0]) : null;
  }
}

const KNOWN = sql`idempotency_key as key, state, currency, amount, payout_method as "payoutMethod", destination`;

interface Row {
  key: string;
  state: SandboxState;
  currency: string;
  amount: string;
  payoutMethod: PayoutMethod;
  destination: string;
}

function toKnown({ key, state, currency, amount, payoutMethod, destination }: Row): KnownPayout | null {
  const known = { reference: `sandbox-${key}`, amount: { amount, currency }, payoutMethod, destination };
  switch (state) {
    case 'lost':
      return null;
    case 'accepted':
    case 'held':
      return { ...known, status: 'submitted' };
    case 'settled':
    case 'declined':
      return { ...known, status: state };
  }
}
