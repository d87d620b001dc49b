import type { Arena } from './arena.js';
import { blowsToBackends } from './backends.js';
import { blowsToHistories } from './histories.js';
import type { Blow } from './nemesis.js';
import { signal } from '../stage/victims.js';
import { blowsToProcesses } from './processes.js';
import { blowsOfTime } from './retention.js';
import { blowsByProvider, blowsToWays } from './ways.js';
import { blowsByDeadLetters, putBackAll } from './dead-letters.js';

export function allBlows(arena: Arena): Blow[] {
  return [
    ...blowsToProcesses(arena),
    ...blowsToBackends(arena),
    ...blowsToHistories(arena),
    ...blowsToWays(arena),
    ...blowsByProvider(arena),
    ...blowsByDeadLetters(arena),
    ...blowsOfTime(arena),
  ];
}

/** Each fault heals itself; this also heals what a later fault has masked. */
export async function healAll({ stage }: Arena): Promise<void> {
  const { victims, ways, stack } = stage;
  for (const { pid, setClock, ways: own } of victims) {
    signal(pid(), 'SIGCONT');
    setClock(0);
    for (const way of Object.values(own)) way.heal();
  }
  for (const way of [...ways.facades, ways.graph, ways.mcp, ways.provider]) way.heal();
  await stack.postgres.start();
  await stack.nats.start();
  await Promise.allSettled(victims.map((victim) => victim.ready()));
  await putBackAll(stage);
}
