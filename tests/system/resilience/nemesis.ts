import { setTimeout as pause } from 'node:timers/promises';
import type { DatabaseSwitch } from '../../support/database-switch.js';
import type { System } from '../support.js';

const VICTIMS = ['review', 'payments'] as const;

/** A switch of databases: commits made after the copy was taken are lost. */
export interface Switched {
  copiedAt: number;
  /** The name under which the lost database can still be read. */
  left: string;
}

/** Injects faults at random, in an order that the seed repeats, and heals them. */
export class Nemesis {
  readonly switches: Switched[] = [];
  readonly done: string[] = [];
  private copy: { name: string; at: number } | undefined;

  constructor(
    private readonly system: System,
    private readonly database: DatabaseSwitch,
    private readonly random: () => number,
  ) {}

  async strikeUpTo(most: number): Promise<void> {
    for (let n = Math.floor(this.random() * (most + 1)); n > 0; n--) await this.strike();
  }

  private async strike(): Promise<void> {
    const { stack } = this.system;
    const victim = VICTIMS[Math.floor(this.random() * VICTIMS.length)]!;
    const blows: Record<string, () => Promise<unknown>> = {
      copy: () => this.takeCopy(),
      switch: () => this.switch(),
      'switch again': () => this.switch(),
      'pause a process': async () => this.signal(victim, 'SIGSTOP'),
      'let it go on': async () => this.signal(victim, 'SIGCONT'),
      'kill a process': () => stack.kill(victim, 'SIGKILL'),
      'cut off a service': () => this.database.cutOff(victim),
      'let it in': () => this.database.letIn(victim),
      'restart Postgres': () => stack.postgres.kill('SIGINT'),
      'restart NATS': () => stack.nats.kill('SIGKILL'),
    };
    const names = Object.keys(blows);
    const name = names[Math.floor(this.random() * names.length)]!;
    this.done.push(name);
    await blows[name]!();
    await pause(this.random() * 400);
  }

  /** Resumes every process, restores its access to the current database and waits until it is ready. */
  async heal(): Promise<void> {
    for (const victim of VICTIMS) {
      this.signal(victim, 'SIGCONT');
      await this.database.letIn(victim);
      await this.system.stack.ready(victim);
    }
  }

  private async takeCopy(): Promise<void> {
    const at = performance.now();
    this.copy = { name: await this.database.copy(), at };
  }

  private async switch(): Promise<void> {
    const { copy } = this;
    if (!copy) return await this.takeCopy();
    this.copy = undefined;
    this.switches.push({ copiedAt: copy.at, left: await this.database.switchTo(copy.name) });
  }

  private signal(victim: (typeof VICTIMS)[number], signal: NodeJS.Signals): void {
    const pid = this.system.stack.file.processes[victim];
    try {
      process.kill(pid!, signal);
    } catch {
      // The process was killed and its successor has not started yet.
    }
  }
}
