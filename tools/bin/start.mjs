// Entry file of `npm start`: runs on any Node >= 20 with nothing installed, prepares the repository, then hands over.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepare } from './prepare.mjs';
import { handOver, StepFailed } from './step.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const isVerbose = process.argv.includes('--verbose') || process.env.LOG !== undefined;

const help = `npm start [-- --watch] [-- --verbose]

Installs and builds what is missing or out of date, then starts Postgres, NATS and every process on loopback, with data
under .local/ that is kept between runs, and prints the addresses. Ports that are taken are replaced by free ones.
Ctrl-C stops everything it started, a second one at once.

  --watch        builds what changes and starts what it concerns again (npm run dev)
  --verbose      shows the whole of an error (so does the variable LOG)
  --help         this

  DATABASE_URL   a Postgres to use instead (of a role that may make roles and databases)
  NATS_URL       a NATS server to use instead (one user for every process)
  LOG_LEVEL      what the processes write to .local/logs; default info
`;

async function main() {
  if (process.argv.includes('--help') || process.argv.includes('-h')) return void process.stdout.write(help);
  const unknown = process.argv.slice(2).find((arg) => arg !== '--verbose' && arg !== '--watch');
  if (unknown !== undefined) throw new StepFailed(`there is no option "${unknown}": see  npm start -- --help`);
  // In development every response is checked against the public contract.
  if (process.argv.includes('--watch')) process.env.RESPONSE_CHECK_RATIO ??= '1';
  await prepare(root, { isVerbose });
  const args = [join(root, 'tools', 'dist', 'start.js'), ...process.argv.slice(2)];
  // The channel between the two tells the child when this process has been killed.
  const { child, ended } = handOver(root, args, ['inherit', 'inherit', 'inherit', 'ipc']);
  watchParent(() => child.kill('SIGTERM'));
  process.exitCode = await ended;
}

/** If npm has vanished it was killed, and no one is left to stop us. If its shell is still in between, check the shell's parent. */
function watchParent(onGone) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const shell = isShell(process.ppid) ? process.ppid : undefined;
  const launcher = () => (shell === undefined || process.ppid !== shell ? process.ppid : parentOf(shell));
  const before = launcher();
  const timer = setInterval(() => {
    if (launcher() === before) return;
    clearInterval(timer);
    onGone();
  }, 500);
  timer.unref();
}

function isShell(pid) {
  return procFile(pid, 'cmdline').split('\0')[1] === '-c';
}

function parentOf(pid) {
  return /^PPid:\s*(\d+)/m.exec(procFile(pid, 'status'))?.[1];
}

/** Empty where there is no /proc: there the shell is bash, which npm's script replaces. */
function procFile(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}

try {
  await main();
} catch (error) {
  process.stderr.write(`npm start: ${error.message}\n`);
  if (isVerbose || !(error instanceof StepFailed)) console.error(error);
  process.exitCode = 1;
}
