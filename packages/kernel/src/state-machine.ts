import { DomainError } from './error.js';

/** State → edge → next state. An edge that is not in the table does not exist. */
export type StateMachine<State extends string, Edge extends string> = Readonly<
  Record<State, Readonly<Partial<Record<Edge, State>>>>
>;

/** @throws DomainError `INVALID_STATE` when the edge does not leave that state. */
export function transition<State extends string, Edge extends string>(
  machine: StateMachine<State, Edge>,
  what: string,
  from: State,
  edge: Edge,
): State {
  const next = machine[from][edge];
  if (next === undefined) {
    throw new DomainError('INVALID_STATE', `The ${what} is ${from}; "${edge}" is not possible in that state.`);
  }
  return next;
}
