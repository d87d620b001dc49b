import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';

/** A failure that is one line and says what to do. */
export class StepFailed extends Error {}

/**
 * Runs a program quietly, showing that time passes; its last lines are shown when it fails.
 * Resolves to whether it succeeded; throws unless `giveUp` says by the output that an alternative exists.
 */
export async function runStep({ name, command, args, cwd, advice, isVerbose, hide = /(?!)/, giveUp = () => true }) {
  const progress = showProgress(name);
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], env: plainEnvironment() });
  const forward = (signal) => child.kill(signal);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, forward);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      if (isVerbose) process.stderr.write(chunk);
      // Only the last lines are shown at the end, so a bounded tail is enough.
      output = `${output}${chunk}`.slice(-64 * 1024);
    });
  }
  const how = await new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(code === 0 ? undefined : (signal ?? `exit code ${code}`)));
  });
  for (const signal of signals) process.off(signal, forward);
  progress.end();
  if (how === undefined) return true;
  if (signals.includes(how)) throw new StepFailed(`stopped while ${name}`);
  if (!giveUp(output)) return false;
  const lines = output.split('\n').filter((line) => line.trim() !== '' && !hide.test(line));
  if (!isVerbose) process.stderr.write(`${lines.slice(-15).join('\n')}\n`);
  throw new StepFailed(`${name} failed (${how}): ${advice(output)}`);
}

/** To stderr: a program may read the output. On a terminal one line that counts the seconds; elsewhere one every 15 s. */
function showProgress(name) {
  const startedAt = Date.now();
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  const line = (text) => process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${text}` : `${text}\n`);
  const title = name[0].toUpperCase() + name.slice(1);
  line(`${title} …`);
  const timer = setInterval(() => line(`${title} … ${seconds()} s`), process.stderr.isTTY ? 1_000 : 15_000);
  return {
    end() {
      clearInterval(timer);
      line(`${title} took ${seconds()} s`);
      if (process.stderr.isTTY) process.stderr.write('\n');
    },
  };
}

/**
 * Starts a program of the installed repository, on the Node that package.json pins and in place of this one: signals are passed
 * on, and its exit code is what `ended` resolves to.
 */
export function handOver(root, args, stdio = 'inherit') {
  const node = pinnedNode(root);
  const child = spawn(node, args, { cwd: root, stdio });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  const ended = new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new StepFailed(`${node} cannot be run: ${error.message}`)));
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? 'SIGKILL']));
  });
  return { child, ended };
}

/** Its install script may have been blocked by npm's settings. */
function pinnedNode(root) {
  const pinned = join(root, 'node_modules', '.bin', 'node');
  if (existsSync(pinned)) return pinned;
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  throw new StepFailed('the pinned Node is missing, its install script did not run: type  npm rebuild node');
}

/** An npm inside npm would take the outer one's settings for its own; the pinned Node comes first on the PATH anyway. */
function plainEnvironment() {
  const entries = Object.entries(process.env).filter(([name]) => !/^npm_(?:lifecycle|package|command)/.test(name));
  return Object.fromEntries(entries);
}

/** The npm that runs this script, if one does; else the one on the PATH. */
export function npmCommand() {
  const running = process.env.npm_execpath;
  if (running !== undefined && /npm-cli\.c?js$/.test(running)) return { command: process.execPath, args: [running] };
  return { command: 'npm', args: [] };
}
