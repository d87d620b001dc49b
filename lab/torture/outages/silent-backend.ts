import { setTimeout as pause } from 'node:timers/promises';
import { FaultyPostgres } from '../stage/faulty-postgres.js';
import type { Tenant } from '../stage/tenants.js';
import { type Answer, approvalOf, call } from '../stage/v1.js';
import type { Piece } from '../stage/work.js';
import { seconds } from '../../bench/shown/table.js';
import type { Outage } from './outage.js';
import { waitForPayments } from '../stage/payments.js';

const WATCHED_MS = 20_000;
const EVERY_MS = 400;

/** Writes of the workspace whose change clock is locked fail in time; other workspaces are not affected. */
export const silentBackend: Outage = async ({ stack, database, tenants, cleanup }) => {
  const [held, other] = await tenants(400);
  let isNext = false;
  const port = Number(new URL(stack.environmentOf('review')['DATABASE_URL']!).port);
  let statements = 0;
  // The first statement of its second write never arrives.
  const before = async (): Promise<void> => {
    if (isNext && ++statements > FIRST_WRITE) {
      isNext = false;
      await new Promise(() => undefined);
    }
  };
  const way = cleanup.use(await FaultyPostgres.to({ port, before }));
  await stack.stop('review');
  await stack.start('review', { DATABASE_URL: way.through(stack.environmentOf('review')['DATABASE_URL']!) });
  await stack.ready('review');
  const acknowledged: Piece[] = [];
  const approveAll = (tenant: Tenant): Promise<Answer[]> => approveFor(stack.file.rest.url, tenant, acknowledged);
  await Promise.all(
    [held!, other!].map(async (tenant) => await call(`${stack.file.rest.url}/business`, tenant.admins[0]!.secret)),
  );
  const theirs = approveAll(held!);
  isNext = true;
  await pause(EVERY_MS / 2);
  const others = approveAll(other!);
  const line = `its workspace: ${told(await theirs)}; another: ${told(await others)}`;
  const { without, doubled } = await waitForPayments(database, acknowledged, WATCHED_MS);
  return [{ line, isSafe: without === 0 && doubled === 0 }];
};

/** BEGIN, change clock, earlier outcome, the row to decide on. */
const FIRST_WRITE = 4;

/** Approves the workspace's work one piece after another, within the limits of its keys. */
async function approveFor(url: string, { work, admins }: Tenant, acknowledged: Piece[]): Promise<Answer[]> {
  const answers: Promise<Answer>[] = [];
  const until = performance.now() + WATCHED_MS;
  for (let n = 0; performance.now() < until; n++) {
    const piece = work.pop()!;
    const [path, request] = approvalOf(piece);
    const approving = call(url + path, admins[n % admins.length]!.secret, request);
    answers.push(approving.then((answer) => (answer.status === 200 && acknowledged.push(piece), answer)));
    await pause(EVERY_MS);
  }
  return await Promise.all(answers);
}

function told(answers: readonly Answer[]): string {
  const failed = answers.filter(({ status }) => status !== 200).length;
  return `${answers.length} approvals, ${failed} failed, slowest ${seconds(Math.max(...answers.map(({ ms }) => ms)))}`;
}
