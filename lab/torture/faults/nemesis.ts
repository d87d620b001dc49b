import { setTimeout as pause } from 'node:timers/promises';
import { shuffled } from '@payroll/tests/support/random';
import type { Records } from '../checker/records.js';
import type { Clients } from '../clients/clients.js';
import type { System } from '../system/system.js';

/** The system and its clients, as faults reach them. */
export interface FaultContext {
  system: System;
  clients: Clients;
  random: () => number;
  /** The content of the databases that were replaced. */
  replaced: Records[];
  /** Serializes faults that stop, copy or replace Postgres. */
  withPostgres: <T>(work: () => Promise<T>) => Promise<T>;
}

export function contextOf(system: System, clients: Clients, random: () => number): FaultContext {
  let last: Promise<unknown> = Promise.resolve();
  const withPostgres = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
  return { system, clients, random, replaced: [], withPostgres };
}

interface Target {
  name: string;
  /** Names that no other fault may have at the same time; by default its own. `*` stands for everything. */
  locks?: readonly string[];
}

type Span = readonly [least: number, most: number];
/** None if the system recovers by itself. */
type Heal = (() => unknown) | void;

export interface Fault {
  kind: string;
  /** Its frequency, relative to the others. */
  weight: number;
  /** The time between the fault and its healing. */
  holdMs: Span;
  plan: (random: () => number) => Required<Target> & { inject: () => Promise<Heal> };
}

/** A fault of one of these targets, which chance chooses. */
export function fault<Each extends Target>(
  kind: string,
  weight: number,
  targets: readonly Each[],
  inject: (target: Each) => Promise<Heal> | Heal,
  holdMs: Span = [300, 4_000],
): Fault {
  const plan: Fault['plan'] = (random) => {
    const target = targets[Math.floor(random() * targets.length)]!;
    const { name, locks = [name] } = target;
    return { name, locks, inject: async () => await inject(target) };
  };
  return { kind, weight, holdMs, plan };
}

const EVERY_MS = [700, 2_500] as const;

/** Injects faults at random, in an order that the seed repeats; the times are not repeated. */
export class Nemesis {
  readonly injected = new Map<string, number>();
  private readonly locked = new Set<string>();
  private readonly open = new Set<Promise<void>>();
  private failure: Error | undefined;

  constructor(
    private readonly clients: Clients,
    private readonly faults: readonly Fault[],
    private readonly random: () => number,
  ) {}

  async injectUntil(end: number): Promise<void> {
    // Each kind once before chance decides, as far as time allows.
    const first = shuffled(this.faults, this.random);
    while (performance.now() < end && this.failure === undefined) {
      await pause(this.between(EVERY_MS));
      const next = first.shift() ?? this.chosen();
      const isInjected = await this.inject(next, end);
      if (!isInjected && !this.injected.has(next.kind)) first.push(next);
    }
    await Promise.all(this.open);
    if (this.failure !== undefined) throw this.failure;
  }

  /** False if it has to wait for others to be healed, or if no time is left for it. */
  private async inject({ kind, holdMs, plan }: Fault, end: number): Promise<boolean> {
    const { name, locks, inject } = plan(this.random);
    if (performance.now() + holdMs[0] > end) return false;
    if (locks.includes('*')) await Promise.all(this.open);
    if (locks.some((each) => this.locked.has(each))) return false;
    this.injected.set(kind, (this.injected.get(kind) ?? 0) + 1);
    this.clients.history.log({ type: 'fault', kind, about: name });
    for (const each of locks) this.locked.add(each);
    const injecting = this.carryOut(inject, holdMs)
      .catch((error: unknown) => (this.failure ??= new Error(`${kind}: ${String(error)}`, { cause: error })))
      .then(() => {
        for (const each of locks) this.locked.delete(each);
        this.open.delete(injecting);
      });
    this.open.add(injecting);
    if (locks.includes('*')) await injecting;
    return true;
  }

  private async carryOut(inject: () => Promise<Heal>, holdMs: Span): Promise<void> {
    const heal = await inject();
    if (!heal) return;
    await pause(this.between(holdMs));
    await heal();
  }

  private chosen(): Fault {
    const all = this.faults.reduce((sum, { weight }) => sum + weight, 0);
    let left = this.random() * all;
    return this.faults.find(({ weight }) => (left -= weight) < 0) ?? this.faults[0]!;
  }

  private between([least, most]: Span): number {
    return least + this.random() * (most - least);
  }
}
