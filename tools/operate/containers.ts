import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { StartError } from '@payroll/runtime';

/** Longer than a process takes to drain and finish; after that Docker kills it. */
const STOP_WITHIN_SECONDS = 40;
const HEALTHY_WITHIN_MS = 60_000;

/** The containers of one service of a compose project, by the labels that both versions of compose give them. */
export async function findContainers(
  project: string,
  service: string,
  which: 'running' | 'all' = 'running',
): Promise<string[]> {
  const label = (name: string, value: string) => ['--filter', `label=com.docker.compose.${name}=${value}`];
  const labels = [...label('project', project), ...label('service', service)];
  const status = which === 'all' ? ['--all'] : ['--filter', 'status=running'];
  return (await docker('ps', ...status, ...labels, '--format', '{{.ID}}')).split('\n').filter(Boolean);
}

/** @throws StartError if there are none */
export async function containersOf(project: string, service: string): Promise<string[]> {
  const ids = await findContainers(project, service);
  if (ids.length === 0) throw new StartError(`the project ${project} runs no container of ${service}`);
  return ids;
}

/** Stops it as an upgrade would, and resolves when it is healthy again. */
export async function restartContainer(id: string): Promise<void> {
  await docker('stop', '-t', String(STOP_WITHIN_SECONDS), id);
  await docker('start', id);
  const deadline = Date.now() + HEALTHY_WITHIN_MS;
  while ((await docker('inspect', '--format', '{{.State.Health.Status}}', id)) !== 'healthy') {
    if (Date.now() > deadline)
      throw new StartError(`container ${id} is not healthy after a restart: docker logs ${id}`);
    await pause(200);
  }
}

export async function docker(...args: string[]): Promise<string> {
  return (await promisify(execFile)('docker', args)).stdout.trim();
}
