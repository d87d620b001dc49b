import { spawn, type ChildProcess } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { repositoryRoot } from '@payroll/infra/processes';

const here = join(repositoryRoot, 'tests/judges');
/** Installed separately, so that CI does not wait for the packages of other judges. */
const apart: Readonly<Record<string, string>> = { conformance: join(here, 'conformance') };
const bin = join(repositoryRoot, 'node_modules/.bin');

/** Starts one of the installed judges, or `node`, on the pinned Node. No judge sends data to a third party. */
export function startTool(name: string, args: readonly string[], env: Record<string, string> = {}): ChildProcess {
  const program = name === 'node' ? process.execPath : join(apart[name] ?? here, 'node_modules/.bin', name);
  return spawn(program, args, {
    cwd: name === 'node' ? repositoryRoot : here,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}`,
      NO_COLOR: '1',
      REDOCLY_TELEMETRY: 'off',
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
      ...env,
    },
  });
}

export interface ToolOutput {
  exitCode: number;
  stdout: string;
  all: string;
}

/** Runs a judge to its end. */
export async function runTool(
  name: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<ToolOutput> {
  const child = startTool(name, args, env);
  let [stdout, all] = ['', ''];
  child.stdout!.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
    all += chunk.toString();
  });
  child.stderr!.on('data', (chunk: Buffer) => (all += chunk.toString()));
  const exitCode = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
  return { exitCode, stdout, all };
}
