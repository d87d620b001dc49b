import type { Statement } from '@payroll/tools/local/read-rows';
import { escapeLiteral, type Client } from 'pg';

/** One step of a plan, as EXPLAIN reports it. */
interface Step {
  'Node Type': string;
  'Index Name'?: string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Step[];
}

/** After this many runs Postgres has decided whether to use one generic plan for all parameters. */
const RUNS_BEFORE_DECISION = 6;

/** The plan that a long-running process gets for a prepared statement, with what it actually read. */
export async function planOf(client: Client, { text, values }: Statement): Promise<Step> {
  const call = `execute listed(${values.map(literal).join(', ')})`;
  await client.query(`prepare listed as ${text}`);
  for (let run = 0; run < RUNS_BEFORE_DECISION; run++) await client.query(call);
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Step }] }>(
    `explain (analyze, buffers, format json) ${call}`,
  );
  await client.query('deallocate listed');
  return rows[0]!['QUERY PLAN'][0].Plan;
}

/** Number of 8 KiB pages that the whole plan read: independent of the machine's speed. */
export function blocksOf(plan: Step): number {
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
}

export function stepsOf(plan: Step): string[] {
  return [plan['Node Type'], ...(plan.Plans ?? []).flatMap(stepsOf)];
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  return typeof value === 'number' ? String(value) : escapeLiteral(String(value));
}
