import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Browser, Page } from '../../../../services/workspaces/test/pages/browser.js';
import { activeContract, startSystem, submittedTimesheet, type System } from '../support.js';
import { newPeople, PASSWORD, type Person } from './visitor.js';

// The form is the console's, the session workspaces': what was typed goes from one to the other and back.
// A form without a session counts as a failure of its address, of which few are free: other files spend them too.

const REASON = 'The "hours" of <Tuesday> are missing';

let system: System;
let contractId: string;
let admin: Person;
let browser: Browser;
/** The page of a timesheet, and where its form is sent to. */
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
  it('a form does nothing, comes back as it was typed after signing in, and is done once it is sent again', async () => {
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

it('a form of the session before this one does nothing, and its page comes back as it was typed', async () => {
  const shown = await browser.get(page);
  await signOutElsewhere();
  await browser.signIn(admin.email, PASSWORD);
  const refused = await browser.submit(shown, form, { reason: REASON });
  expect([refused.status, await statusOf()]).toEqual([403, 'submitted']);
  expect(refused.html).toContain(`<a href="${page}">Open its page again</a>`);
  expectAsTyped(await browser.get(page));
});

it('a form is refused whose sender is no admin any more, also after signing in again', async () => {
  const shown = await browser.get(page);
  await system.graphql('mutation ($id: ID!) { changeMemberRole(id: $id, role: member) { id } }', {
    id: admin.membershipId,
  });
  expect((await browser.submit(shown, form, { reason: REASON })).status).toBe(403);
  await signOutElsewhere();
  const asked = await browser.submit(shown, form, { reason: REASON });
  // Its token is of the session before: whoever is signed out is asked to sign in first.
  const signedIn = await browser.submit(asked, '/sign-in', { email: admin.email, password: PASSWORD });
  const back = await browser.get(signedIn.location!);
  expect([back.status, back.html.includes(`action="${form}"`), await statusOf()]).toEqual([200, false, 'submitted']);
});
