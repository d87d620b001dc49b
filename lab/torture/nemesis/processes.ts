import { type Victim, replace, signal } from '../system/instances.js';
import { type Arena, oneOf } from './arena.js';
import type { Blow } from './nemesis.js';

/** Longer than the leases of events and payouts, and than the lifetime of tokens. */
const PAST_EVERY_LEASE_MS = [31_000, 36_000] as const;
const SECOND = 1_000;
const SHIFTS_MS = [SECOND, 20 * SECOND, 90 * SECOND, 3_600 * SECOND, 86_400 * SECOND];

export function blowsToProcesses(arena: Arena): Blow[] {
  const { victims } = arena.stage;
  const paused = (kind: string, weight: number, holdMs: readonly [number, number]): Blow => ({
    kind,
    weight,
    aim: () => {
      const { name, pid } = oneOf(arena, victims);
      return {
        about: name,
        targets: [name],
        holdMs,
        strike: async () => {
          const stopped = pid();
          signal(stopped, 'SIGSTOP');
          return async () => signal(stopped, 'SIGCONT');
        },
      };
    },
  });
  const ended = (kind: string, weight: number, end: (victim: Victim) => Promise<void>): Blow => ({
    kind,
    weight,
    aim: () => {
      const victim = oneOf(arena, victims);
      return { about: victim.name, targets: [victim.name], strike: () => end(victim) };
    },
  });
  return [
    ended('process killed', 4, ({ kill }) => kill('SIGKILL')),
    ended('process replaced', 2, replace),
    paused('process paused', 3, [300, 6_000]),
    paused('process paused past every lease', 0.7, PAST_EVERY_LEASE_MS),
    shifted(arena, 'clock ahead', 1),
    shifted(arena, 'clock behind', -1),
  ];
}

function shifted(arena: Arena, kind: string, sign: 1 | -1): Blow {
  return {
    kind,
    weight: 2,
    aim: () => {
      const { name, setClock }: Victim = oneOf(arena, arena.stage.victims);
      const offsetMs = sign * oneOf(arena, SHIFTS_MS);
      return {
        about: `${name} by ${offsetMs / SECOND} s`,
        targets: [`clock of ${name}`],
        holdMs: [1_000, 8_000],
        strike: async () => {
          setClock(offsetMs);
          return async () => setClock(0);
        },
      };
    },
  };
}
