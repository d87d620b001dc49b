import { expect, it } from 'vitest';
import { whileStopped } from '../../support/while-stopped.js';
import { activeContract, joinSystem, paymentsOf, submittedTimesheet } from '../support.js';
import { newPeople } from './visitor.js';

const system = await joinSystem();
const admin = (await newPeople(system, system.workspaces[0])).admin.browser;
const contractId = await activeContract(system.access());
const room = `/workspaces/${system.workspaces[0].id}`;

const submitted = async () => {
  const { id } = await submittedTimesheet(system.access(), contractId);
  return { id, address: `${room}/review/timesheet/${id}` };
};

it('while payments does not answer, work is approved one by one and together, and paid afterwards', async () => {
  const [one, other] = [await submitted(), await submitted()];
  const queue = await admin.get(`${room}/review`);
  await whileStopped(system.stack.file, 'payments', async () => {
    const approved = await admin.submit(await admin.get(one.address), `${one.address}/approve`);
    expect([approved.status, approved.location]).toEqual([303, one.address]);
    const [choice] = queue.html.match(new RegExp(`timesheet\\.${other.id}\\.[^"]+`))!;
    const confirm = await admin.submit(queue, `${room}/review/confirm`, { piece: choice });
    expect((await admin.submit(confirm, `${room}/review/approve`)).status).toBe(200);
    expect((await admin.get(`${room}/search?q=Tess`)).text).toContain('Tess Test');
  });
  for (const { id } of [one, other]) {
    const paid = () => paymentsOf(system.access(), contractId, id);
    await expect.poll(paid, { timeout: 20_000 }).toHaveLength(1);
  }
});

it('a form that got no answer can be sent again as it was, and is done once', async () => {
  const { id, address } = await submitted();
  const form = await admin.get(address);
  const sent = { reason: 'Not the hours that we agreed on' };
  const failed = await whileStopped(system.stack.file, 'review', () => admin.submit(form, `${address}/reject`, sent));
  expect(failed.status).toBe(503);
  expect(failed.text).toContain('send it again, and it is done once');
  expect((await admin.submit(failed, `${address}/reject`)).status).toBe(303);
  expect(await system.graphql('query ($id: ID!) { timesheet(id: $id) { status rejectionReason } }', { id })).toEqual({
    status: 'rejected',
    rejectionReason: sent.reason,
  });
  const { text } = await admin.get(address);
  expect(text.split(sent.reason)).toHaveLength(2);
});
