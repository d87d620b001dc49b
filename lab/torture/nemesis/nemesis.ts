import { setTimeout as pause } from 'node:timers/promises';
import type { Crew } from '../clients/crew.js';
import { shuffled } from '@payroll/tests/support/random';

/** A fault and its healing; none if the system recovers by itself. */
export interface Blow {
  kind: string;
  /** Its frequency, relative to the others. */
  weight: number;
  /** Picks its targets. */
  aim: () => Aim;
}

export interface Aim {
  about: string;
  /** No other fault may strike these at the same time. `*` stands for everything. */
  targets: readonly string[];
  strike: () => Promise<(() => Promise<void>) | void>;
  /** The time between the fault and its healing. */
  holdMs?: readonly [least: number, most: number];
}

const EVERY_MS = [700, 2_500] as const;

/** Strikes at random, in an order that the seed repeats; the times are not repeated. */
export class Nemesis {
  readonly struck = new Map<string, number>();
  private readonly busy = new Set<string>();
  private readonly open = new Set<Promise<void>>();
  private failure: Error | undefined;

  constructor(
    private readonly crew: Crew,
    private readonly blows: readonly Blow[],
    private readonly random: () => number,
  ) {}

  async strikeUntil(end: number): Promise<void> {
    // Each kind strikes once before chance decides, as far as time allows.
    const first = shuffled(this.blows, this.random);
    while (performance.now() < end && this.failure === undefined) {
      await pause(this.between(EVERY_MS));
      const blow = first.shift() ?? this.chosen();
      const isStruck = await this.strike(blow, end);
      if (!isStruck && !this.struck.has(blow.kind)) first.push(blow);
    }
    await Promise.all(this.open);
    if (this.failure !== undefined) throw this.failure;
  }

  /** False if it has to wait for others to be healed, or if no time is left for it. */
  private async strike(blow: Blow, end: number): Promise<boolean> {
    const aim = blow.aim();
    if (performance.now() + (aim.holdMs?.[0] ?? 0) > end) return false;
    if (aim.targets.includes('*')) await Promise.all(this.open);
    if (aim.targets.some((target) => this.busy.has(target))) return false;
    this.struck.set(blow.kind, (this.struck.get(blow.kind) ?? 0) + 1);
    this.crew.history.log({ type: 'fault', kind: blow.kind, about: aim.about });
    const striking = this.carryOut(aim)
      .catch((error: unknown) => (this.failure ??= new Error(`${blow.kind}: ${String(error)}`, { cause: error })))
      .then(() => void this.open.delete(striking));
    this.open.add(striking);
    if (aim.targets.includes('*')) await striking;
    return true;
  }

  private async carryOut({ targets, strike, holdMs = [300, 4_000] }: Aim): Promise<void> {
    for (const target of targets) this.busy.add(target);
    try {
      const heal = await strike();
      if (!heal) return;
      await pause(this.between(holdMs));
      await heal();
    } finally {
      for (const target of targets) this.busy.delete(target);
    }
  }

  private chosen(): Blow {
    const all = this.blows.reduce((sum, { weight }) => sum + weight, 0);
    let left = this.random() * all;
    return this.blows.find(({ weight }) => (left -= weight) < 0) ?? this.blows[0]!;
  }

  private between([least, most]: readonly [number, number]): number {
    return least + this.random() * (most - least);
  }
}
