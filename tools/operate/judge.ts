import type { Statement } from '@payroll/provider-protocol';
import type { Client } from 'pg';
import { consistencyChecks, statementJudgements } from './judgements.js';

/** Number of contradictions that are listed; all are counted. */
const EXAMPLES = 3;

export type ConsistencyResult = Awaited<ReturnType<typeof verdictOn>>;

/** Checks one snapshot of the whole database, so that no half of a concurrent transaction is seen. */
export async function runConsistencyChecks(client: Client, statement?: Statement): Promise<ConsistencyResult[]> {
  await client.query('begin isolation level repeatable read read only');
  try {
    return await judgeNow(client, statement);
  } finally {
    await client.query('rollback');
  }
}

/** @param statement the provider's statement, if it was requested */
export async function judgeNow(client: Client, statement?: Statement): Promise<ConsistencyResult[]> {
  const verdicts: ConsistencyResult[] = [];
  for (const judgement of Object.entries(consistencyChecks)) verdicts.push(await verdictOn(client, judgement));
  if (!statement) return verdicts;
  const values = [JSON.stringify(statement.lines), JSON.stringify(statement.periods)];
  for (const judgement of Object.entries(statementJudgements)) {
    verdicts.push(await verdictOn(client, judgement, values));
  }
  return verdicts;
}

async function verdictOn(client: Client, [sentence, sql]: [string, string], values: readonly string[] = []) {
  const { rows } = await client.query<{ what: string; total: number }>(
    `select what, (count(*) over ())::int as total from (${sql}) as found limit ${EXAMPLES}`,
    [...values],
  );
  return { sentence, findings: rows[0]?.total ?? 0, examples: rows.map(({ what }) => what) };
}

export function describeVerdict({ sentence, findings, examples }: ConsistencyResult): string {
  if (findings === 0) return `ok     ${sentence}`;
  const first = examples.map((each) => `\n         ${each}`).join('');
  return `WRONG  not true that ${sentence}: ${findings} found, such as${first}`;
}
