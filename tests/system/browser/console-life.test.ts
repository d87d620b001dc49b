import { setTimeout } from 'node:timers/promises';
import { newId } from '@payroll/kernel';
import { expect, it } from 'vitest';
import type { Browser, Page } from '../../../services/workspaces/test/pages/browser.js';
import { ask } from '@payroll/tools/demo/graphql-client';
import { giveWorkerSignIn } from '@payroll/tools/demo/operator';
import { byMilestone, contractIn, hourly, registerWorker } from '@payroll/tools/demo/steps';
import { activeContract, joinSystem } from '../support.js';
import { newPeople } from './visitor.js';

const system = await joinSystem();
const people = await newPeople(system, system.workspaces[0]);
const room = `/workspaces/${system.workspaces[0].id}`;

/** Opens a page, fills in its form and sends it. @returns the page that follows */
async function fillIn(browser: Browser, path: string, fields: Record<string, string> = {}): Promise<Page> {
  const sent = await browser.submit(await browser.get(path), path.split('?')[0]!, fields);
  return sent.location === null ? sent : await browser.get(sent.location);
}

const idIn = (address: string): string => /contracts\/([0-9a-f-]{36})/.exec(address)![1]!;

/** The workers' names before they are changed. */
const WANDA = /Wanda [0-9a-f-]{36}/;

/** A complete draft, made through the pages alone. */
async function completeDraft(browser: Browser, title = 'Illustrations'): Promise<string> {
  const at = `${room}/contracts/new`;
  const made = await browser.submit(await browser.get(at), at, { title, contractType: 'contractor_payg' });
  const contract = `${room}/contracts/${idIn(made.location!)}`;
  const { text } = await browser.get(`${contract}/edit`);
  expect(text).toMatch(
    /Choose who does the work\..*Enter the first day of the contract\..*Enter what the work is paid/,
  );
  for (const ofOtherKinds of ['Annual salary', 'Benefits', 'Milestones']) expect(text).not.toContain(ofOtherKinds);
  const worker = `${room}/workers/new?contract=${idIn(contract)}`;
  const name = `Wanda ${newId()}`;
  const page = await browser.submit(await browser.get(worker), `${room}/workers/new`, { name, email: 'w@example.com' });
  const found = await browser.get(page.location!);
  const [, workerId = ''] = /name="worker" value="([0-9a-f-]{36})"/.exec(found.html)!;
  await browser.submit(found, `${contract}/worker`, { worker: workerId });
  const filled = {
    startDate: '2027-01-01',
    'compensation.type': 'hourly',
    'compensation.rate': '85.50',
    'compensation.currency': 'EUR',
  };
  const saved = await fillIn(browser, `${contract}/edit`, { title, contractType: 'contractor_payg', ...filled });
  expect(saved.text).toMatch(/Saved at \d\d:\d\d UTC\..*Nothing is missing\./s);
  return contract;
}

it('an active contract says what can be submitted, and offers it only to the side that submits', async () => {
  const active = async (draft: object) => {
    const worker = await registerWorker(system.access(), 'Tess Test', 'example.com');
    return { worker, path: `${room}/contracts/${await contractIn(system.access(), worker, draft, 'active')}` };
  };
  const textOf = async (path: string) => (await people.admin.browser.get(path)).text;
  const retainer = { type: 'retainer', currency: 'EUR', retainerAmount: '3000', paymentFrequency: 'monthly' };
  const { path: fixed } = await active({ title: 'Advice', startDate: '2026-01-01', compensation: retainer });
  expect(await textOf(fixed)).toContain('Rate 3000 EUR per period');
  expect(await textOf(`${fixed}/timesheet`)).toContain('Number of periods');

  const salary = { type: 'salary', currency: 'EUR', annualSalary: '60000' };
  const employed = {
    title: 'Office',
    contractType: 'employment_at_will',
    countryOfEmployment: 'DE',
    startDate: '2026-01-01',
    noticePeriodDays: 30,
    compensation: { ...salary, paymentFrequency: 'monthly' },
  };
  const { path: office } = await active(employed);
  const officeText = await textOf(office);
  expect(officeText).toContain('Nothing is paid under it here: it has neither a rate nor milestones.');
  expect(officeText).toContain('Paid here Nothing: it has neither a rate nor milestones');
  expect(await textOf(`${office}/end`)).toContain('The agreed notice is 30 days.');
  expect(officeText).toContain('Salary per year 60000 EUR');
  expect(officeText).not.toContain('paid automatically');
  const { path: site } = await active(byMilestone('Site', ['500']));
  expect(await textOf(site)).toContain('Milestones can be submitted, approved and paid.');
  for (const path of [office, site]) {
    expect(await textOf(path)).not.toContain('Submit a timesheet');
    expect((await people.admin.browser.get(`${path}/timesheet`)).status).toBe(409);
  }

  const { worker, path: hours } = await active(hourly('Hours', 'EUR', '60'));
  expect(await textOf(hours)).toContain('Submit a timesheet');
  const { email } = await system.graphql<{ email: string }>('query ($id: ID!) { worker(id: $id) { email } }', {
    id: worker.id,
  });
  await giveWorkerSignIn(system.stack, system.access(), email);
  expect(await textOf(hours)).not.toContain('Submit a timesheet');
});

it('a contract goes from draft to its end in the browser; the member prepares, the admin decides', async () => {
  const [member, admin] = [people.member.browser, people.admin.browser];
  const contract = await completeDraft(member);
  expect((await fillIn(member, `${contract}/submit`)).text).toContain('Submitted for verification.');
  expect((await member.get(contract)).html).not.toContain(`${contract}/verify`);
  expect((await fillIn(admin, `${contract}/return`, { reason: 'Mind the rate.' })).text).toContain('Mind the rate.');
  await fillIn(member, `${contract}/submit`);
  await fillIn(admin, `${contract}/verify`);
  await fillIn(admin, `${contract}/send`);
  expect((await admin.get(`${contract}/sign`)).text).toContain('Rate: 85.50 EUR');
  expect((await fillIn(admin, `${contract}/sign`)).text).toContain('Signed for the business.');
  const sign = 'mutation ($id: ID!) { sandboxSignAsWorker(id: $id) { id } }';
  await system.graphql(sign, { id: idIn(contract) });
  expect((await fillIn(admin, `${contract}/activate`)).text).toContain('The contract is active.');
  const terms = { rate: '90', paymentDueDays: '7', autoPayEnabled: 'yes', timesheetApprovalRequired: 'yes' };
  expect((await fillIn(admin, `${contract}/terms`, { ...terms, rate: 'much' })).text).toContain(
    'Enter the rate as a number',
  );
  await fillIn(admin, `${contract}/terms`, { ...terms, autoApproveAfterDays: '' });
  const { text } = await people.viewer.browser.get(`${contract}/agreement`);
  for (const told of [
    'The business is Northwind Studio (workspace ',
    'Signed by Pat Person',
    'Amendment 1',
    'Rate: 90 EUR (until then 85.50 EUR)',
    'SHA-256',
  ])
    expect(text).toContain(told);
  const ending = { endDate: '2027-06-30', terminationDate: '2000-01-01' };
  expect((await fillIn(admin, `${contract}/end`, ending)).text).toContain(
    'The contract cannot be terminated before its first day',
  );
  await fillIn(admin, `${contract}/end`, { ...ending, terminationDate: '2027-05-31' });
  expect((await admin.get(contract)).text).toContain('Terminated on 31 May 2027');
  await fillIn(admin, `${contract}/last-day`, { endDate: '2027-07-31', terminationDate: '' });
  expect((await admin.get(contract)).text).toContain('Ends 31 Jul 2027 Drafted');
  expect((await fillIn(admin, `${contract}/complete`)).text).toContain('The contract is completed.');
  const copy = await member.get(`${contract}/copy`);
  const copied = await Promise.all([1, 2].map(() => member.submit(copy, `${contract}/copy`)));
  expect(new Set(copied.map(({ location }) => location)).size, 'a double click').toBe(1);
  const edit = await member.get(copied[0]!.location!);
  expect(edit.text).toMatch(/The copy is a draft\..*Nothing is missing\./s);
  expect(edit.html).toContain('value="90"');
});

it('an admin sends a complete draft for signature in one step, which is done once and leads to the signature', async () => {
  const admin = people.admin.browser;
  const contract = await completeDraft(admin);
  const page = await admin.get(`${contract}/send`);
  expect(page.text).toContain('Rate: 85.50 EUR');
  const sent = await Promise.all([1, 2].map(() => admin.submit(page, `${contract}/send`)));
  expect(sent.map(({ status, location }) => [status, location])).toEqual([1, 2].map(() => [303, `${contract}/sign`]));
  expect((await admin.get(contract)).text).toContain('Next: an admin signs for the business, and the worker.');
  expect((await fillIn(admin, `${contract}/sign`)).text).toContain('Signed for the business.');
  const { text } = await admin.get(contract);
  for (const done of ['Submitted the contract for verification', 'Verified the contract']) expect(text).toContain(done);
});

it('a form that is sent again while its first steps are being done goes on with them, and does not call them a change', async () => {
  const admin = people.admin.browser;
  const contract = await completeDraft(admin);
  const page = await admin.get(`${contract}/send`);
  const sendings = Array.from({ length: 8 }, async (_, n) => {
    await setTimeout(8 * n);
    return await admin.submit(page, `${contract}/send`);
  });
  for (const sent of await Promise.all(sendings)) {
    expect([sent.status, sent.location]).toEqual([303, `${contract}/sign`]);
  }
});

it('a member may not send a draft for signature', async () => {
  const contract = await completeDraft(people.member.browser);
  expect((await people.member.browser.get(`${contract}/send`)).status).toBe(403);
  expect((await people.member.browser.get(contract)).html).not.toContain(`${contract}/send`);
});

it('a text is sent for signature only as it was shown: a worker who was renamed meanwhile is shown first', async () => {
  const admin = people.admin.browser;
  const contract = await completeDraft(admin);
  await fillIn(admin, `${contract}/submit`);
  await fillIn(admin, `${contract}/verify`);
  const page = await admin.get(`${contract}/send`);
  const access = system.access();
  const query = 'query ($id: ID!) { contract(id: $id) { worker { id } } }';
  const { worker } = await ask<{ worker: { id: string } }>(access, query, { id: idIn(contract) });
  await ask(access, 'mutation ($id: ID!) { updateWorker(id: $id, name: "Olga Orlova") { id } }', worker);
  const late = await admin.submit(page, `${contract}/send`);
  expect([late.status, late.text]).toEqual([409, expect.stringContaining('Olga Orlova (worker')]);
  expect((await admin.get(contract)).text).toContain('Ready to sign');
  const sent = await admin.submit(late, `${contract}/send`);
  expect([sent.status, (await admin.get(contract)).text]).toEqual([303, expect.stringContaining('Its text is fixed.')]);
});

it('an editor whose form is stale sees what has changed and decides on the current state', async () => {
  const [member, admin] = [people.member.browser, people.admin.browser];
  const contract = await completeDraft(member, 'Before');
  const [cancelling, editing] = [await admin.get(`${contract}/cancel`), await member.get(`${contract}/edit`)];
  const choosing = await member.get(`${contract}/worker`);
  expect(cancelling.text).toContain('Once it was sent for signature, the worker reads the reason too.');
  await fillIn(admin, `${contract}/edit`, {
    title: 'After',
    contractType: 'contractor_payg',
    'compensation.type': 'hourly',
    'compensation.rate': '85.50',
    startDate: '2027-01-01',
  });
  const late = await admin.submit(cancelling, `${contract}/cancel`, { reason: 'No budget' });
  expect(late.status).toBe(409);
  for (const told of ['Before', 'After', 'No budget', 'Nothing was done']) expect(late.html).toContain(told);
  const edited = await member.submit(editing, `${contract}/edit`, { title: 'Mine' });
  expect([edited.status, edited.html]).toEqual([409, expect.stringContaining('value="Mine"')]);
  const again = await admin.submit(late, `${contract}/cancel`, { reason: 'No budget' });
  expect((await admin.get(again.location!)).text).toContain('The contract is cancelled.');
  expect((await member.submit(edited, `${contract}/edit`, { title: 'Mine' })).status).toBe(409);
  const chosen = await member.submit(choosing, `${contract}/worker`, { worker: newId() });
  for (const { status, text } of [chosen, await member.get(`${contract}/worker`)])
    expect([status, text]).toEqual([
      409,
      expect.stringContaining('Only drafts can be edited, and this is no longer one.'),
    ]);
});

it('a form that is sent twice acts once; a row is added without saving the form', async () => {
  const { browser } = people.member;
  const at = `${room}/contracts/new`;
  const page = await browser.get(at);
  const [first, second] = await Promise.all(
    [1, 2].map(() => browser.submit(page, at, { title: 'Once', contractType: 'contractor_milestone' })),
  );
  expect(first!.location).toBe(second!.location);
  const edit = first!.location!;
  const rows = await browser.submit(await browser.get(edit), edit, {
    title: 'Typed',
    contractType: 'contractor_milestone',
    add: 'milestones',
  });
  expect(rows.html).toContain('name="milestones[0].title"');
  expect(rows.html).toContain('value="Typed"');
  expect((await browser.get(edit)).text).toContain('Edit Once');
  const milestone = { 'milestones[0].title': 'Draft', 'milestones[0].amount': '1,000' };
  const wrong = await browser.submit(rows, edit, {
    title: 'Typed',
    contractType: 'contractor_milestone',
    ...milestone,
  });
  expect(wrong.html).toContain('href="#milestones[0].amount"');
  const right = await browser.submit(wrong, edit, {
    title: 'Typed',
    contractType: 'contractor_milestone',
    ...milestone,
    'milestones[0].amount': '1000',
  });
  expect(right.status).toBe(303);
  expect((await browser.get(edit)).html).toContain('value="1000"');
});

it('a worker with the address of another one is added, and the page names the other one', async () => {
  const { browser } = people.member;
  const at = `${room}/workers/new`;
  const email = `${newId()}@people.example`;
  const form = await browser.get(at);
  const added = async (page = form, change = {}) => {
    const { location } = await browser.submit(page, at, { name: 'Toni First', email, ...change });
    return (await browser.get(location!)).text;
  };
  expect(await added()).toContain('The worker is added.');
  expect(await added()).not.toContain('has the same address');
  const twin = await added(await browser.get(at), { name: 'Toni Second', email: email.toUpperCase() });
  expect(twin).toContain('Toni First has the same address: only one of them can sign in with it.');
});

it('a form that is corrected after going back is accepted, because the refused one did nothing', async () => {
  const { browser } = people.admin;
  const contract = await completeDraft(browser);
  const wrongThenRight: [at: string, wrong: Record<string, string>, right: Record<string, string>][] = [
    [`${room}/contracts/new`, { title: '', contractType: 'contractor_payg' }, { title: 'Mended' }],
    [`${room}/workers/new`, { name: 'Mended', email: 'none' }, { email: 'mended@example.com' }],
    [`${contract}/cancel`, { reason: '' }, { reason: 'Mended' }],
  ];
  for (const [at, wrong, right] of wrongThenRight) {
    const page = await browser.get(at);
    expect([at, (await browser.submit(page, at, wrong)).status]).toEqual([at, 422]);
    const mended = () => browser.submit(page, at, { ...wrong, ...right });
    const [first, second] = [await mended(), await mended()];
    expect([at, first.status, second.status]).toEqual([at, 303, 303]);
    expect(first.location).toBe(second.location);
  }
});

it('the page of terms says whether anything was changed, and keeps changes of a colleague', async () => {
  const admin = people.admin.browser;
  const id = await activeContract(system.access());
  const contract = `${room}/contracts/${id}`;
  const terms = `${contract}/terms`;
  const same = { rate: '50.00', paymentDueDays: '0', autoPayEnabled: 'no', timesheetApprovalRequired: 'yes' };
  const query = `query ($id: ID!) { contract(id: $id) { agreement { amendments { number } }
    details { terms { rate paymentDueDays autoApproveAfterDays } } } }`;
  const now = (): Promise<unknown> => system.graphql(query, { id });
  const [mine, theirs] = [await admin.get(terms), await admin.get(terms)];
  await admin.submit(mine, terms, { ...same, rate: '50', autoApproveAfterDays: '' });
  expect((await admin.get(contract)).text).toContain('You changed nothing: the terms are as they were.');
  expect(await now()).toMatchObject({ agreement: { amendments: [] } });
  await admin.submit(theirs, terms, { ...same, rate: '50', paymentDueDays: '30', autoApproveAfterDays: '' });
  const late = await admin.submit(mine, terms, { ...same, rate: '60', autoApproveAfterDays: '' });
  expect([late.status, late.text]).toEqual([409, expect.stringMatching(/Days from the end of a period .* 0 .* 30/)]);
  expect(late.html).toMatch(/name="paymentDueDays"[^>]*value="30"|value="30"[^>]*name="paymentDueDays"/);
  await admin.submit(late, terms, { ...same, rate: '60', paymentDueDays: '30', autoApproveAfterDays: '' });
  expect(await now()).toMatchObject({
    agreement: { amendments: [{ number: 1 }, { number: 2 }] },
    details: { terms: { rate: '60', paymentDueDays: 30, autoApproveAfterDays: null } },
  });
});

it('an employment needs a country; an implausible draft is not submitted', async () => {
  const { browser } = people.member;
  const at = `${room}/contracts/new`;
  const form = await browser.get(at);
  expect(form.text).toContain('Netherlands');
  const contractor = { title: 'Not employed', contractType: 'contractor_payg', countryOfEmployment: 'NL' };
  const { location } = await browser.submit(form, at, contractor);
  expect((await browser.get(location!)).html).not.toContain('name="countryOfEmployment"');
  const employed = { title: 'Employed', contractType: 'employment_at_will' };
  const asked = await browser.submit(await browser.get(at), at, employed);
  expect(asked.status).toBe(422);
  expect(asked.html).toContain('href="#countryOfEmployment"');
  expect(asked.html).toContain('id="countryOfEmployment"');
  const made = await browser.submit(asked, at, { ...employed, countryOfEmployment: 'QQ' });
  expect(made.status).toBe(303);
  const edit = made.location!;
  const odd = { startDate: '1900-01-01', noticePeriodDays: '99999' };
  await browser.submit(await browser.get(edit), edit, odd);
  const page = await browser.get(edit);
  for (const said of ['Country of employment names no country', 'First day cannot be meant', 'Days of notice'])
    expect(page.text).toContain(said);
  expect(page.html).not.toContain(`${edit.replace('/edit', '')}/submit"`);
});

it('the sandbox offers the contracts that are looked for: there may be more than its page shows', async () => {
  const worker = await registerWorker(system.access(), 'Solveig Searched', 'example.com');
  const id = await contractIn(system.access(), worker, hourly('Looked for', 'EUR', '60'), 'active');
  const page = async (search: string) => await people.admin.browser.get(`${room}/sandbox?search=${search}`);
  expect((await page('looked+for')).html).toContain(`value="${id}"`);
  const none = await page('nobody-and-nothing');
  expect(none.html).not.toContain(`value="${id}"`);
  expect(none.text).toContain('There is no active contract here to submit work for.');
});

it('the sandbox submits work under a contract that is ending', async () => {
  const admin = people.admin.browser;
  const id = await activeContract(system.access());
  await fillIn(admin, `${room}/contracts/${id}/end`, { endDate: '2027-06-30', terminationDate: '' });
  const sandbox = `${room}/sandbox`;
  const page = await admin.get(sandbox);
  expect(page.html).toContain(`<option value="${id}"`);
  const sheet = { work: id, periodStart: '2026-11-02', periodEnd: '2026-11-08', unitsWorked: '8' };
  expect((await admin.submit(page, `${sandbox}/timesheet`, sheet)).status).toBe(303);
});

it('a draft may be as long as the API contract allows, in any script', async () => {
  const { browser } = people.member;
  const contract = await completeDraft(browser);
  const long = { description: '工'.repeat(10_000), specialClauses: '约'.repeat(20_000) };
  const whole = { title: 'Long', contractType: 'contractor_payg', 'compensation.type': 'hourly', ...long };
  expect((await fillIn(browser, `${contract}/edit`, whole)).status).toBe(200);
  expect((await browser.get(`${contract}/edit`)).html).toContain(long.specialClauses);
});

it('a small request cannot produce a page larger than that of the largest draft', async () => {
  const { browser } = people.member;
  const contract = await completeDraft(browser);
  const edit = `${contract}/edit`;
  const rows = Array.from({ length: 2_000 }, (_, n) => [`milestones[${n}].title`, 'x']);
  const drawn = await browser.submit(await browser.get(edit), edit, Object.fromEntries(rows));
  expect([drawn.status, drawn.html.length < 2_000_000]).toEqual([422, true]);
});

it('a viewer is offered no action; correcting a worker requires the last revision', async () => {
  const contract = await completeDraft(people.member.browser);
  const { html } = await people.viewer.browser.get(contract);
  expect([...html.matchAll(/class="acts"[^]*?<\/nav>/g)].join('')).not.toMatch(/button-/);
  const { browser } = people.admin;
  const worker = /workers\/([0-9a-f-]{36})/.exec((await browser.get(contract)).html)![1]!;
  const edit = `${room}/workers/${worker}/edit`;
  const [old, latest] = [await browser.get(edit), await people.member.browser.get(edit)];
  await people.member.browser.submit(latest, edit, { name: 'Wilma' });
  // As an admin whose role was lowered meanwhile: an address is not left out in silence.
  const next = await people.member.browser.get(edit);
  const refused = await people.member.browser.submit(next, edit, { name: 'Wilhelmina', email: 'other@example.com' });
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('Only admins can change the email')]);
  const late = await browser.submit(old, edit, { name: WANDA.exec(old.html)![0], email: 'new@example.com' });
  expect([late.status, late.text]).toEqual([409, expect.stringContaining('Wilma')]);
  // Changing only the address keeps the other editor's new name.
  expect(late.html).toContain('value="Wilma"');
  await browser.submit(late, edit, { name: 'Wilma', email: 'new@example.com' });
  expect((await browser.get(edit)).html).toMatch(/value="Wilma"[^]*value="new@example.com"/);
});
