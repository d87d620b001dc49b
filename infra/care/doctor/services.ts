import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Finding } from '@payroll/process';
import { credentialsOf } from '../../local/credentials.js';
import { processes } from '../../local/processes.js';
import { repositoryRoot } from '../../local/repository-root.js';
import { serviceNames, type Secrets, type ServiceName } from '../../local/secrets.js';
import type { StackFile } from '../../local/stack-file.js';
import { containersOf } from '../load/containers.js';

/** Runs one of a service's commands where, and as, that service runs. */
export type RunCommand = (service: ServiceName, ...args: string[]) => Promise<string>;

/** Each service looks at its own database and streams, with its own rights. */
export async function lookAtServices(run: RunCommand): Promise<Finding[]> {
  return (await Promise.all(serviceNames.map((service) => lookAtService(service, run)))).flat();
}

async function lookAtService(service: ServiceName, run: RunCommand): Promise<Finding[]> {
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
    const node = ['node', '--env-file=/run/payroll/environment', entryOf(service)];
    return (await promisify(execFile)('docker', ['exec', container!, ...node, ...args])).stdout;
  };
}

/** Beside the processes of `npm start`, with the secrets that it keeps. */
export function besideStack(dir: string, { postgres, nats }: StackFile): RunCommand {
  const secrets = JSON.parse(readFileSync(join(dir, 'secrets.json'), 'utf8')) as Secrets;
  return async (service, ...args) => {
    const definition = processes.find(({ name }) => name === service)!;
    const as = (url: string): string => Object.assign(new URL(url), { username: service, password: '' }).href;
    const env = {
      PATH: process.env['PATH'],
      DATABASE_URL: as(postgres.url),
      NATS_URL: as(nats.url),
      ...credentialsOf(definition, secrets),
    };
    const node = [join(repositoryRoot, entryOf(service)), ...args];
    return (await promisify(execFile)(process.execPath, node, { env })).stdout;
  };
}

function entryOf(service: ServiceName): string {
  return processes.find(({ name }) => name === service)!.entry;
}
