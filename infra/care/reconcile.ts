import { setTimeout as pause } from 'node:timers/promises';
import { oneSentence, readSettings, StartError } from '@payroll/process';
import { Client } from 'pg';
import { readNumbers, runCommand } from '../local/run-command.js';
import { runningStack } from '../local/stack-file.js';
import { StartupError } from '../local/startup-error.js';
import { describeVerdict, judge, type Verdict } from './judge.js';

const USAGE = `Usage: npm run reconcile [-- --wait <seconds>]

Holds the whole database against what must be true of it: each approved piece of work has one payment of its amount,
payments, payouts and the ledger say the same, nothing is lost or stuck between services. One line for each check; exit code 1 on a finding. Changes
nothing, needs only Postgres, and may run beside a system that works.

  --wait <n>   what is on its way between services may arrive until then (default 0)
  DATABASE_URL the owner's (or a superuser's) of the database payroll; default: the system that npm start runs
`;

async function main({ wait: waitSeconds }: { wait: number }): Promise<void> {
  const client = await connect(ownerUrl(process.env));
  try {
    const until = performance.now() + waitSeconds * 1_000;
    let verdicts = await judge(client);
    while (!isSound(verdicts) && performance.now() < until) {
      await pause(500);
      verdicts = await judge(client);
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
      `no Postgres lets us in at ${host} (${oneSentence(error)}): start it, or correct DATABASE_URL`,
    );
  }
}

function isSound(verdicts: readonly Verdict[]): boolean {
  return verdicts.every(({ findings }) => findings === 0);
}

await runCommand('reconcile', { usage: USAGE, read: (args) => readNumbers(args, { wait: 0 }, 0), run: main });

function ownerUrl(env: NodeJS.ProcessEnv): string {
  if (env['DATABASE_URL']) return readSettings(env, (s) => s.databaseUrl());
  const url = runningStack()?.postgres?.url;
  if (url !== undefined) return url;
  throw new StartupError(
    'DATABASE_URL is missing: the owner of the database payroll, or start a system with  npm start',
  );
}
