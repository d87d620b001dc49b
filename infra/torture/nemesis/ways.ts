import type { Passage } from '../stage/passage.js';
import { oneOf, type Arena } from './arena.js';
import type { Blow } from './nemesis.js';

interface Way {
  name: string;
  passage: Passage;
}

/** What happens to connections: between processes and Postgres or NATS, and between clients and the edges. */
export function blowsToWays(arena: Arena): Blow[] {
  const ways = waysOf(arena);
  const blow = (
    kind: string,
    weight: number,
    strike: (passage: Passage) => void,
    holdMs = [500, 6_000] as const,
  ): Blow => ({
    kind,
    weight,
    aim: () => {
      const { name, passage } = oneOf(arena, ways);
      return {
        about: name,
        targets: [name],
        holdMs,
        strike: async () => {
          strike(passage);
          return async () => passage.heal();
        },
      };
    },
  });
  return [
    blow('connections cut', 2, (passage) => passage.cut()),
    blow('no connection', 1, (passage) => passage.cut(true)),
    blow('connections slow', 2, (passage) => (passage.delayMs = 20 + arena.random() * 700)),
    blow('connections silent', 2, (passage) => (passage.isSilent = true)),
    blow('answers lost after commit', 4, (passage) => (passage.answersToLose = 1 + Math.floor(arena.random() * 6))),
  ];
}

function waysOf({ stage: { victims, ways } }: Arena): Way[] {
  const inside = victims.flatMap(({ name, ways: { postgres, nats } }) => [
    { name: `${name} to NATS`, passage: nats },
    ...(postgres ? [{ name: `${name} to Postgres`, passage: postgres }] : []),
  ]);
  const outside = [
    ...ways.facades.map((passage, n) => ({ name: `clients to facade ${n + 1}`, passage })),
    { name: 'clients to graph', passage: ways.graph },
    { name: 'assistants to mcp', passage: ways.mcp },
  ];
  return [...inside, ...outside, ...outside];
}
