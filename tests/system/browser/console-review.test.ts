import { describe, expect, it } from 'vitest';
import type { Page } from '../../../services/workspaces/test/pages/browser.js';
import { ask } from '@payroll/tools/demo/graphql-client';
import { activeContract, joinSystem, paymentsOf, submittedTimesheet } from '../support.js';
import { submittedMilestones } from '../milestones.js';
import { newPeople } from './visitor.js';

const system = await joinSystem();
const people = await newPeople(system, system.workspaces[0]);
const other = (await newPeople(system, system.workspaces[0])).admin;
const contractId = await activeContract(system.access());

const room = (path = '', workspace = system.workspaces[0]): string => `/workspaces/${workspace.id}/review${path}`;
const submitted = async (): Promise<{ id: string; version: string; address: string }> => {
  const { id, version } = await submittedTimesheet(system.access(), contractId);
  return { id, version, address: room(`/timesheet/${id}`) };
};
const read = (address: string, { browser } = people.admin): Promise<Page> => browser.get(address);
const actsOf = ({ html }: Page): string[] =>
  [...html.matchAll(/action="[^"]*\/(approve|reject|confirm)"/g)].map(([, act]) => act!);

describe('a timesheet', () => {
  it('a timesheet shows everybody all that its version covers; only admins are offered a decision', async () => {
    const { address } = await submitted();
    for (const role of ['admin', 'member', 'viewer'] as const) {
      const page = await read(address, people[role]);
      expect(page.status).toBe(200);
      for (const fact of ['Tess Test', '50.00 EUR per hour', '500.00 EUR', 'Pay date', 'Submitted', 'API']) {
        expect(page.text).toContain(fact);
      }
      expect(actsOf(page)).toEqual(role === 'admin' ? ['approve', 'reject'] : []);
    }
  });

  it('an approval redirects to the page that links to its payment', async () => {
    const { id, address } = await submitted();
    const { browser } = people.admin;
    const { status, location } = await browser.submit(await read(address), `${address}/approve`);
    expect([status, location]).toEqual([303, address]);
    const after = await read(address);
    const [paymentId] = await paymentsOf(system.access(), contractId, id);
    expect(after.text).toContain('Approved. This creates its payment');
    expect(after.html).toContain(`/workspaces/${system.workspaces[0].id}/payments/${paymentId}"`);
    expect(after.text).toContain('See the payment Scheduled');
    expect(after.text).toContain('Approved By Pat Person');
    expect(actsOf(after)).toEqual([]);
  });

  it('an approval redirects to the next piece named by the form, and never outside the queue', async () => {
    const [first, second] = [await submitted(), await submitted()];
    const { browser } = people.admin;
    const next = `timesheet/${second.id}`;
    const { location } = await browser.submit(await read(first.address), `${first.address}/approve`, { next });
    expect(location).toBe(second.address);
    const elsewhere = { next: '/evil.example/x', reason: 'No' };
    const stayed = await browser.submit(await read(second.address), `${second.address}/reject`, elsewhere);
    expect(stayed.location).toBe(second.address);
  });

  it('an approval sent twice at once and again afterwards makes one payment', async () => {
    const { id, address } = await submitted();
    const { browser } = people.admin;
    const page = await read(address);
    const press = (): Promise<Page> => browser.submit(page, `${address}/approve`);
    const answers = [...(await Promise.all([press(), press()])), await press()];
    expect(answers.map(({ status, location }) => [status, location])).toEqual(Array(3).fill([303, address]));
    expect(await paymentsOf(system.access(), contractId, id)).toHaveLength(1);
  });

  it('an approval makes one payment if the browser disconnects while it is sent and sends it again', async () => {
    const { id, address } = await submitted();
    const { browser } = people.admin;
    const page = await read(address);
    await browser.abandon(page, `${address}/approve`);
    const { status, location } = await browser.submit(page, `${address}/approve`);
    expect([status, location]).toEqual([303, address]);
    expect(await paymentsOf(system.access(), contractId, id)).toHaveLength(1);
  });

  it('a rejection needs a reason, which the page shows', async () => {
    const { address } = await submitted();
    const { browser } = people.admin;
    const page = await read(address);
    const empty = await browser.submit(page, `${address}/reject`, { reason: '  ' });
    expect(empty.status).toBe(422);
    expect(empty.text).toContain('Write why it is rejected');
    const done = await browser.submit(empty, `${address}/reject`, { reason: 'Tuesday\nis missing' });
    expect(done.status).toBe(303);
    expect((await read(address)).html).toContain('Tuesday\nis missing');
  });

  it('a late decision returns 409 and names the admin who has decided', async () => {
    const { address } = await submitted();
    const [mine, theirs] = [await read(address), await read(address, other)];
    expect((await other.browser.submit(theirs, `${address}/reject`, { reason: 'No' })).status).toBe(303);
    const late = await people.admin.browser.submit(mine, `${address}/approve`);
    expect(late.status).toBe(409);
    expect(late.text).toContain('It was decided already');
    expect(late.text).toContain('Rejected by Pat Person');
    expect(actsOf(late)).toEqual([]);
  });

  it('a timesheet that has changed is shown before and after, and needs a new decision', async () => {
    const own = await activeContract(system.access());
    const { id } = await submittedTimesheet(system.access(), own);
    const address = room(`/timesheet/${id}`);
    const { browser } = people.admin;
    const old = await read(address);
    await ask(system.access(), `mutation { changeContractTerms(id: "${own}", rate: "60") { id } }`);
    await expect.poll(async () => (await read(address)).text, { timeout: 10_000 }).toContain('600.00 EUR');
    const stale = await browser.submit(old, `${address}/approve`);
    expect(stale.status).toBe(409);
    expect(stale.text).toContain('You saw');
    expect(stale.text).toMatch(/Total You saw 500\.00 EUR It is now 600\.00 EUR/);
    expect((await browser.submit(stale, `${address}/approve`)).status).toBe(303);
    expect(await paymentsOf(system.access(), own, id)).toHaveLength(1);
  });

  it('a decision that is corrected after going back takes effect', async () => {
    const { address } = await submitted();
    const { browser } = people.admin;
    const page = await read(address);
    await browser.submit(page, `${address}/reject`, { reason: '' });
    const mended = () => browser.submit(page, `${address}/reject`, { reason: 'Typed after going back' });
    expect((await Promise.all([mended(), mended()])).map(({ status }) => status)).toEqual([303, 303]);
    expect((await read(address)).text).toContain('Typed after going back');
  });
});

describe('a milestone', () => {
  it('a milestone is approved on its own page', async () => {
    const [milestone] = await submittedMilestones(system.access(), 1);
    const address = room(`/milestone/${milestone!.id}`);
    const page = await read(address);
    expect(page.text).toContain('Step 1');
    expect(page.text).toContain('100.00 EUR');
    expect((await people.admin.browser.submit(page, `${address}/approve`)).status).toBe(303);
    expect((await read(address)).text).toContain('See the payment');
  });
});

describe('a member who may not decide', () => {
  it.each(['member', 'viewer'] as const)('%s: a forged form is refused', async (role) => {
    const { address, version } = await submitted();
    const { browser } = people[role];
    const token = /name="form_token" value="([^"]*)"/.exec((await read(address, people[role])).html)![1]!;
    const forged = { form_token: token, version, operation_id: crypto.randomUUID(), seen: '{}', reason: 'Mine' };
    for (const act of ['approve', 'reject']) {
      expect((await browser.post(`${address}/${act}`, forged)).status).toBe(403);
    }
    for (const act of ['/confirm', '/approve']) expect((await browser.post(room(act), forged)).status).toBe(403);
    expect((await read(address)).text).toContain('Waiting for review');
  });

  it('a decision is refused if its sender is no longer an admin when the form arrives', async () => {
    const { address } = await submitted();
    const { admin } = await newPeople(system, system.workspaces[0]);
    const page = await read(address, admin);
    const demote = `mutation ($id: ID!) { changeMemberRole(id: $id, role: viewer) { id } }`;
    await system.graphql(demote, { id: admin.membershipId });
    expect((await admin.browser.submit(page, `${address}/approve`)).status).toBe(403);
    expect((await read(address)).text).toContain('Waiting for review');
  });

  it('work of another workspace is not found, at its own address or at ours', async () => {
    const { id } = await submitted();
    const foreign = await submittedTimesheet(
      system.access(system.workspaces[1]),
      await activeContract(system.access(system.workspaces[1])),
    );
    const { browser } = people.admin;
    for (const path of [
      room(`/timesheet/${foreign.id}`),
      room(`/timesheet/${id}`, system.workspaces[1]),
      room(`/milestone/${id}`),
      room('/timesheet/none'),
    ]) {
      expect((await browser.get(path)).status).toBe(404);
    }
    const form_token = /name="form_token" value="([^"]*)"/.exec((await read(room())).html)![1]!;
    const forged = { form_token, version: foreign.version, operation_id: crypto.randomUUID() };
    expect((await browser.post(room(`/timesheet/${foreign.id}/approve`), forged)).status).toBe(404);
  });
});
