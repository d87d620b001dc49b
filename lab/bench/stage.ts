import { progress } from '@payroll/tools/cli';
import { seedDemo } from '@payroll/tools/demo/seed';
import type { Stack } from '@payroll/tools/local/assemble-stack';
import { startGuardian } from '@payroll/tools/local/guardian';
import { processes } from '@payroll/infra/processes';
import { startThrowAwayStack } from '@payroll/tools/local/stack';
import type { StackFile } from '@payroll/tools/local/stack-file';
import { startBare } from './start-bare.js';
import { type Place, startCheckout } from './programs.js';
import { serversBehind } from './measure.js';
import { type Approvals, connect, makeWorkspaces } from './workspaces.js';
import type { Side, System } from './requests.js';

/** A system of the bench, the systems it is compared with, and the requests sent to all. */
export interface Stage {
  stack: Stack;
  ours: System & { mcp: Side };
  bare: System;
  /** The system of another checkout, if one was given. */
  before: (System & { mcp: Side }) | null;
  place: Place;
}

interface StageOptions {
  metrics: boolean;
  beside: string | undefined;
  approvals: Approvals;
}

/** Postgres syncs to disk, as in production. */
export async function setUpSystem(options: StageOptions, cleanup: AsyncDisposableStack): Promise<Stage> {
  const { metrics, beside, approvals } = options;
  const env = Object.fromEntries(processes.map(({ name }) => [name, metrics ? { METRICS_LISTEN_PORT: '0' } : {}]));
  const stack = cleanup.use(await startThrowAwayStack('bench', seedDemo, progress, { env, durable: true }));
  const place = { dir: stack.dir, guardian: cleanup.use(await startGuardian()), cleanup };
  progress('Making the workspaces');
  const ours = await systemOf('ours', () => stack.file, approvals, cleanup);
  const bare = await startBare(ours, stack.file, place);
  if (beside === undefined) return { stack, ours, bare, before: null, place };
  progress(`Starting the system of ${beside}, which is called "before"`);
  const file = await startCheckout(beside, place);
  const before = await systemOf('before', () => file, approvals, cleanup);
  return { stack, ours, bare, before, place };
}

async function systemOf(name: string, file: () => StackFile, approvals: Approvals, cleanup: AsyncDisposableStack) {
  const { rest, mcp } = file();
  const database = await connect(file(), cleanup);
  const { many, one, assistants } = await makeWorkspaces(file(), database, approvals);
  const servers = await serversBehind(database);
  const target = { name, origin: new URL(rest.url).origin, prefix: '/v1', processes: () => file().processes, servers };
  return {
    ...{ database, v1: { ...target, workspaces: many }, one: { ...target, workspaces: [one] } },
    mcp: { ...target, origin: new URL(mcp!.url).origin, prefix: '', workspaces: assistants },
  };
}
