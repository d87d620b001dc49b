import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { PayoutMethod } from '../domain/payee.js';
import type { KnownPayout } from '../domain/payout.js';
import type { PayoutOrder, PayoutProvider } from './provider.js';

/** What became of an order; a lost one never arrived, a held one stays under way. */
export const SANDBOX_STATES = ['lost', 'accepted', 'held', 'settled', 'declined'] as const;
type SandboxState = (typeof SANDBOX_STATES)[number];

interface Script {
  arrivesAs: SandboxState;
  /** Whether who submits gets an answer. */
  answers: boolean;
}

const SETTLES: Script = { arrivesAs: 'settled', answers: true };
const DECLINES: Script = { arrivesAs: 'declined', answers: true };

/** Destinations that script the outcome; to any other the money arrives at once. */
const SCRIPTS: ReadonlyMap<string, (attempt: number) => Script> = new Map([
  ['sandbox:declines', () => DECLINES],
  ['sandbox:declines-once', (attempt: number) => (attempt === 1 ? DECLINES : SETTLES)],
  ['sandbox:settles-later', () => ({ arrivesAs: 'accepted', answers: true })],
  ['sandbox:stays-under-way', () => ({ arrivesAs: 'held', answers: true })],
  ['sandbox:times-out', () => ({ arrivesAs: 'accepted', answers: false })],
  ['sandbox:answer-lost', () => ({ arrivesAs: 'settled', answers: false })],
  ['sandbox:order-lost', () => ({ arrivesAs: 'lost', answers: true })],
]);

/**
 * A provider that moves no money and follows the script that an order's destination names. It remembers every order in a
 * table, as a real one would, so that orders outlive this process; in a database of its own (`SANDBOX_DATABASE_URL`) they
 * also outlive a restore, as with a real provider.
 */
export class SandboxProvider implements PayoutProvider {
  constructor(private readonly em: EntityManager) {}

  async submit(order: PayoutOrder): Promise<KnownPayout> {
    const { idempotencyKey, amount, payoutMethod, destination } = order;
    const { arrivesAs, answers } = SCRIPTS.get(destination)?.(order.attempt) ?? SETTLES;
    // An order that was lost arrives when it is sent again.
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
    // Orders of earlier releases have no method or destination.
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
