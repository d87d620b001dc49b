/** How far a follower has come. It is a string to callers. */
export interface State {
  workspaceId: string;
  epoch: string;
  contracts: Place;
  timesheets: Place;
  payments: Place;
  milestones: { cursor: string | null; after: string | null; isListed: boolean };
}

/** In a list by `updatedSince`: only a time that was received is ever sent, to its microsecond. */
export interface Place {
  since: string;
  cursor: string | null;
  /** The last item that was received. */
  last: { id: string; updatedAt: string } | null;
  /** The item that this round has still to show. */
  owed: string | null;
  isListed: boolean;
}

const BEGINNING: Place = { since: '1970-01-01T00:00:00Z', cursor: null, last: null, owed: null, isListed: false };

export function begin(workspaceId: string): State {
  const milestones = { cursor: null, after: null, isListed: false };
  const places = { contracts: BEGINNING, timesheets: BEGINNING, payments: BEGINNING, milestones };
  return { workspaceId, epoch: crypto.randomUUID(), ...places };
}

/** @throws TypeError when it is of another workspace, whose rows would be mixed with those that are kept. */
export function readState(text: string, workspaceId: string): State {
  const state = JSON.parse(text) as State;
  if (state.workspaceId === workspaceId) return state;
  throw new TypeError(`The stored state is of workspace ${state.workspaceId}, and the key of ${workspaceId}`);
}

export const writeState = (state: State): string => JSON.stringify(state);
