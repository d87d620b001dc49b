import type { CommandPolicy } from '@payroll/kernel';
import type { CommandTransaction, WorkspaceReader } from './command-transaction.js';

/** One use case: decided and written in one transaction of one workspace, without network calls. */
export interface Command<Input, Result, Found = unknown> {
  name: string;
  who: CommandPolicy<Input>;
  /** Rows to decide on. Sent in one write with BEGIN; without it, `decide` reads for one more round trip. */
  find?: ((rows: WorkspaceReader, input: Input) => Promise<Found>) | undefined;
  /** Decides and writes. @throws DomainError a refusal: then none of its writes is committed. */
  decide: (tx: CommandTransaction, input: Input, found: Found) => Result | Promise<Result>;
}

export function defineCommand<Input, Result, Found = undefined>(
  name: string,
  parts: Omit<Command<Input, Result, Found>, 'name'>,
): Command<Input, Result> {
  return { name, ...parts } as Command<Input, Result>;
}
