import type { Deployment } from '@payroll/runtime';
import { DENY_ALL, type CommandPolicy, invalid } from '@payroll/kernel';
import { defineCommand, type Command, type CommandTransaction } from '@payroll/commands';
import { defineEntity, p } from '@mikro-orm/core';
import { computed, read, sql, type Sql } from '@payroll/store';
import type { ServiceDependencies } from './definition.js';

/** Admins of the workspace in person, and back ends that drive an integration test. */
const TESTERS: CommandPolicy = { ...DENY_ALL, roles: ['admin'], teams: ['service'] };

/**
 * A command with which an admin of a test deployment plays an outsider: the worker, the provider, the bank,
 * or those who verify. It runs only as the command of a deployment; in a live one it is refused to all.
 */
export class SandboxCommand<Input, Result> {
  constructor(private readonly command: Command<Input, Result>) {}

  in(deployment: Deployment): Command<Input, Result> {
    return { ...this.command, who: deployment === 'test' ? TESTERS : DENY_ALL };
  }
}

export function defineSandboxCommand<Input, Result>(
  name: string,
  handle: (tx: CommandTransaction, input: Input) => Result | Promise<Result>,
): SandboxCommand<Input, Result> {
  return new SandboxCommand(defineCommand(name, { who: DENY_ALL, decide: handle }));
}

/** The sandbox version of a command that the outsider has as well. */
export function sandboxVersionOf<Input, Result>(
  name: string,
  command: Command<Input, Result>,
): SandboxCommand<Input, Result> {
  return new SandboxCommand({ ...command, name });
}

/**
 * How many days a workspace of a test deployment is ahead. Only due dates follow it: timestamps are from
 * Postgres's clock. It only moves forward.
 */
export const CalendarTable = defineEntity({
  name: 'Calendar',
  tableName: 'calendar',
  properties: { workspaceId: p.uuid().primary(), daysAhead: p.integer() },
});

/** Days ahead in SQL; always 0 in a live deployment, even if the table has rows. */
export class Calendar {
  private readonly isLive: boolean;

  constructor({ deployment }: Pick<ServiceDependencies, 'deployment'>) {
    this.isLive = deployment === 'live';
  }

  of(workspaceId: Sql | string): Sql {
    if (this.isLive) return sql`0`;
    return sql`coalesce((select days_ahead from calendar where calendar.workspace_id = ${workspaceId}), 0)`;
  }

  /**
   * The workspaces that are ahead, for `from`: what is due in them alone is looked for workspace by workspace. Reading all that is
   * due up to the furthest day of any would make one of them slow down every round.
   */
  get moved(): Sql {
    return this.isLive ? sql`(select null::uuid as workspace_id, 0 as days_ahead where false) calendar` : sql`calendar`;
  }
}

/** The days that this workspace is ahead, for the sandbox. */
export async function readDaysAhead(
  parts: Pick<ServiceDependencies, 'em' | 'deployment'>,
  workspaceId: string,
): Promise<number> {
  const [row] = await read(parts.em, sql`select ${computed('daysAhead', 'int', new Calendar(parts).of(workspaceId))}`);
  return row!.daysAhead;
}

export async function daysAhead(tx: CommandTransaction): Promise<number> {
  return (await tx.find(CalendarTable, {}))?.daysAhead ?? 0;
}

/**
 * Of the days that a runner has read, those that hold in this transaction: the database may have been changed for an earlier one
 * in between. None in a live deployment, where none are read.
 */
export async function validDaysAhead(tx: CommandTransaction, found: number, since = 0): Promise<number> {
  return found === 0 ? 0 : Math.max(0, Math.min(found, (await daysAhead(tx)) - since));
}

const MAX_DAYS = 3_650;
export const DAYS_AHEAD = `How many days it is ahead of today from then on: ${MAX_DAYS} at most, and not fewer than before.`;

/** Sets how many days it is ahead, so that a request sent twice moves it once. @returns them */
export const moveCalendarInSandbox = defineSandboxCommand(
  'sandbox.move-calendar',
  async (tx, input: { daysAhead: number }): Promise<number> => {
    const known = await tx.find(CalendarTable, {});
    const [from, to] = [known?.daysAhead ?? 0, input.daysAhead];
    if (to < from || to > MAX_DAYS) {
      const message = `The calendar is ${from} days ahead and moves forward only: daysAhead is ${from} to ${MAX_DAYS}.`;
      throw invalid('daysAhead', 'out_of_range', message);
    }
    if (known) tx.update(CalendarTable, known, { daysAhead: to });
    else tx.insert(CalendarTable, { daysAhead: to });
    if (to !== from) tx.audit('calendar.moved', tx.workspaceId, { daysAhead: { from, to } });
    return to;
  },
);
