import { connected } from '@payroll/infra/postgres/bootstrap';
import type { TestBackends } from './test-server.js';

/** A statement as it is sent to Postgres. */
export interface Statement {
  text: string;
  values: unknown[];
}

interface Pool {
  query: (statement: Statement) => Promise<{ rows: unknown[] }>;
}

/** The part of an entity manager that reads use. */
interface Reading {
  getConnection: () => { getNativeClient: () => Promise<unknown> };
}

/** The same entity manager, and the statements that it has sent. */
export function recordReads<Em extends object>(em: Em): { em: Em; reads: Statement[] } {
  const reads: Statement[] = [];
  const getNativeClient = async (): Promise<Pool> => {
    const pool = await poolOf(em);
    return {
      query: (statement) => {
        reads.push(statement);
        return pool.query(statement);
      },
    };
  };
  return { em: Object.create(em, { getConnection: { value: () => ({ getNativeClient }) } }) as Em, reads };
}

/** The largest number of rows that a single step of a statement's plan reads. */
export async function mostRowsRead(em: object, { text, values }: Statement): Promise<number> {
  const pool = await poolOf(em);
  const { rows } = await pool.query({ text: `explain (analyze, format json) ${text}`, values });
  return Math.max(...rowsOf((rows[0] as { 'QUERY PLAN': [{ Plan: Step }] })['QUERY PLAN'][0].Plan));
}

interface Step {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Step[];
}

function rowsOf(step: Step): number[] {
  const rows = (step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0)) * step['Actual Loops'];
  return [rows, ...(step.Plans ?? []).flatMap(rowsOf)];
}

async function poolOf(em: object): Promise<Pool> {
  return (await (em as Reading).getConnection().getNativeClient()) as Pool;
}

/** Analyzes the tables as autovacuum does after a while, because plans depend on their statistics. */
export async function analyzeDatabase({ adminUrl }: TestBackends, database: string): Promise<void> {
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  await connected(url.href, (client) => client.query('analyze'));
}
