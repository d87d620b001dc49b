import type { WhoMay } from '@payroll/kernel';
import type { CommandTransaction, WorkspaceRows } from './command-transaction.js';

/** Decides, and writes what follows from it. */
export type Decide<Result> = (tx: CommandTransaction) => Result | Promise<Result>;

/** One use case: decided and written in one transaction of one workspace, with nothing on the network inside. */
export interface Command<Input, Result> {
  name: string;
  who: WhoMay<Input>;
  /** Reads what it decides on. This is sent in one write with what begins the transaction, so the time is not known yet. */
  begin: (rows: WorkspaceRows, input: Input) => Promise<Decide<Result>>;
  /** Whether several of its kind may be decided in one transaction: it decides on the rows of its `find`, and writes no others. */
  together: boolean;
}

interface Definition<Input, Result, Found> {
  who: WhoMay<Input>;
  /**
   * For a command that is run often: what it decides on costs no round trip of its own, and those of its kind that come
   * together share a transaction. So it changes no rows but those that its `find` names, and new ones.
   */
  find?: (rows: WorkspaceRows, input: Input) => Promise<Found>;
  decide: (tx: CommandTransaction, input: Input, found: Found) => Result | Promise<Result>;
}

export function defineCommand<Input, Result, Found = undefined>(
  name: string,
  { who, find, decide }: Definition<Input, Result, Found>,
): Command<Input, Result> {
  return {
    name,
    who,
    together: find !== undefined,
    begin: async (rows, input) => {
      const found = await find?.(rows, input);
      return async (tx) => await decide(tx, input, found as Found);
    },
  };
}
