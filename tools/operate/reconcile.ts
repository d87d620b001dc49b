import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { errorSentence, readSettings, StartError } from '@payroll/runtime';
import { readStatement } from '@payroll/provider-protocol';
import { Client } from 'pg';
import { count, options, runCommand, texts } from '../cli.js';
import { runningStack } from '../local/stack-file.js';
import { describeVerdict, runConsistencyChecks, type ConsistencyResult } from './judge.js';

const USAGE = `Usage: npm run reconcile [-- --wait <seconds> --statement <file> …]

Holds the whole database against what must be true of it: each approved piece of work has one payment of its amount,
payments, payouts and the ledger say the same, nothing is lost or stuck between services. With a statement of the payout
provider also against what that says it did. One line for each check; exit code 1 on a finding. Changes nothing, needs only
Postgres, and may run beside a system that works.

  --wait <n>       what is on its way between services may arrive until then (default 0)
  --statement <f>  lines of JSON (packages/provider-protocol), of one day or several; - reads them from stdin
  DATABASE_URL     the owner's (or a superuser's) of the database payroll; default: the system that npm start runs
`;

interface Options {
  wait: number;
  statement: readonly string[];
}

async function main({ wait: waitSeconds, statement: statements }: Options): Promise<void> {
  const texts = statements.map((file) => readFileSync(file === '-' ? 0 : file, 'utf8'));
  const statement = texts.length > 0 ? readStatement(texts.join('\n')) : undefined;
  const client = await connect(ownerUrl(process.env));
  try {
    const until = performance.now() + waitSeconds * 1_000;
    let verdicts = await runConsistencyChecks(client, statement);
    while (!isSound(verdicts) && performance.now() < until) {
      await pause(500);
      verdicts = await runConsistencyChecks(client, statement);
    }
    for (const verdict of verdicts) console.log(describeVerdict(verdict));
    process.exitCode = isSound(verdicts) ? 0 : 1;
  } finally {
    await client.end();
  }
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    return client;
  } catch (error) {
    const { host } = new URL(url);
    throw new StartError(
      `no Postgres lets us in at ${host} (${errorSentence(error)}): start it, or correct DATABASE_URL`,
    );
  }
}

function isSound(verdicts: readonly ConsistencyResult[]): boolean {
  return verdicts.every(({ findings }) => findings === 0);
}

function ownerUrl(env: NodeJS.ProcessEnv): string {
  if (env['DATABASE_URL']) return readSettings(env, (s) => s.databaseUrl());
  const url = runningStack()?.postgres?.url;
  if (url !== undefined) return url;
  throw new StartError('DATABASE_URL is missing: the owner of the database payroll, or start a system with  npm start');
}

const read = options({ wait: count(0, 0), statement: texts });
await runCommand('reconcile', { usage: USAGE, read, run: main });
