import { setTimeout as pause } from 'node:timers/promises';
import type { Passage } from '@payroll/tests/support/tcp-proxy';
import { oneOf, type Arena } from './arena.js';
import type { Blow } from './nemesis.js';

interface Way {
  name: string;
  passage: Passage;
}

/** Faults of connections: between processes and their servers, and between clients and the edges. */
export function blowsToWays(arena: Arena): Blow[] {
  const blow = on(arena, waysOf(arena));
  return [
    blow('connections cut', 2, (passage) => passage.cut()),
    blow('no connection', 1, (passage) => passage.cut(true)),
    blow('connections slow', 2, (passage) => (passage.delayMs = 20 + arena.random() * 700)),
    blow('connections silent', 2, (passage) => (passage.isSilent = true)),
    blow('answers lost after commit', 4, (passage) => (passage.answersToLose = 1 + Math.floor(arena.random() * 6))),
  ];
}

/** Faults of the payout provider, as payments sees it. */
export function blowsByProvider(arena: Arena): Blow[] {
  const blow = on(arena, [{ name: 'payments to provider', passage: arena.stage.ways.provider }]);
  return [
    blow('provider down', 1, (passage) => passage.cut(true)),
    blow('provider slow', 1, (passage) => (passage.delayMs = 200 + arena.random() * 3_000)),
    blow('provider silent', 1, (passage) => (passage.isSilent = true)),
    blow('provider times out after doing the work', 2, (passage) => (passage.answersToLose = 20)),
    forgets(arena),
  ];
}

/** Acknowledged and not paid yet. */
const ACKNOWLEDGED = `select idempotency_key as key, amount::text from payments.payout_attempt
  where status = 'submitted' and alarm is null`;
const MAX_FORGOTTEN = 5;
/** How long to wait for an order that can be forgotten. */
const WAITS_MS = 5_000;

function forgets({ stage, crew, withPostgres }: Arena): Blow {
  const strike = async (): Promise<void> => {
    const until = performance.now() + WAITS_MS;
    for (let gone = new Set<string>(); gone.size === 0 && performance.now() < until; await pause(200)) {
      const orders = await withPostgres(() => stage.database.rows<{ key: string; amount: string }>(ACKNOWLEDGED));
      const keys = orders.slice(0, MAX_FORGOTTEN).map(({ key }) => key);
      gone = await forget(stage.provider, keys);
      for (const { key, amount } of orders) if (gone.has(key)) crew.history.log({ type: 'forgotten', amount });
    }
  };
  return {
    kind: 'provider forgets orders',
    weight: 2,
    aim: () => ({ about: 'provider', targets: ['histories'], strike }),
  };
}

/** Orders that were in progress and that the provider has now forgotten. */
async function forget({ url, key }: Arena['stage']['provider'], idempotencyKeys: string[]): Promise<Set<string>> {
  const response = await fetch(`${url}/control/forget`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ idempotencyKeys }),
  });
  const { forgotten } = (await response.json()) as { forgotten: string[] };
  return new Set(forgotten);
}

const on =
  (arena: Arena, ways: readonly Way[]) =>
  (kind: string, weight: number, strike: (passage: Passage) => void): Blow => ({
    kind,
    weight,
    aim: () => {
      const { name, passage } = oneOf(arena, ways);
      return {
        about: name,
        targets: [name],
        holdMs: [500, 6_000],
        strike: async () => {
          strike(passage);
          return async () => passage.heal();
        },
      };
    },
  });

function waysOf({ stage: { victims, ways } }: Arena): Way[] {
  const inside = victims.flatMap(({ name, ways: own }) =>
    Object.entries(own).map(([to, passage]) => ({ name: `${name} to ${to}`, passage })),
  );
  const outside = [
    ...ways.facades.map((passage, n) => ({ name: `clients to facade ${n + 1}`, passage })),
    { name: 'clients to graph', passage: ways.graph },
    { name: 'assistants to mcp', passage: ways.mcp },
  ];
  return [...inside, ...outside, ...outside];
}
