import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Finding } from '@payroll/process';
import { environmentBeside } from '../../local/beside-stack.js';
import { definitionOf, processes, type ProcessName } from '../../local/processes.js';
import { repositoryRoot } from '../../local/repository-root.js';
import type { StackFile } from '../../local/stack-file.js';
import { containersOf, docker } from '../load/containers.js';

/** Runs one of a process's commands where, and as, that process runs. */
export type RunCommand = (name: ProcessName, ...args: string[]) => Promise<string>;

/** Each process that has tables looks at its own database and streams, with its own rights. */
export async function lookAtServices(run: RunCommand): Promise<Finding[]> {
  const owners = processes.filter(({ schema }) => schema !== undefined);
  return (await Promise.all(owners.map(({ name }) => lookAtService(name, run)))).flat();
}

async function lookAtService(service: ProcessName, run: RunCommand): Promise<Finding[]> {
  try {
    return JSON.parse(await run(service, 'doctor', '--json')) as Finding[];
  } catch (error) {
    // It found something, and ended with 1 and its findings.
    const { stdout, message } = error as Partial<{ stdout: string; message: string }>;
    if (stdout?.startsWith('[')) return JSON.parse(stdout) as Finding[];
    const seen = message?.split('\n').at(-1) ?? '';
    return [{ ok: false, what: `${service} can be asked`, seen, todo: `is ${service} running? its log says more` }];
  }
}

/** In a container of the service. */
export function inContainers(project: string): RunCommand {
  return async (service, ...args) => {
    const [container] = await containersOf(project, service);
    const node = ['node', '--env-file=/run/payroll/environment', definitionOf(service).entry];
    return await docker('exec', container!, ...node, ...args);
  };
}

/** Beside the processes of `npm start`, with the secrets that it keeps. */
export function besideStack(dir: string, stack: Pick<StackFile, 'postgres' | 'nats'>): RunCommand {
  return async (service, ...args) => {
    const node = [join(repositoryRoot, definitionOf(service).entry), ...args];
    const env = environmentBeside(dir, stack, service);
    return (await promisify(execFile)(process.execPath, node, { env })).stdout;
  };
}
