import type { Client } from 'pg';
import type { Judgement } from './judgement.js';
import { JUDGEMENTS } from './judgements.js';

/** How many contradictions are told of; all are counted. */
const EXAMPLES = 3;

export interface Verdict {
  readonly sentence: string;
  /** How much contradicts it: 0 when it is true. */
  readonly findings: number;
  readonly examples: readonly string[];
}

/** Judges one moment of the whole database: what a transaction commits meanwhile is not seen by halves. */
export async function judge(client: Client): Promise<Verdict[]> {
  await client.query('begin isolation level repeatable read read only');
  try {
    return await judgeNow(client);
  } finally {
    await client.query('rollback');
  }
}

/** Judges what the client's own transaction sees. */
export async function judgeNow(client: Client): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const judgement of JUDGEMENTS) verdicts.push(await verdictOn(client, judgement));
  return verdicts;
}

async function verdictOn(client: Client, { sentence, sql }: Judgement): Promise<Verdict> {
  const { rows } = await client.query<{ what: string; total: number }>(
    `select what, (count(*) over ())::int as total from (${sql}) as found limit ${EXAMPLES}`,
  );
  return { sentence, findings: rows[0]?.total ?? 0, examples: rows.map(({ what }) => what) };
}
