import { afterAll, expect, it } from 'vitest';
import { ask } from '@payroll/tools/demo/graphql-client';
import { APPROVE_TIMESHEET, REGISTER_WORKER, REJECT_TIMESHEET } from '@payroll/tools/demo/operations';
import { giveWorkerSignIn } from '@payroll/tools/demo/operator';
import { contractIn, hourly, submitWeek, type Worker } from '@payroll/tools/demo/steps';
import { ownerOf } from '../owner.js';
import { newPeople } from '../browser/visitor.js';
import { joinSystem } from '../support.js';

const system = await joinSystem();
const { database } = await ownerOf(system);
afterAll(() => database.end());

async function kindsFor(email: string): Promise<string[]> {
  const { rows } = await database.query<{ kind: string }>(
    `select kind from workspaces.notice join workspaces.account on account.id = account_id
     where email = $1 and about_id <> account_id order by kind`,
    [email],
  );
  return rows.map(({ kind }) => kind);
}

const mailsTo = async (email: string): Promise<string[]> => {
  const html = await (await fetch(system.stack.file.mail!.url)).text();
  return html.split('<article>').filter((each) => each.includes(`To ${email}`));
};

it('the worker and the admins are mailed from what other services do, and approving tells workspaces nothing', async () => {
  const access = system.access();
  const [workspace] = system.workspaces;
  const email = `wanda-${crypto.randomUUID()}@people.example`;
  const { admin } = await newPeople(system, workspace);
  const worker = { ...(await ask<Worker>(access, REGISTER_WORKER, { name: 'Wanda Weber', email })), email };
  await giveWorkerSignIn(system.stack, access, email);

  const contractId = await contractIn(access, worker, hourly('Translation', 'EUR', '60'), 'active');
  await expect.poll(() => kindsFor(email)).toEqual(['contract_to_sign']);
  const rejected = await submitWeek(access, contractId, 0, '10');
  await ask(access, REJECT_TIMESHEET, { ...rejected, reason: 'Secret reason' });
  await expect.poll(() => kindsFor(email)).toEqual(['contract_to_sign', 'work_sent_back']);
  await expect.poll(() => kindsFor(admin.email)).toEqual(['work_waiting']);

  const approved = await submitWeek(access, contractId, 1, '10');
  const { paymentId } = await ask<{ paymentId: string }>(access, APPROVE_TIMESHEET, approved);
  const { rows } = await database.query(
    `select type, consumer from review.outbox_event left join review.outbox_delivery on event_id = id where about_id = $1`,
    [paymentId],
  );
  expect(rows).toMatchObject([{ type: 'timesheet.approved' }]);
  await database.query(`update payments.payment set scheduled_date = '2026-01-01' where id = $1`, [paymentId]);
  await expect.poll(() => kindsFor(email)).toEqual(['contract_to_sign', 'payout_details_needed', 'work_sent_back']);
  await expect.poll(() => kindsFor(admin.email)).toEqual(['payment_failed', 'work_waiting', 'work_waiting']);

  expect(await mailsTo(email)).toEqual([]);
  await database.query(`update workspaces.mail set due_at = now() where workspace_id = $1`, [workspace.id]);
  await expect.poll(async () => [(await mailsTo(email)).length, (await mailsTo(admin.email)).length]).toEqual([1, 1]);
  const [mail] = await mailsTo(email);
  expect(mail).toContain(`/work/${workspace.id}`);
  expect(mail).not.toMatch(/Secret reason|Wanda|600|EUR/);
});
