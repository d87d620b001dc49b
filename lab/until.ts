import { setTimeout as pause } from 'node:timers/promises';

interface Patience {
  everyMs?: number;
  withinMs?: number;
}

/** Looks until there is something to see. @returns it, or undefined when the time is over */
export async function until<Seen>(
  look: () => Promise<Seen | undefined | false> | Seen | undefined | false,
  { everyMs = 200, withinMs = Infinity }: Patience = {},
): Promise<Seen | undefined> {
  for (const givesUp = performance.now() + withinMs; ; await pause(everyMs)) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (performance.now() > givesUp) return undefined;
  }
}
