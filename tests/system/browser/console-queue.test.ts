import { expect, it } from 'vitest';
import type { Browser, Page } from '../../../services/workspaces/test/pages/browser.js';
import { activeContract, joinSystem, paymentsOf, submittedTimesheet } from '../support.js';
import { submittedMilestones } from '../milestones.js';
import { newPeople } from './visitor.js';

const system = await joinSystem();
const people = await newPeople(system, system.workspaces[0]);

const room = (path = ''): string => `/workspaces/${system.workspaces[0].id}/review${path}`;
const piecesOf = ({ html }: Page): string[] =>
  [...html.matchAll(/name="piece" value="([^"]*)"/g)].map(([, piece]) => piece!);
const idOf = (piece: string): string => piece.split('.')[1]!;

/** A contract with this many more submitted timesheets. */
async function contractWith(count: number): Promise<{ contractId: string; ids: string[] }> {
  const contractId = await activeContract(system.access());
  const ids: string[] = [];
  for (let n = 0; n < count; n++) ids.push((await submittedTimesheet(system.access(), contractId)).id);
  return { contractId, ids };
}

/** Goes from the queue to the page that lists the selection. */
async function confirmation(browser: Browser, ids: readonly string[]): Promise<Page> {
  const page = await browser.get(room());
  const piece = piecesOf(page).filter((each) => ids.includes(idOf(each)));
  return await browser.submit(page, room('/confirm'), { piece });
}

const approve = (browser: Browser, page: Page): Promise<Page> =>
  browser.submit(page, room('/approve'), { piece: piecesOf(page) });

it('the queue lists waiting work, also by kind, and members and viewers can only read it', async () => {
  const { ids } = await contractWith(1);
  const [milestone] = await submittedMilestones(system.access(), 1);
  for (const role of ['admin', 'member', 'viewer'] as const) {
    const { browser } = people[role];
    const page = await browser.get(room());
    expect(page.text).toContain('2 pieces of work wait for a review');
    expect(page.text).toContain('Tess Test');
    expect(page.html).toContain(room(`/timesheet/${ids[0]}"`));
    expect(page.html).toContain(room(`/milestone/${milestone!.id}"`));
    expect(piecesOf(page)).toHaveLength(role === 'admin' ? 2 : 0);
    expect(page.html.includes(room('/confirm'))).toBe(role === 'admin');
    const timesheets = await browser.get(room('?kind=timesheet'));
    expect(timesheets.html).not.toContain(milestone!.id);
  }
});

it('before approving, lists each piece and a total for each currency', async () => {
  const { browser } = people.admin;
  const { contractId, ids } = await contractWith(2);
  const [milestone] = await submittedMilestones(system.access(), 1);
  const page = await confirmation(browser, [...ids, milestone!.id]);
  expect(page.text).toContain('Approve 3 pieces of work?');
  expect(page.text).toContain('In all EUR 1,100.00 EUR');
  const results = await approve(browser, page);
  expect(results.status).toBe(200);
  expect(results.text).toContain('3 pieces of work approved');
  for (const id of ids) {
    const [paymentId, ...more] = await paymentsOf(system.access(), contractId, id);
    expect(more).toEqual([]);
    expect(results.html).toContain(`/payments/${paymentId}"`);
  }
  const queue = await browser.get(room());
  expect(ids.some((id) => queue.html.includes(id))).toBe(false);
});

it('approves each piece once and shows the same result for a form that is sent three times', async () => {
  const { browser } = people.admin;
  const { contractId, ids } = await contractWith(3);
  const page = await confirmation(browser, ids);
  const results = [
    ...(await Promise.all([approve(browser, page), approve(browser, page)])),
    await approve(browser, page),
  ];
  for (const { text } of results) expect(text).toContain('3 pieces of work approved');
  for (const id of ids) expect(await paymentsOf(system.access(), contractId, id)).toHaveLength(1);
});

it('skips work that was changed or decided since it was selected, and reports the result of each piece', async () => {
  const { browser } = people.admin;
  const { ids } = await contractWith(3);
  const [first, second, third] = ids as [string, string, string];
  const reject = async (id: string): Promise<unknown> => {
    const address = room(`/timesheet/${id}`);
    return await browser.submit(await browser.get(address), `${address}/reject`, { reason: 'Not this one' });
  };
  const queue = await browser.get(room());
  const piece = piecesOf(queue).filter((each) => ids.includes(idOf(each)));
  await reject(first);
  await reject(third);
  await system.graphql('mutation ($id: ID!) { resubmitTimesheet(id: $id) { id } }', { id: third });
  const page = await browser.submit(queue, room('/confirm'), { piece });
  expect(page.text).toContain('Approve 1 piece of work?');
  expect(page.text).toContain('no longer waits for a review');
  expect(page.text).toContain('has changed since you selected it');
  await reject(second);
  const results = await approve(browser, page);
  expect(results.text).toContain('0 approved, 1 not');
  expect(results.text).toContain('Decided before');
  expect(results.text).toContain('Rejected by Pat Person');
});

it('shows a message if nothing is selected', async () => {
  const { browser } = people.admin;
  await contractWith(1);
  const { status, location } = await browser.submit(await browser.get(room()), room('/confirm'));
  expect([status, location]).toEqual([303, room()]);
  expect((await browser.get(room())).text).toContain('Nothing is selected');
  const all = await browser.get(room('?select=all'));
  expect(all.html.match(/type="checkbox"[^>]*checked/g)).toHaveLength(piecesOf(all).length);
});

it('approves fifty pieces at once and reports the result of each', async () => {
  const { browser } = people.admin;
  await contractWith(50);
  const page = await confirmation(browser, piecesOf(await browser.get(room())).map(idOf));
  expect(piecesOf(page)).toHaveLength(50);
  const results = await approve(browser, page);
  expect(results.text).toContain('50 pieces of work approved');
  expect(new Set([...results.html.matchAll(/\/payments\/([0-9a-f-]+)"/g)].map(([, id]) => id)).size).toBe(50);
  expect(results.html.length).toBeLessThan(100_000);
});
