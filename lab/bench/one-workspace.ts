import { progress } from '@payroll/tools/cli';
import { liftLimits } from './database.js';
import { measure, type Measured } from './measure.js';
import { asked, PATHS } from './paths.js';
import { plain, type Table } from './shown/table.js';
import type { System } from './doors.js';
import type { Stage } from './stage.js';

/** Approvals in one workspace: at the rate that its limit allows, and as fast as possible. */
export interface OneWorkspace {
  steady: readonly Measured[];
  flatOut: readonly Measured[];
}

/** 2,000 requests a minute, all of them writes. */
const PER_SECOND = 33;
const SECONDS = 30;
const CONNECTIONS = 32;
const FLAT_OUT = 1_000;
const WARM_UP = 100;

/** The number of approvals that a side needs. */
export function approvalsOfOne(share: number): number {
  return [WARM_UP, FLAT_OUT, PER_SECOND * SECONDS].reduce((sum, count) => sum + Math.ceil(count * share), 0);
}

export async function measureOneWorkspace(stage: Stage, share: number): Promise<OneWorkspace> {
  const { ours, bare, before } = stage;
  const systems = [ours, bare, ...(before === null ? [] : [before])];
  const approve = async ({ one }: System, count: number, perSecond?: number): Promise<Measured> => {
    const load = { connections: CONNECTIONS, count: Math.ceil(count * share), ...(perSecond && { perSecond }) };
    return { name: one.name, ...(await measure(asked(one, PATHS.approve.ask), load)) };
  };
  const flatOut: Measured[] = [];
  const steady: Measured[] = [];
  for (const system of systems) {
    progress(`one workspace: ${system.one.name}, flat out and at ${PER_SECOND} a second …`);
    const restoreLimits = await liftLimits(system.database, [system === bare ? 'bench' : 'workspaces']);
    await approve(system, WARM_UP);
    flatOut.push(await approve(system, FLAT_OUT));
    await restoreLimits();
    steady.push(await approve(system, PER_SECOND * SECONDS, PER_SECOND));
  }
  console.log(plain(oneWorkspaceTable({ steady, flatOut })));
  return { steady, flatOut };
}

export function oneWorkspaceTable({ steady, flatOut }: OneWorkspace): Table {
  const rows = (how: string, measured: readonly Measured[]) =>
    measured.map(({ name, perSecond, p50, p99, unavailable, cpu, postgres, nats }) => [
      ...[`${name}, ${how}`, perSecond.toFixed(0), p50.toFixed(1), p99.toFixed(1), String(unavailable)],
      ...[cpu, postgres, nats].map((each) => each.toFixed(2)),
    ]);
  return {
    title:
      'One workspace, approvals by 40 keys: at the rate that its limit allows, and flat out with its limits lifted',
    heads: ['', 'a second', 'p50 ms', 'p99 ms', '503', 'CPU-ms', 'Postgres', 'NATS'],
    rows: [...rows(`${PER_SECOND} a second`, steady), ...rows('flat out, no limits', flatOut)],
  };
}
