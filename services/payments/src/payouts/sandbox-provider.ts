import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { PayoutAnswer } from '../domain/payout.js';
import type { PayoutOrder, PayoutProvider } from './provider.js';
import { scriptOf, type SandboxState } from './sandbox-script.js';

/**
 * A provider that moves no money and plays by the script that an order's destination names. It remembers every order in
 * a table of its own, as a real one would, so that what it was told outlives this process.
 */
export class SandboxProvider implements PayoutProvider {
  constructor(private readonly em: EntityManager) {}

  async submit(order: PayoutOrder): Promise<PayoutAnswer> {
    const { idempotencyKey, amount } = order;
    const { arrivesAs, answers } = scriptOf(order);
    // Whatever was lost on its way the first time arrives the second.
    const { rows } = await sql<{ state: SandboxState }>`
      insert into sandbox_payout (idempotency_key, state, currency, amount, created_at)
      values (${idempotencyKey}, ${arrivesAs}, ${amount.currency}, ${amount.amount}, clock_timestamp())
      on conflict (idempotency_key) do update
        set state = case sandbox_payout.state when 'lost' then 'settled' else sandbox_payout.state end
      returning state`.execute(this.em.getKysely());
    const answer = answerOf(idempotencyKey, rows[0]!.state);
    if (!answers || answer === null) throw new Error('The sandbox provider did not answer in time.');
    return answer;
  }

  /** An order that was only accepted is settled by the first look at it. */
  async lookUp(idempotencyKey: string): Promise<PayoutAnswer | null> {
    const { rows } = await sql<{ state: SandboxState }>`
      update sandbox_payout set state = case state when 'accepted' then 'settled' else state end
      where idempotency_key = ${idempotencyKey}
      returning state`.execute(this.em.getKysely());
    return rows[0] ? answerOf(idempotencyKey, rows[0].state) : null;
  }
}

function answerOf(idempotencyKey: string, state: SandboxState): PayoutAnswer | null {
  const reference = `sandbox-${idempotencyKey}`;
  switch (state) {
    case 'lost':
      return null;
    case 'accepted':
    case 'held':
      return { status: 'submitted', reference };
    case 'settled':
    case 'declined':
      return { status: state, reference };
  }
}
