import type { Crew } from '../clients/crew.js';
import type { Testimony } from '../checker/records.js';
import type { Stage } from '../system/system.js';

/** The targets of the faults. */
export interface Arena {
  stage: Stage;
  crew: Crew;
  random: () => number;
  /** The content of the databases that were replaced. */
  left: Testimony[];
  /** Serializes faults that stop, copy or replace Postgres. */
  withPostgres: <T>(work: () => Promise<T>) => Promise<T>;
}

export function arenaOf(stage: Stage, crew: Crew, random: () => number): Arena {
  let last: Promise<unknown> = Promise.resolve();
  const withPostgres = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
  return { stage, crew, random, left: [], withPostgres };
}

export function oneOf<Item>({ random }: Pick<Arena, 'random'>, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)]!;
}
