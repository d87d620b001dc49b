import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type CheckResult, StartError } from '@payroll/runtime';
import { definitionOf, processes, repositoryRoot, type ProcessName } from '@payroll/infra/processes';
import { environmentBeside, runningStack, type StackFile } from '../../local/stack-file.js';
import { containersOf, docker } from '../containers.js';

/** Runs one of a process's commands in that process's environment. */
export type RunInside = (name: ProcessName, ...args: string[]) => Promise<string>;

/** Each process with tables checks its own database and its connection to NATS, with its own rights. */
export async function checkServices(run: RunInside): Promise<CheckResult[]> {
  const owners = processes.filter(({ schema }) => schema !== undefined);
  return (await Promise.all(owners.map(({ name }) => checkService(name, run)))).flat();
}

async function checkService(service: ProcessName, run: RunInside): Promise<CheckResult[]> {
  try {
    return JSON.parse(await run(service, 'doctor', '--json')) as CheckResult[];
  } catch (error) {
    // With findings it exits with code 1.
    const { stdout, message } = error as Partial<{ stdout: string; message: string }>;
    if (stdout?.startsWith('[')) return JSON.parse(stdout) as CheckResult[];
    const seen = message?.trim().split('\n').at(-1) ?? '';
    return [{ ok: false, what: `${service} can be asked`, seen, todo: `is ${service} running? its log says more` }];
  }
}

/** @throws StartError if it is unknown which system runs */
export function insideOf(project: string | undefined): RunInside {
  if (project !== undefined) return inContainers(project);
  const { postgres, nats } = runningStack() ?? {};
  if (postgres === undefined || nats === undefined) {
    throw new StartError(
      'nothing runs here: start it with  npm start, or name the compose project of the services with --project',
    );
  }
  return besideStack({ postgres, nats });
}

function inContainers(project: string): RunInside {
  return async (service, ...args) => {
    const [container] = await containersOf(project, service);
    const node = ['node', '--env-file=/run/payroll/environment', definitionOf(service).entry];
    return await docker('exec', container!, ...node, ...args);
  };
}

/** Runs beside the processes of `npm start`, with the stored secrets. */
function besideStack(stack: Pick<StackFile, 'postgres' | 'nats'>): RunInside {
  return async (service, ...args) => {
    const node = [join(repositoryRoot, definitionOf(service).entry), ...args];
    const env = environmentBeside(stack, service);
    return (await promisify(execFile)(process.execPath, node, { env })).stdout;
  };
}
