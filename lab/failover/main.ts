import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { count, oneOf, progress, runCommand } from '@payroll/tools/cli';
import { seedPeople } from '@payroll/tools/demo/seed';
import { startStack } from '@payroll/tools/local/stack';
import { goApart, isApart, requireHost } from '../namespaces/apart.js';
import { furnish } from '../torture/stage/tenants.js';
import { Clients } from './clients.js';
import { freshStackDir, install, versions } from './install.js';
import { play, type Stage } from './play.js';
import { ADMIN_URL, setUpRig } from './rig.js';
import { type Scene, SCENES } from './scenes.js';
import { brokenIn, describe, type Played, summaryOf, tableOf } from './verdict.js';

const USAGE = `Usage: npm run failover [-- options]

Three servers of Postgres under Patroni, with etcd and HAProxy, each in a network namespace of its own; the system's processes
on top of them; approvals at /v1, twenty a second. Breaks the cluster in each way below, ten times each, and compares after each what
clients were told with what is there. Needs Linux, root and Debian; what it installs is kept below .local. Takes about 90 minutes.

${SCENES.map(({ title }) => `  ${title}\n`).join('')}
Exit code 1 if an acknowledged approval is lost or paid twice, reconcile finds something, an answer is outside the contract, or
writes are not back in time.

  --scene <name>   this alone (may be repeated)
  --count <n>      how often each (default 10)
  --short          each once
  --asynchronous   with a Postgres that does not wait for standbys: exit code 1 if no loss is found
  --help           this text

Ctrl-C ends it with the figures so far.
`;

interface Options {
  scenes: Scene[];
  times: number;
  isAsynchronous: boolean;
}

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      scene: { type: 'string', multiple: true },
      count: { type: 'string', default: '10' },
      short: { type: 'boolean', default: false },
      asynchronous: { type: 'boolean', default: false },
    },
  });
  const titles = SCENES.map(({ title }) => title);
  const chosen = (values.scene ?? titles).map((text) => oneOf('--scene', text, titles));
  const scenes = chosen.map((title) => SCENES[titles.indexOf(title)]!);
  return { scenes, times: values.short ? 1 : count('--count', values.count), isAsynchronous: values.asynchronous };
}

/** More than the clients can approve during one failover. */
const PIECES_EACH = 1_000;

async function main({ scenes, times, isAsynchronous }: Options): Promise<void> {
  if (!isApart()) {
    requireHost();
    install();
    return goApart(fileURLToPath(import.meta.url));
  }
  progress(`Starting Postgres, Patroni, etcd and HAProxy: ${versions()}`);
  const rig = await setUpRig({ isAsynchronous });
  await using cleanup = new AsyncDisposableStack();
  const stack = cleanup.use(
    await startStack({
      dir: freshStackDir(),
      ports: 'free',
      durable: true,
      seed: seedPeople,
      onProgress: progress,
      databaseUrl: ADMIN_URL,
    }),
  );
  const databaseUrl = Object.assign(new URL(ADMIN_URL), { pathname: '/payroll' }).href;
  const tenants = await furnish(stack, databaseUrl, PIECES_EACH * times * scenes.length);
  const clients = await Clients.of(stack.file.rest.url, tenants);
  const stage: Stage = { rig, stack, clients, databaseUrl, reported: new Set() };

  const all: Played[] = [];
  const report = (): void => {
    console.log(tableOf(all));
    console.log(summaryOf(all, clients.acknowledged.length, clients.failedAt.length));
    const isBroken = isAsynchronous
      ? all.every(({ lost }) => lost === 0)
      : all.some((each) => brokenIn(each).length > 0);
    process.exitCode = isBroken ? 1 : 0;
  };
  process.on('SIGINT', () => {
    report();
    process.exit(130);
  });
  for (let round = 1; round <= times; round++) {
    for (const scene of scenes) {
      const played = await play(scene, stage);
      all.push(played);
      progress(`${describe(played)} (${round} of ${times}; ${clients.acknowledged.length} approvals)`);
    }
  }
  report();
}

await runCommand('failover', { usage: USAGE, read: readOptions, run: main });
// The servers of the rig would keep it running.
process.exit();
