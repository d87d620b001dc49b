import { generateKeySync } from 'node:crypto';
import { mintActorToken } from '@payroll/admission';
import { createDatabase, startTestNats } from '@payroll/tools/local/test-server';
import { newId } from '@payroll/kernel';
import { Drain } from '@payroll/runtime';
import { parseJsonLines, startService } from '@payroll/service';
import { migrate } from '@payroll/store';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, expect, inject, it } from 'vitest';
import { paymentsService } from '../src/service.js';
import { paymentsSchema } from '../src/store/schema.js';
import { Neighbour } from './support/neighbour.js';
import { TestSandbox } from './support/sandbox.js';
import { staff, type GraphqlAnswer } from './support/scene.js';
import { contractBody } from './support/test-workspace.js';

// The whole process with its jobs, on a real bus with neighbour services.

const KEY = generateKeySync('hmac', { length: 256 });
const WAIT = { timeout: 30_000 };
const stack = new AsyncDisposableStack();

const nats = stack.use(await startTestNats());
const { ownerUrl, urls } = await createDatabase(inject('backends'), 'payments_running');
await migrate(paymentsSchema, ownerUrl);
const open = async (service: 'workspaces' | 'contracts' | 'review') => {
  const options = { service, ownerUrl, databaseUrl: urls[service], natsUrl: nats.urls[service] };
  return stack.use(await Neighbour.open(options));
};
const [workspaces, contracts, review] = [await open('workspaces'), await open('contracts'), await open('review')];
const listenPort = await freePort();
const url = `http://127.0.0.1:${listenPort}/graphql`;
const sandbox = stack.use(await TestSandbox.open());
const service = paymentsService({
  deployment: 'test',
  provider: sandbox,
  callbacks: null,
  control: () => Promise.resolve(),
  payeeHoldHours: 24,
});
const own = { listenHost: '127.0.0.1', listenPort, logLevel: 'error', eventRetentionDays: 30 } as const;
const database = { url: urls.payments, poolSize: 10 };
const config = {
  ...own,
  database,
  nats: { url: nats.urls.payments },
  streamReplicas: 1,
  actorTokenKeys: [KEY],
  deployment: 'test',
  cell: null,
} as const;
stack.use(await startService(service, config, new Drain()));
afterAll(() => stack.disposeAsync());

it('pays an approved milestone by itself and emits each status for review', async () => {
  const workspaceId = newId();
  const contract = { contractId: newId(), workerId: newId() };
  await workspaces.tell('business.changed', workspaceId, workspaceId, {
    ...{ businessId: workspaceId, revision: 1, kybStatus: 'verified', name: 'Northwind', country: 'DE' },
  });
  await contracts.keepBack('contract.changed', workspaceId, contract.contractId, contractBody(contract));
  const funding = await ask<{ id: string }>(
    workspaceId,
    'mutation { requestFunding(amount: "50", currency: "EUR", reference: "x", bankTransactionId: "1") { id } }',
  );
  await ask(workspaceId, `mutation { countersignInstruction(id: "${funding.id}") { id } }`, 'finn@example.com');
  const payee = await ask<{ id: string; version: string }>(
    workspaceId,
    `mutation { registerPayee(workerId: "${contract.workerId}", payoutMethod: wise, destination: "sandbox:x") { id version } }`,
  );
  const { id, version } = payee;
  const verify = `mutation { verifyPayee(id: "${id}", expectedVersion: "${version}", destination: "sandbox:x") { id } }`;
  await ask(workspaceId, verify, 'finn@example.com');
  const paymentId = newId();
  const approval = { milestoneId: newId(), paymentId, contractId: contract.contractId, revision: 1 };
  await review.tell('milestone.approved', workspaceId, paymentId, {
    ...approval,
    amount: { amount: '12.00', currency: 'EUR' },
  });
  await expect.poll(() => statusOf(workspaceId, paymentId), WAIT).toBe('completed');
  const heard = () => review.heard.filter(({ aboutId }) => aboutId === paymentId).map(({ type }) => type);
  await expect.poll(() => new Set(heard()), WAIT).toEqual(new Set(['payment.processing', 'payment.completed']));
});

it.each(['timesheet', 'milestone'] as const)(
  'shows the payment of a %s whose approval event has not arrived',
  async (kind) => {
    const workspaceId = newId();
    const paymentId = newId();
    const work = { contractId: newId(), paymentId, revision: 1 };
    const amount = { amount: '7.00', currency: 'EUR' };
    if (kind === 'milestone') {
      await review.keepBack('milestone.approved', workspaceId, paymentId, { ...work, milestoneId: newId(), amount });
    } else {
      await review.keepBack('timesheet.approved', workspaceId, paymentId, {
        ...work,
        timesheetId: newId(),
        total: amount,
        ...{ periodStart: '2027-01-01', periodEnd: '2027-01-31', paymentScheduledDate: '2199-01-31' },
        autoPayEnabled: true,
      });
    }
    expect(await ask(workspaceId, `{ payment(id: "${paymentId}") { id grossAmount { amount } } }`)).toEqual({
      id: paymentId,
      grossAmount: { amount: '7.00' },
    });
  },
);

async function statusOf(workspaceId: string, id: string): Promise<string | undefined> {
  return (await ask<{ status: string } | null>(workspaceId, `{ payment(id: "${id}") { status } }`))?.status;
}

async function ask<T>(workspaceId: string, query: string, person = 'fay@example.com'): Promise<T> {
  const token = mintActorToken('payments', KEY, staff(workspaceId, { person }), new Date());
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([{ query, extensions: { token } }]),
  });
  const [answer] = parseJsonLines<GraphqlAnswer>(await response.text());
  expect(answer!.errors).toBeUndefined();
  return Object.values(answer!.data!)[0] as T;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
