import { spawnSync } from 'node:child_process';
import { userInfo } from 'node:os';
import { fileURLToPath } from 'node:url';
import { repositoryRoot } from '@payroll/infra/processes';
import { runCommand } from '@payroll/tools/cli';
import { readOptions, USAGE, type Options } from './options.js';
import { run, type Ran } from './run.js';
import { otherBuild } from './stage/other-build.js';
import { addRuns, describe, tableOf } from './shown.js';

async function main({ seeds, minutes, json, fault, upgradeFrom }: Options): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const progress = (text: string): void => void process.stderr.write(`${text}\n`);
  if (fault !== undefined || upgradeFrom !== undefined) progress('Building the other version');
  const planted = fault === undefined ? undefined : await otherBuild({ patch: fault }, cleanup);
  const earlier = upgradeFrom === undefined ? undefined : await otherBuild({ ref: upgradeFrom }, cleanup);
  const runs: Ran[] = [];
  for (const seed of seeds) {
    const ran = await run({ seed, minutes, progress, root: planted ?? repositoryRoot, earlier });
    runs.push(ran);
    console.log(describe(ran));
    if (json !== undefined) await addRuns(json, [ran]);
  }
  console.log(tableOf(runs));
  const isFound = runs.some(({ findings }) => findings.length > 0);
  process.exitCode = isFound === (fault !== undefined) ? 0 : 1;
}

/** Mounts in-memory disks in a mount namespace that only this command and its children see: they end with it. */
function goApart(): boolean {
  if (process.platform !== 'linux' || userInfo().uid !== 0 || process.env['TORTURE_APART'] !== undefined) return false;
  const args = [
    '--mount',
    '--propagation',
    'private',
    process.execPath,
    fileURLToPath(import.meta.url),
    ...process.argv.slice(2),
  ];
  const { status, error } = spawnSync('unshare', args, {
    stdio: 'inherit',
    env: { ...process.env, TORTURE_APART: '1' },
  });
  if (error) return false;
  process.exitCode = status ?? 1;
  return true;
}

if (!goApart()) await runCommand('torture', { usage: USAGE, read: readOptions, run: main });
