import type { Client } from 'pg';
import { seedDemo } from '../demo/seed.js';
import type { Stack } from '../local/assemble-stack.js';
import { startGuardian } from '../local/guardian.js';
import { processes } from '../local/processes.js';
import { startThrowAwayStack, type StackOptions } from '../local/stack.js';
import { bareDoors } from './bare/door.js';
import { familyOf } from './cpu.js';
import { connect, liftLimits } from './database.js';
import { ourDoors, type GraphDoor, type RestDoor, type ToolDoor } from './doors.js';
import { hiveDoor } from './hive/door.js';
import type { Place } from './program.js';
import { submitWork, type Work } from './work.js';

export interface Doors {
  v1: RestDoor;
  graph: GraphDoor;
  mcp: ToolDoor;
  bare: RestDoor;
  /** The bare handler, as a service of the house asks it. */
  bareInternal: RestDoor;
  /** Where it is installed. */
  hive: GraphDoor | null;
}

/** A system of the bench's own, what it is compared with, and the work that both are asked for. */
export interface Stage {
  stack: Stack;
  database: Client;
  doors: Doors;
  work: Work;
  /** Pids of Postgres and NATS at this moment. */
  backends: () => number[];
  place: Place;
  progress: (text: string) => void;
}

interface StageOptions {
  metrics: boolean;
  /** How many timesheets will be approved by each. */
  approvals: number;
  progress: Stage['progress'];
}

/** Postgres syncs to disk, as in production. */
export async function setStage(options: StageOptions, cleanup: AsyncDisposableStack): Promise<Stage> {
  const { metrics, approvals, progress } = options;
  const more = { env: environments(metrics), durable: true };
  const stack = cleanup.use(await startThrowAwayStack('bench', seedDemo, progress, more));
  const database = await connect(stack, cleanup);
  const work = await submitWork(stack, database, approvals);
  const place = { dir: stack.dir, guardian: cleanup.use(await startGuardian()), cleanup };
  const bare = await bareDoors(stack, database, place);
  const hive = await hiveDoor(stack, place);
  if (hive === null) progress('Hive is not installed, and so not compared: npm run judges -- hive  installs it');
  liftLimits(database, ['workspaces', 'bench'], cleanup);
  const backends = (): number[] => [...familyOf(stack.postgres.pid!), stack.nats.pid!];
  return { stack, database, doors: { ...ourDoors(stack), ...bare, hive }, work, backends, place, progress };
}

function environments(metrics: boolean): NonNullable<StackOptions['env']> {
  if (!metrics) return {};
  return Object.fromEntries(processes.map(({ name }) => [name, { METRICS_LISTEN_PORT: '0' }]));
}
