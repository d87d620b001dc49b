import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { SERVICES, type ServiceName } from '@payroll/kernel';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BackendControl } from '@payroll/tools/local/backends';
import type { ProcessName } from '@payroll/infra/processes';
import { furnish, type Belongings } from '../belongings.js';
import { codeOf, exchange, type RawAnswer } from '../integrator.js';
import { ownerOf, type Owner } from '../owner.js';
import { newPrincipal } from '@payroll/tools/demo/people';
import { pathWith, requestOf } from '../operation-requests.js';
import { fetchDocument, type Operation } from '../../support/document.js';
import { startSystem, type System } from '../support.js';

let system: System;
let owner: Owner;
let routes: readonly Operation[];
let admin: Awaited<ReturnType<typeof newPrincipal>>;
let ours: Belongings;
const started = new AsyncDisposableStack();

beforeAll(async () => {
  system = started.use(await startSystem());
  owner = started.use(await ownerOf(system));
  routes = (await fetchDocument(system.stack.file.rest.url)).operations;
  admin = await newPrincipal(system.access());
  ours = await furnish(system, admin);
});

afterAll(async () => await started.disposeAsync());
beforeEach(() => owner.liftLimits(admin.principalId));

/** public-api.md §4: the facade answers within 10 s. Half a second is for the network and this test. */
const DEADLINE_MS = 10_500;

/** The services whose data a route needs, apart from admission; chosen by the resource at the end of its path. */
function servicesOf({ path }: Operation): ServiceName[] {
  if (path.endsWith('/milestones')) return ['contracts', 'review'];
  const [, thing = ''] = path.split('/');
  const owners: Record<string, ServiceName> = {
    ...{ contracts: 'contracts', timesheets: 'review', milestones: 'review' },
    ...{ payments: 'payments', balances: 'payments', business: 'workspaces' },
  };
  const service = owners[thing];
  if (service === undefined) throw new Error(`whose is ${path}? say so here`);
  return [service];
}

/** Decisions carry a stale version: a running service answers 409, and no state changes. */
const wellStatus = ({ method, id }: Operation): number =>
  method === 'GET' ? 200 : id === 'createContract' ? 201 : 409;

function idFor({ path }: Operation): string {
  const [, thing = ''] = path.split('/');
  return ours.ids[thing.slice(0, -1)] ?? '';
}

async function tried(route: Operation): Promise<{ answer: RawAnswer; tookMs: number }> {
  const startedAt = performance.now();
  const request = requestOf(route, admin.secret);
  const answer = await exchange(system.stack.file.rest.url + pathWith(route, idFor(route)), request);
  return { answer, tookMs: performance.now() - startedAt };
}

const keyed = (): Operation[] => routes.filter(({ isPublic }) => !isPublic);

/** Calls every route at once: routes that need the stopped part are 503 in time, the others answer as usual. */
async function expectOutage(isDown: (route: Operation) => boolean): Promise<void> {
  await Promise.all(
    keyed().map(async (route) => {
      const { answer, tookMs } = await tried(route);
      expect(tookMs).toBeLessThan(DEADLINE_MS);
      if (!isDown(route)) return expect([route.id, answer.status]).toEqual([route.id, wellStatus(route)]);
      expect([route.id, answer.status, codeOf(answer)]).toEqual([route.id, 503, 'SERVICE_UNAVAILABLE']);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      return expect(answer.text).not.toMatch(/available"|pending"/);
    }),
  );
  const document = await exchange(`${system.stack.file.rest.url}/openapi.json`, { key: '' });
  expect(document.status).toBe(200);
}

const pids = (): Record<string, number> => ({ ...system.stack.file.processes });

/** No process needs a restart: apart from the restarted one, all have the same pids as before. */
async function expectRecovery(before: Record<string, number>, restarted?: ProcessName): Promise<void> {
  for (const route of keyed()) {
    const status = async (): Promise<number> => (await tried(route)).answer.status;
    await expect.poll(status, { timeout: 30_000, interval: 100 }).toBe(wellStatus(route));
  }
  const others = (all: Record<string, number>) => Object.entries(all).filter(([name]) => name !== restarted);
  expect(others(pids())).toEqual(others(before));
}

it('all routes work before the first outage', () => expectRecovery(pids()));

describe('stopped and started again:', () => {
  it.each<[ServiceName, (route: Operation) => boolean]>([
    ['workspaces', () => true],
    ['contracts', (route) => servicesOf(route).includes('contracts')],
    ['review', (route) => servicesOf(route).includes('review')],
    ['payments', (route) => servicesOf(route).includes('payments')],
  ])('%s', async (service, isDown) => {
    const before = pids();
    await system.stack.stop(service);
    await expectOutage(isDown);
    await system.stack.start(service);
    await expectRecovery(before, service);
  });

  it('NATS', async () => {
    const before = pids();
    await system.stack.nats.stop();
    // Every requested resource exists already, so no service has to call another one.
    await expectOutage(() => false);
    await system.stack.nats.start();
    await expectRecovery(before);
  });
});

/** Sends a signal to a server and its children: Postgres has one process for each connection. */
async function signalAll({ pid }: BackendControl, signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
  const { stdout } = await promisify(execFile)('pgrep', ['-P', String(pid)]).catch(() => ({ stdout: '' }));
  for (const each of [pid!, ...stdout.split('\n').filter(Boolean).map(Number)]) process.kill(each, signal);
}

describe('suspended, so that connections are neither refused nor answered, and resumed:', () => {
  it.each(['postgres', 'nats'] as const)('%s', async (server) => {
    const before = pids();
    const control = system.stack[server];
    await signalAll(control, 'SIGSTOP');
    try {
      await expectOutage(() => server === 'postgres');
    } finally {
      await signalAll(control, 'SIGCONT');
    }
    await expectRecovery(before);
  });

  it.each(SERVICES)('%s', async (service) => {
    const before = pids();
    process.kill(before[service]!, 'SIGSTOP');
    try {
      await expectOutage((route) => service === 'workspaces' || servicesOf(route).includes(service));
    } finally {
      process.kill(before[service]!, 'SIGCONT');
    }
    await expectRecovery(before);
  });
});
