import { inOrder, keeper, replaced, sorted } from './search.ts';
import type { Faults } from './names.ts';

/** 0 pays; 1 is another service that consumes the same event. */
export type Consumer = 0 | 1;

export interface Attempt {
  status: 'prepared' | 'submitted' | 'settled' | 'declined';
  /** Counted up to 2, which means more than one. */
  looks: number;
  hasAlarm: boolean;
}

export interface Payment {
  approval: number;
  status: 'pending' | 'processing' | 'completed' | 'failed';
  attempts: readonly Attempt[];
}

/** All rows about a piece of work in one database. */
export interface Rows {
  /**
   * The number of the approval, counted over all databases, although the payment's id is the same each time; 0 while
   * submitted.
   */
  approval: number;
  outbox: 'none' | 'waiting' | 'confirmed' | 'deleted';
  /** Consumers that have not confirmed: a row each. */
  awaiting: readonly Consumer[];
  /** Approvals whose event each consumer has applied, as an operation. */
  operations: readonly (readonly number[])[];
  /** Approvals that the other consumer has applied. */
  applied: readonly number[];
  payments: readonly Payment[];
  hasDeadLetter: boolean;
}

export type Database = readonly Rows[];

/**
 * A message in flight, or held by a process that may be slow: it may arrive never, late, and any number of times. So a
 * dead process, a suspended one, and a lost or repeated message need no steps of their own.
 */
export type Flying =
  | { kind: 'request'; work: number; approval: number; history: number; consumer: Consumer }
  | { kind: 'reply'; work: number; approval: number; history: number; consumer: Consumer }
  | {
      kind: 'attempt';
      work: number;
      approval: number;
      number: number;
      key: string;
      mayOrder: boolean;
      isFirst: boolean;
    }
  | { kind: 'answer'; work: number; number: number; says: Order['status'] | 'unknown' };

/** An order at the provider, which a restore of our database does not undo. */
export interface Order {
  work: number;
  key: string;
  status: 'submitted' | 'settled' | 'declined';
  isForgotten: boolean;
}

export interface World {
  /** One for each generation, the newest last; null once no connection can reach it. */
  databases: readonly (Database | null)[];
  /** A copy of the newest: a standby, a snapshot or a dump. */
  copy: Database | null;
  /** Number of approvals of each piece of work, over all databases. */
  approvals: readonly number[];
  flying: readonly Flying[];
  orders: readonly Order[];
  /** The database that each payments process saw last. Nothing may depend on it. */
  knows: readonly number[];
}

/** The limits of a configuration. */
export interface Bounds {
  works: number;
  histories: number;
  consumers: 1 | 2;
  /** Processes of payments. */
  processes: 1 | 2;
  /** All requests and replies in flight can be lost at once. */
  losses: boolean;
  /** Retention. */
  later: boolean;
  /** The maximum of attempts for a payout; 0 for none. */
  attempts: number;
  faults: Faults;
}

const NOTHING: Rows = {
  approval: 0,
  outbox: 'none',
  awaiting: [],
  operations: [[], []],
  applied: [],
  payments: [],
  hasDeadLetter: false,
};

export function startOf({ works, processes }: Bounds): World {
  return {
    databases: [keepDatabase(Array<Rows>(works).fill(keepRows({ ...NOTHING })))],
    copy: null,
    approvals: Array<number>(works).fill(0),
    flying: [],
    orders: [],
    knows: Array<number>(processes).fill(0),
  };
}

/** The rows of a piece of work in each database that a connection may reach. */
export function* reachable(world: World): Generator<{ history: number; work: number; rows: Rows }> {
  for (const [history, database] of world.databases.entries()) {
    for (const [work, rows] of (database ?? []).entries()) yield { history, work, rows };
  }
}

export function rowsOf(world: World, history: number, work: number): Rows | undefined {
  return world.databases[history]?.[work];
}

const keepRows = keeper<Rows>();
const keepDatabase = keeper<Database>();
const keepMessage = keeper<Flying>();

export function changed(world: World, history: number, work: number, changes: Partial<Rows>): World {
  const database = world.databases[history]!;
  const rows = keepRows({ ...database[work]!, ...changes });
  if (rows === database[work]) return world;
  return { ...world, databases: replaced(world.databases, history, keepDatabase(replaced(database, work, rows))) };
}

export function sent(world: World, message: Flying): World {
  const kept = keepMessage(message);
  return world.flying.includes(kept) ? world : { ...world, flying: inOrder([...world.flying, kept]) };
}

/** Processes of one side are interchangeable. */
export function canonical(world: World): World {
  const { knows, orders } = world;
  return { ...world, orders: sorted(orders), knows: knows.toSorted((a, b) => a - b) };
}

export function healed(world: World): World {
  const newest = world.databases.length - 1;
  const databases = world.databases.map((database, history) => (history === newest ? database : null));
  return { ...world, knows: world.knows.map(() => newest), databases, copy: null, flying: [] };
}

export const nameOf = (work: number, approval: number): string => `payment ${'AB'[work]}${approval}`;
export const workOf = (work: number): string => `work ${'AB'[work]}`;
export const historyOf = (history: number): string => `history ${history + 1}`;
