import { recordOf } from '@payroll/kernel';
import { progress } from '@payroll/tools/cli';
import type { Table } from '../table.js';
import { load, residentMb } from './measure.js';
import { PATHS } from './paths.js';
import type { Stage } from './stage.js';

const REQUESTS = 100_000;
const STEPS = 5;
const CONNECTIONS = 32;

/**
 * Resident MB of each process before the first request, and after each equal part of them: nine timesheets and a page of them
 * are read repeatedly, so memory that grows with the number of requests would show.
 */
export async function measureMemory({ ours: { v1 } }: Stage, share: number): Promise<Table> {
  const requests = Math.ceil(REQUESTS * share);
  const processes = v1.processes();
  const mb = recordOf(Object.keys(processes), (name) => [residentMb(processes[name]!)]);
  const request = (n: number) => PATHS[n % 10 === 9 ? 'list' : 'get'].ask(v1, n);
  for (let step = 1; step <= STEPS; step++) {
    progress(`memory: ${(step * requests) / STEPS} of ${requests} requests …`);
    await load(v1.origin, { connections: CONNECTIONS, count: requests / STEPS, request });
    for (const [name, seen] of Object.entries(mb)) seen.push(residentMb(processes[name]!));
  }
  return {
    title: 'Memory: resident MB after so many requests',
    heads: ['', ...Array.from({ length: STEPS + 1 }, (_, n) => `${(n * requests) / STEPS}`)],
    rows: Object.entries(mb).map(([name, seen]) => [name, ...seen.map((each) => each.toFixed(0))]),
  };
}
