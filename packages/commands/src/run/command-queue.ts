import { DomainError } from '@payroll/kernel';
import type { Surroundings } from './command-transaction.js';
import { asDomainError } from '@payroll/store';
import { decide, decideTogether, type Asked, type Decision } from './decide.js';
import { Transaction } from './transaction.js';

/** Few enough that the workspace's change clock is held for some milliseconds only. */
const MOST_TOGETHER = 50;

interface Waiting {
  asked: Asked;
  resolve: (decision: Decision) => void;
  reject: (error: unknown) => void;
}

/**
 * Commands of one kind and workspace, which wait for each other in Postgres anyway: the first is decided at once, and those
 * that come meanwhile are decided in one transaction after it.
 */
export class CommandQueue {
  /** By kind and workspace; a queue that is there has a transaction under way. */
  private readonly queues = new Map<string, Waiting[]>();

  constructor(private readonly surroundings: Surroundings) {}

  /** @throws DomainError `SERVICE_UNAVAILABLE`, or as `decide`. */
  async decide(asked: Asked): Promise<Decision> {
    if (!asked.command.together) return await this.alone(asked);
    const key = `${asked.command.name} ${asked.operation.workspaceId}`;
    const queue = this.queues.get(key);
    if (queue) return await new Promise((resolve, reject) => queue.push({ asked, resolve, reject }));
    this.queues.set(key, []);
    try {
      return await this.alone(asked);
    } finally {
      void this.goOn(key);
    }
  }

  private async goOn(key: string): Promise<void> {
    const queue = this.queues.get(key)!;
    while (queue.length > 0) await this.take(queue.splice(0, MOST_TOGETHER));
    this.queues.delete(key);
  }

  /** Never rejects. */
  private async take(waiting: readonly Waiting[]): Promise<void> {
    const decisions = waiting.length > 1 ? await this.together(waiting.map(({ asked }) => asked)) : [];
    const later = waiting.filter(({ resolve, reject }, place) => {
      const decision = decisions[place] ?? null;
      if (decision instanceof Error) reject(decision);
      else if (decision) resolve(decision);
      return decision === null;
    });
    for (const { asked, resolve, reject } of later) await this.alone(asked).then(resolve, reject);
  }

  /** Null for each that has to be decided alone. */
  private async together(all: readonly Asked[]): Promise<readonly (Decision | Error | null)[]> {
    try {
      const decided = await Transaction.run(this.surroundings.em, (transaction) =>
        decideTogether(transaction, all, this.surroundings),
      );
      return decided.map((each) => (each instanceof Error && !(each instanceof DomainError) ? null : each));
    } catch (error) {
      const known = asDomainError(error);
      const isOutage = known instanceof DomainError && known.code === 'SERVICE_UNAVAILABLE';
      return all.map(() => (isOutage ? known : null));
    }
  }

  private async alone(asked: Asked): Promise<Decision> {
    try {
      return await Transaction.run(this.surroundings.em, (transaction) =>
        decide(transaction, asked, this.surroundings),
      );
    } catch (error) {
      throw asDomainError(error);
    }
  }
}
