import { Pool } from 'pg';
import { seedPeople } from '@payroll/tools/demo/seed';
import { flag, options, progress, runCommand, someOf } from '@payroll/tools/cli';
import { startThrowAwayStack } from '@payroll/tools/local/stack';
import { ApiClient } from '../../v1.js';
import { prepareWorkspaces } from '../system/workspaces.js';
import { backlog, suspendedConsumer } from './consumers.js';
import { natsAway } from './nats.js';
import { postgresKilled, silentBackend } from './postgres.js';
import type { Outage, Verdict } from './outage.js';

const OUTAGES = {
  backlog,
  suspended: suspendedConsumer,
  nats: natsAway,
  postgres: postgresKilled,
  silent: silentBackend,
} satisfies Record<string, Outage>;
type Name = keyof typeof OUTAGES;
const names = Object.keys(OUTAGES) as Name[];

const USAGE = `Usage: npm run outages [-- options]

Takes a part away for as long as it takes, and prints how the system bears it and how soon it has caught up:

  backlog    payments is away for a day: 1,000,000 events wait for it; then 100,000 of 1,000 workspaces
  suspended  one of two processes of payments is suspended while 1,000 events are told
  nats       NATS is away for ten minutes while integrators read, draft and approve
  postgres   Postgres is killed between two statements of an approval or a draft, 200 times, each retried on another facade
  silent     one connection to Postgres falls silent in the middle of an approval

Exit code 1 where an acknowledged approval has no payment or two, or an event was not applied. Nothing fails for being slow.

  --outage <name>  this alone (may be repeated): ${names.join(', ')}
  --short          a fiftieth of it
  --help           this text
`;

const read = options({ outage: someOf(names), short: flag });

async function main({ outage: outages, short: isShort }: ReturnType<typeof read>): Promise<void> {
  const verdicts: Verdict[] = [];
  for (const name of outages) {
    await using cleanup = new AsyncDisposableStack();
    const stack = cleanup.use(await startThrowAwayStack('outages', seedPeople, progress, { durable: true }));
    const database = new Pool({ connectionString: stack.database.ownerUrl });
    // Postgres may be down.
    database.on('error', () => undefined);
    cleanup.defer(() => database.end());
    const api = cleanup.use(new ApiClient([stack.file.rest.url]));
    const tenants = (items: number) => prepareWorkspaces(stack, stack.database.ownerUrl, items);
    progress(`outage: ${name}`);
    const found = await OUTAGES[name]({ stack, api, database, tenants, isShort, cleanup });
    for (const { line } of found) console.log(`${name.padEnd(10)} ${line}`);
    verdicts.push(...found);
  }
  if (verdicts.some(({ isSafe }) => !isSafe)) process.exitCode = 1;
}

await runCommand('outages', { usage: USAGE, read, run: main });
