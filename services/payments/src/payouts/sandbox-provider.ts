import type { EntityManager } from '@mikro-orm/postgresql';
import { columns, read, sql, type TableRow } from '@payroll/store';
import type { KnownPayout, PayoutTerms } from '../domain/payout.js';
import { SandboxPayoutTable } from '../store/money-tables.js';
import type { PayoutOrder, PayoutProvider } from './provider.js';

type Row = TableRow<typeof SandboxPayoutTable>;

interface Script {
  arrivesAs: Row['state'];
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

/** Moves no money. Its table outlives the process, and in `SANDBOX_DATABASE_URL` a restore, like a real provider. */
export class SandboxProvider implements PayoutProvider {
  constructor(private readonly em: EntityManager) {}

  async submit(order: PayoutOrder): Promise<KnownPayout> {
    const { idempotencyKey, amount, payoutMethod, destination } = order;
    const { arrivesAs, answers } = SCRIPTS.get(destination)?.(order.attempt) ?? SETTLES;
    // An order that was lost arrives when it is sent again.
    const [row] = await read(
      this.em,
      sql`insert into sandbox_payout (idempotency_key, state, currency, amount, payout_method, destination, created_at)
        values (${idempotencyKey}, ${arrivesAs}, ${amount.currency}, ${amount.amount}, ${payoutMethod}, ${destination},
          clock_timestamp())
        on conflict (idempotency_key) do update set
          state = case sandbox_payout.state when 'lost' then 'settled' else sandbox_payout.state end,
          payout_method = coalesce(sandbox_payout.payout_method, excluded.payout_method),
          destination = coalesce(sandbox_payout.destination, excluded.destination)
        returning ${columns(SandboxPayoutTable)}`,
    );
    const known = toKnown(row!);
    if (!answers || known === null) throw new Error('The sandbox provider did not answer in time.');
    return known;
  }

  /** An order that was only accepted is settled by the first look at it. */
  async lookUp({ idempotencyKey, payoutMethod, destination }: PayoutOrder): Promise<KnownPayout | null> {
    const [row] = await read(
      this.em,
      sql`update sandbox_payout set state = case state when 'accepted' then 'settled' else state end,
          payout_method = coalesce(payout_method, ${payoutMethod}), destination = coalesce(destination, ${destination})
        where idempotency_key = ${idempotencyKey}
        returning ${columns(SandboxPayoutTable)}`,
    );
    return row ? toKnown(row) : null;
  }
}

function toKnown({ idempotencyKey, state, currency, amount, ...row }: Row): KnownPayout | null {
  // Both statements fill in what orders of earlier releases lack.
  const { payoutMethod, destination } = row as Pick<PayoutTerms, 'payoutMethod' | 'destination'>;
  const known = { reference: `sandbox-${idempotencyKey}`, amount: { amount, currency }, payoutMethod, destination };
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
