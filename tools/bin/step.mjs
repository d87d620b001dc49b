import { spawn } from 'node:child_process';

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
