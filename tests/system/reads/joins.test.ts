import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, expect, it, vi } from 'vitest';
import { ask } from '@payroll/tools/demo/graphql-client';
import { CREATE_DRAFT } from '@payroll/tools/demo/operations';
import { joinSystem } from '../support.js';

const started = new AsyncDisposableStack();

const system = await joinSystem();
const superuser = started.adopt(new Client(system.stack.database.adminUrl), (open) => open.end());
await superuser.connect();
for (let n = 0; n < 50; n++) await ask(system.access(), CREATE_DRAFT, { input: { title: `Draft ${n}` } });
// Logs every statement with its role, in sessions that are already open too.
await superuser.query("alter system set log_statement = 'all'");
await superuser.query("alter system set log_line_prefix = '%u|'");
await superuser.query('select pg_reload_conf()');

afterAll(async () => await started.disposeAsync());

async function statementsBy(role: string): Promise<number> {
  const log = await readFile(join(system.stack.dir, 'logs', 'postgres.log'), 'utf8');
  return log
    .split('\n')
    .filter(
      (line) =>
        line.startsWith(`${role}|LOG:  `) && /execute|statement/.test(line) && /timesheet|contract|payment/.test(line),
    ).length;
}

it('a query over three services runs as many statements for 50 contracts as for 2', async () => {
  const nested = `query ($limit: Int!) { contracts(limit: $limit) { nodes { title timesheets { status payment { status } } } } }`;
  const count = async (limit: number): Promise<Record<string, number>> => {
    const roles = ['contracts', 'review', 'payments'] as const;
    const before = await Promise.all(roles.map(statementsBy));
    const page = await system.graphql<{ nodes: unknown[] }>(nested, { limit });
    expect(page.nodes).toHaveLength(limit);
    const after = await Promise.all(roles.map(statementsBy));
    return Object.fromEntries(roles.map((role, n) => [role, after[n]! - before[n]!]));
  };
  await expect.poll(async () => (await count(2))['contracts']).toBe(1);
  // The services' background jobs can only add to a count, so take the smallest of several. A busy machine runs more of
  // them.
  const smallest = async (limit: number, known: Record<string, number> = {}): Promise<Record<string, number>> => {
    const counts = Object.entries(await count(limit));
    return Object.fromEntries(counts.map(([role, n]) => [role, Math.min(n, known[role] ?? n)]));
  };
  let [ofFew, ofMany] = [await smallest(2), await smallest(50)];
  const areSame = async (): Promise<void> => {
    [ofFew, ofMany] = [await smallest(2, ofFew), await smallest(50, ofMany)];
    expect(ofMany).toEqual(ofFew);
  };
  await vi.waitFor(areSame, 15_000);
});
