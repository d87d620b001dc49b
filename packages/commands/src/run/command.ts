import type { WhoMay } from '@payroll/kernel';
import type { CommandTransaction, WorkspaceRows } from './command-transaction.js';

/** One use case: decided and written in one transaction of one workspace, with nothing on the network inside. */
export interface Command<Input, Result, Found = unknown> {
  name: string;
  who: WhoMay<Input>;
  /** Rows to decide on. Sent in one write with BEGIN; without it, `decide` reads for one more round trip. */
  find?: ((rows: WorkspaceRows, input: Input) => Promise<Found>) | undefined;
  /** Decides, and writes what follows from it. @throws DomainError a refusal: then nothing of it is written. */
  decide: (tx: CommandTransaction, input: Input, found: Found) => Result | Promise<Result>;
}

export function defineCommand<Input, Result, Found = undefined>(
  name: string,
  parts: Omit<Command<Input, Result, Found>, 'name'>,
): Command<Input, Result> {
  return { name, ...parts } as Command<Input, Result>;
}
