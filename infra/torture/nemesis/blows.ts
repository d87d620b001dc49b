import type { Arena } from './arena.js';
import { blowsToBackends } from './backends.js';
import { blowsToHistories } from './histories.js';
import type { Blow } from './nemesis.js';
import { signal } from '../stage/victims.js';
import { blowsToProcesses } from './processes.js';
import { blowsOfTime } from './retention.js';
import { blowsToWays } from './ways.js';

export function allBlows(arena: Arena): Blow[] {
  return [
    ...blowsToProcesses(arena),
    ...blowsToBackends(arena),
    ...blowsToHistories(arena),
    ...blowsToWays(arena),
    ...blowsOfTime(arena),
  ];
}

/** Each blow is healed by itself; this is for what a blow that came later has hidden. */
export async function healAll({ stage: { victims, ways, stack } }: Arena): Promise<void> {
  for (const { pid, setClock, ways: own } of victims) {
    signal(pid(), 'SIGCONT');
    setClock(0);
    own.nats.heal();
    own.postgres?.heal();
  }
  for (const way of [...ways.facades, ways.graph, ways.mcp]) way.heal();
  await stack.postgres.start();
  await stack.nats.start();
}
