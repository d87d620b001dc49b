import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seedPeople } from '@payroll/tools/demo/seed';
import type { Submitted } from '@payroll/tools/demo/steps';
import { startNatsCluster, type NatsCluster } from '@payroll/tools/local/test-cluster';
import { SERVICES } from '@payroll/kernel';
import { exchange, insist, type RawAnswer, type RawRequest } from '../integrator.js';
import { ownerOf } from '../owner.js';
import { newPrincipal } from '@payroll/tools/demo/people';
import { activeContract, paymentsOf, startSystem, submittedTimesheet, type System } from '../support.js';

let cluster: NatsCluster;
let system: System;
let key: string;
let contractId: string;
const started = new AsyncDisposableStack();

beforeAll(async () => {
  cluster = started.use(await startNatsCluster());
  const own = { NATS_CA_FILE: cluster.caFile };
  const env = Object.fromEntries(SERVICES.map((name) => [name, own]));
  system = started.use(await startSystem(seedPeople, { natsUrl: cluster.urls, env }));
  contractId = await activeContract(system.access());
  const { secret, principalId } = await newPrincipal(system.access());
  key = secret;
  await started.use(await ownerOf(system)).liftLimits(principalId);
});

afterAll(async () => await started.disposeAsync());

interface Approved {
  timesheetId: string;
  paymentId: string;
}

/** Submits `count` pieces of work, then approves them three at a time, each repeated until its answer is final. */
async function approveMany(count: number, answered: (n: number) => void = () => {}): Promise<Approved[]> {
  const work: Submitted[] = [];
  for (let n = 0; n < count; n++) work.push(await submittedTimesheet(system.access(), contractId));
  const approvals: Approved[] = [];
  const approver = async (): Promise<void> => {
    for (let one = work.shift(); one; one = work.shift()) {
      const { id, version } = one;
      const request: RawRequest = {
        ...{ key, method: 'POST', body: { expectedVersion: version } },
        idempotencyKey: randomUUID(),
      };
      const url = `${system.stack.file.rest.url}/timesheets/${id}/approve`;
      const send = (): Promise<RawAnswer> => exchange(url, request);
      const { status, text } = await insist(send, () => {});
      expect([status, text]).toEqual([200, expect.stringContaining('"approved"')]);
      approvals.push({ timesheetId: id, paymentId: (JSON.parse(text) as { paymentId: string }).paymentId });
      answered(approvals.length);
    }
  };
  await Promise.all([approver(), approver(), approver()]);
  return approvals;
}

const eventually = { timeout: 40_000, interval: 100 };

async function expectOnePaymentEach(approvals: readonly Approved[]): Promise<void> {
  for (const { timesheetId, paymentId } of approvals) {
    const payments = (): Promise<string[]> => paymentsOf(system.access(), contractId, timesheetId).catch(() => []);
    await expect.poll(payments, eventually).toEqual([paymentId]);
  }
}

async function expectAllReady(): Promise<void> {
  for (const name of SERVICES) {
    const readiness = async (): Promise<number> =>
      (await fetch(`http://127.0.0.1:${system.stack.ports[name]}/readyz`)).status;
    await expect.poll(readiness, { ...eventually, message: name }).toBe(200);
  }
}

it.each(['nats-1', 'nats-2', 'nats-3'])(
  'when %s is killed during approvals and restarted, each approval has one payment',
  async (name) => {
    const server = cluster.server(name);
    const approvals = await approveMany(20, (answered) => {
      if (answered === 5) server.abandon();
    });
    expect(server.pid).toBe(undefined);
    await expectOnePaymentEach(approvals);
    await expectAllReady();

    await server.start();
    await expectOnePaymentEach(await approveMany(3));
  },
);
