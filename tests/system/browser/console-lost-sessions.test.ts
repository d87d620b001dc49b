import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Browser, Page } from '../../../services/workspaces/test/pages/browser.js';
import { registerWorker } from '@payroll/tools/demo/steps';
import { activeContract, startSystem, submittedTimesheet, type System } from '../support.js';
import { newPeople, PASSWORD, type Person } from './visitor.js';

// The console owns the form and workspaces the session: input is passed from one to the other and back. A form without
// a session counts as a failed attempt of its address, of which few are allowed; other files use them too.

const REASON = 'The "hours" of <Tuesday> are missing';

let system: System;
let contractId: string;
let admin: Person;
let browser: Browser;
/** The page of a timesheet, and the action of its form. */
let page: string;
let form: string;
let id: string;
const started = new AsyncDisposableStack();
beforeAll(async () => {
  system = started.use(await startSystem());
  contractId = await activeContract(system.access());
});
afterAll(async () => await started.disposeAsync());
beforeEach(async () => {
  ({ admin } = await newPeople(system, system.workspaces[0]));
  ({ browser } = admin);
  ({ id } = await submittedTimesheet(system.access(), contractId));
  page = `/workspaces/${system.workspaces[0].id}/review/timesheet/${id}`;
  form = `${page}/reject`;
});

const signOutElsewhere = async (): Promise<void> => {
  await browser.submit(await browser.get('/account'), '/sign-out');
  await browser.get('/sign-in');
};
const statusOf = async (): Promise<string> =>
  (await system.graphql<{ status: string }>('query ($id: ID!) { timesheet(id: $id) { status } }', { id })).status;

function expectAsTyped({ text, html }: Page): void {
  expect(text).toContain('Nothing has been done yet.');
  expect(html).toContain('The &quot;hours&quot; of &lt;Tuesday> are missing');
}

describe.each([
  ['they signed out in another window', signOutElsewhere],
  ['the cookie is gone', () => Promise.resolve(browser.cookies.clear())],
])('when %s', (_, lose) => {
  it('a form has no effect, returns as typed after signing in, and takes effect once it is sent again', async () => {
    const shown = await browser.get(page);
    await lose();
    const asked = await browser.submit(shown, form, { reason: REASON });
    expect([asked.status, asked.location, await statusOf()]).toEqual([401, null, 'submitted']);
    const signedIn = await browser.submit(asked, '/sign-in', { email: admin.email, password: PASSWORD });
    expect(signedIn).toMatchObject({ status: 303, location: page });
    const again = await browser.get(page);
    expectAsTyped(again);
    expect([(await browser.get(page)).text.includes('Nothing has been done yet'), await statusOf()]).toEqual([
      false,
      'submitted',
    ]);
    await browser.submit(again, form, { reason: REASON });
    expect(await statusOf()).toBe('rejected');
  });
});

it('what one person typed is not shown to another one who signs in with the browser, before or after the form is sent', async () => {
  const other = (await newPeople(system, system.workspaces[0])).admin;
  const shown = await browser.get(page);
  await signOutElsewhere();
  const asked = await browser.submit(shown, form, { reason: REASON });
  await browser.submit(asked, '/sign-in', { email: other.email, password: PASSWORD });
  const theirs = [await browser.get(page)];
  expect((await browser.submit(shown, form, { reason: REASON })).status).toBe(403);
  theirs.push(await browser.get(page));
  for (const { status, html } of theirs) {
    expect(status).toBe(200);
    expect(html).not.toMatch(/of &lt;Tuesday>|Nothing has been done yet/);
  }
});

it('a form of an earlier session has no effect, and its page returns as typed', async () => {
  const shown = await browser.get(page);
  await signOutElsewhere();
  await browser.signIn(admin.email, PASSWORD);
  const refused = await browser.submit(shown, form, { reason: REASON });
  expect([refused.status, await statusOf()]).toEqual([403, 'submitted']);
  expect(refused.html).toContain(`<a href="${page}">Open its page again</a>`);
  expectAsTyped(await browser.get(page));
});

describe('every form', () => {
  const room = (path: string): string => `/workspaces/${system.workspaces[0].id}${path}`;

  /** Each form with its page, its action, the input, and how its page shows the input. */
  async function forms(): Promise<[page: string, action: string, typed: Record<string, string>, shown: string][]> {
    const access = system.access();
    const { id: draft } = await system.graphql<{ id: string }>(
      'mutation { createContractDraft(input: { title: "To be edited" }) { id } }',
    );
    const { id: worker } = await registerWorker(access, 'Wanda Worker', 'people.example');
    const active = await activeContract(access);
    const [contract, edited] = [room(`/contracts/${active}`), room(`/contracts/${draft}`)];
    const sheet = await submittedTimesheet(access, active);
    const queue = (await browser.get(room('/review'))).html;
    const piece = new RegExp(`value="(timesheet\\.${sheet.id}[^"]*)"`).exec(queue)![1]!;
    const terms = { paymentDueDays: '3', autoPayEnabled: 'no', timesheetApprovalRequired: 'yes' };
    const simple = (page: string, typed: Record<string, string>, shown: string) => [page, page, typed, shown] as const;
    return [
      [...simple(room('/contracts/new'), { title: 'Typed title', contractType: 'contractor_payg' }, 'Typed title')],
      [...simple(`${edited}/edit`, { title: 'Typed title', 'compensation.rate': '77.75' }, '77.75')],
      [...simple(`${edited}/worker`, { worker }, '>Chosen<')],
      [...simple(`${edited}/delete`, {}, 'Delete')],
      [...simple(`${contract}/cancel`, { reason: 'Typed reason' }, 'Typed reason')],
      [...simple(`${contract}/terms`, { ...terms, rate: '91.25' }, '91.25')],
      [...simple(`${contract}/end`, { endDate: '2027-05-05', terminationDate: '' }, '2027-05-05')],
      [...simple(room('/workers/new'), { name: 'Typed name', email: 'typed@people.example' }, 'Typed name')],
      [...simple(room(`/workers/${worker}/edit`), { name: 'Typed name', email: 'w@people.example' }, 'Typed name')],
      [...simple(room(`/workers/${worker}/payout-details`), { payoutMethod: 'payoneer' }, 'value="payoneer" selected')],
      [room('/sandbox'), room('/sandbox/fund'), { amount: '77.75', currency: 'GBP' }, '77.75'],
      [room('/sandbox'), room('/sandbox/calendar'), { daysAhead: '1234' }, '1234'],
      [room('/review'), room('/review/confirm'), { piece }, `value="${piece}"`],
    ];
  }

  it('restores its input once', async () => {
    const all = await forms();
    const pages = await Promise.all(all.map(([address]) => browser.get(address)));
    await signOutElsewhere();
    await browser.signIn(admin.email, PASSWORD);
    for (const [n, [address, action, typed, shown]] of all.entries()) {
      expect([address, (await browser.submit(pages[n]!, action, typed)).status]).toEqual([address, 403]);
      const back = await browser.get(address);
      expect([address, back.text]).toEqual([address, expect.stringContaining('Nothing has been done yet.')]);
      const there = shown.startsWith('value="timesheet') ? checkboxOf(back.html, shown) : back.html;
      expect([address, there]).toEqual([address, expect.stringContaining(shown)]);
      expect((await browser.get(address)).text).not.toContain('Nothing has been done yet.');
    }
  });

  const checkboxOf = (html: string, value: string): string =>
    [...html.matchAll(/<input [^>]*>/g)]
      .map(([input]) => input)
      .find((each) => each.includes(value) && / checked/.test(each)) ?? '';
});

it('a form is refused if its sender is no longer an admin, even after signing in again', async () => {
  const shown = await browser.get(page);
  await system.graphql('mutation ($id: ID!) { changeMemberRole(id: $id, role: member) { id } }', {
    id: admin.membershipId,
  });
  expect((await browser.submit(shown, form, { reason: REASON })).status).toBe(403);
  await signOutElsewhere();
  const asked = await browser.submit(shown, form, { reason: REASON });
  // Its token belongs to the earlier session: a signed-out user has to sign in first.
  const signedIn = await browser.submit(asked, '/sign-in', { email: admin.email, password: PASSWORD });
  const back = await browser.get(signedIn.location!);
  expect([back.status, back.html.includes(`action="${form}"`), await statusOf()]).toEqual([200, false, 'submitted']);
});
