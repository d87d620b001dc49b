import { addDays, dayOf, mondayOf } from '@payroll/kernel';
import { ask } from '@payroll/tools/demo/graphql-client';
import { CANCEL_CONTRACT } from '@payroll/tools/demo/operations';
import { contractIn, hourly } from '@payroll/tools/demo/steps';
import { expect, it } from 'vitest';
import { joinSystem, submittedTimesheet } from '../support.js';
import { newPeople, newWorker, workerSignsIn } from './visitor.js';

// Weeks of timesheets: nothing that was typed is lost.

const system = await joinSystem();
const people = await newPeople(system, system.workspaces[0]);

const OFFBOARD = `mutation ($id: ID!, $day: CalendarDate!) { startContractOffboarding(id: $id, endDate: $day) { id } }`;

/** The form of a week under a new contract, in the browser of who submits its work. */
async function weekOf(side: 'worker' | 'client') {
  const worker = await newWorker(system);
  const more = { invoicingSettings: { timesheetSubmitter: side === 'client' ? 'client' : 'contractor' } };
  const contractId = await contractIn(system.access(), worker, hourly('Translation', 'EUR', '60', more), 'active');
  const own = await workerSignsIn(system, worker);
  const [browser, home] = side === 'client' ? [people.member.browser, '/workspaces'] : [own, '/work'];
  const path = `${home}/${system.workspaces[0].id}/contracts/${contractId}/timesheet`;
  return { contractId, browser, path, form: await browser.get(`${path}?week=2026-03-02`) };
}

it.each(['worker', 'client'] as const)(
  'a week that the %s fills in stays in the form when the contract ends meanwhile',
  async (side) => {
    const { contractId, browser, path, form } = await weekOf(side);
    await ask(system.access(), CANCEL_CONTRACT, { id: contractId });
    for (const pressed of ['check', 'send']) {
      const late = await browser.submit(form, path, { 'units-2026-03-02': '7:30', do: pressed });
      expect([late.status, late.html]).toEqual([422, expect.stringContaining('value="7:30"')]);
    }
    const refused = await browser.get(path);
    const link = `<a href="${path.replace(/\/timesheet$/, '')}">Open the contract</a>`;
    expect([refused.status, refused.html]).toEqual([409, expect.stringContaining(link)]);
  },
);

it.each(['worker', 'client'] as const)(
  'of a week that the %s fills in, no day is left out unseen when the contract gets an earlier last day meanwhile',
  async (side) => {
    const { contractId, browser, path, form } = await weekOf(side);
    const typed = { 'units-2026-03-02': '8', 'units-2026-03-05': '7:30' };
    const read = await browser.submit(form, path, { ...typed, do: 'check' });
    expect(read.text).toContain('15.5 hours');
    await ask(system.access(), OFFBOARD, { id: contractId, day: '2026-03-03' });
    const late = await browser.submit(read, path, { do: 'send' });
    expect([late.status, late.html]).toEqual([422, expect.stringContaining('value="7:30"')]);
    expect(late.text).toContain('The contract ends on 3 Mar 2026');
    const sent = await browser.submit(late, path, { 'units-2026-03-02': '8', 'units-2026-03-05': '', do: 'check' });
    expect(sent.text).toContain('8 hours');
  },
);

it('a week that is corrected after the contract has got an earlier last day still has all that was submitted', async () => {
  const { contractId, browser, path, form } = await weekOf('worker');
  const typed = { 'units-2026-03-02': '8', 'units-2026-03-05': '7:30' };
  const made = await browser.submit(await browser.submit(form, path, { ...typed, do: 'check' }), path, { do: 'send' });
  await ask(system.access(), OFFBOARD, { id: contractId, day: '2026-03-03' });
  const again = await browser.get(`${made.location}/correct`);
  expect(again.html).toContain('value="7.5"');
});

it('a week with notes that are too long for a draft is not saved, and stays in the form', async () => {
  const { browser, path, form } = await weekOf('worker');
  const note = 'A long note. '.repeat(2_000);
  const late = await browser.submit(form, path, { 'note-2026-03-02': note, do: 'save' });
  expect([late.status, late.html]).toEqual([422, expect.stringContaining(note)]);
  expect(late.text).toContain('too long to be saved as a draft');
});

it('a week is filled in by a copy of the last timesheet, moved by whole weeks and saved only by a button', async () => {
  const { browser, path, form } = await weekOf('worker');
  const sent = await browser.submit(form, path, { 'units-2026-03-03': '5', 'note-2026-03-03': 'Draft', do: 'send' });
  expect(sent.status).toBe(303);
  const copy = await browser.get(`${path}?week=2026-03-16&copy=last`);
  expect(copy.html).toContain('value="5" id="units-2026-03-17"');
  expect(copy.html).toContain('value="Draft" id="note-2026-03-17"');
  expect((await browser.get(`${path}?week=2026-03-16`)).html).not.toContain('value="5"');
});

it('the week after the last submitted one is opened, with a link to this week', async () => {
  const { browser, path } = await weekOf('worker');
  const monday = mondayOf(dayOf(new Date()));
  const weekBefore = (weeks: number): string => addDays(monday, -7 * weeks);
  const opened = async (): Promise<string> => / name="week" value="([^"]*)"/.exec((await browser.get(path)).html)![1]!;
  expect(await opened()).toBe(weekBefore(4));
  const form = await browser.get(`${path}?week=${weekBefore(2)}`);
  expect((await browser.submit(form, path, { [`units-${weekBefore(2)}`]: '8', do: 'send' })).status).toBe(303);
  expect(await opened()).toBe(weekBefore(1));
  const page = await browser.get(path);
  expect(page.html).toContain(`?week=${monday}">This week</a>`);
  expect((await browser.get(`${path}?week=${monday}`)).text).not.toContain('This week');
});

it('"Is this right?" is not shown for work that would be refused', async () => {
  for (const side of ['worker', 'client'] as const) {
    const { browser, path, form } = await weekOf(side);
    const check = (day: string, hours: string) =>
      browser.submit(form, path, { [`units-${day}`]: hours, week: '2026-03-02', do: 'check' });
    const long = await check('2026-03-02', '25');
    expect([long.status, long.text]).toEqual([422, expect.stringContaining('A day has at most 24 hours')]);
    expect((await browser.submit(form, path, { 'units-2026-03-03': '8', do: 'send' })).status).toBe(303);
    const shown = await browser.get(`${path}?week=2026-03-02`);
    expect(shown.text.includes('Submitted for this week: 3 Mar 2026')).toBe(side === 'worker');
    const again = await check('2026-03-03', '8');
    expect([again.status, again.text]).toEqual([422, expect.stringContaining('covers days of this period')]);
    const right = await check('2026-03-04', '8');
    expect(right.text).toContain('Total 480.00 EUR Pay date As soon as it is approved');
  }
});

it('a draft of a week is not replaced from a second window unseen, and what was typed there stays', async () => {
  const { browser, path, form } = await weekOf('worker');
  const second = await browser.get(`${path}?week=2026-03-02`);
  const saved = await browser.submit(form, path, { 'units-2026-03-02': '8', do: 'save' });
  expect(saved.status).toBe(303);
  expect((await browser.get(path.replace('/timesheet', ''))).text).toMatch(/Drafts 2\s–\s8 Mar 2026/);
  const checked = await browser.submit(second, path, { 'units-2026-03-03': '7:30', do: 'check' });
  const late = await browser.submit(checked, path, { do: 'save' });
  expect([late.status, late.html]).toEqual([409, expect.stringContaining('value="7:30"')]);
  expect((await browser.get(saved.location!)).html).toContain('value="8" id="units-2026-03-02"');
  expect((await browser.submit(late, path, { 'units-2026-03-03': '7:30', do: 'save' })).status).toBe(303);
  const replaced = await browser.get(saved.location!);
  expect(replaced.html).toContain('value="7:30" id="units-2026-03-03"');
  expect((await browser.submit(replaced, path, { 'units-2026-03-03': '7', do: 'send' })).status).toBe(303);
  expect((await browser.get(saved.location!)).html).not.toMatch(/value="7[^"]*" id="units/);
});

it('a worker reaches all of their timesheets, also those that the page of the contract does not show', async () => {
  const { contractId, browser, path } = await weekOf('worker');
  for (let n = 0; n < 61; n += 1) await submittedTimesheet(system.access(), contractId);
  const page = await browser.get(path.replace(/.timesheet$/, ''));
  const idsIn = (html: string): string[] => [...html.matchAll(/\/timesheets\/([0-9a-f-]{36})"/g)].map(([, id]) => id!);
  const [, older = ''] = /href="(\?cursor=[^"]+)">Show older ones/.exec(page.html)!;
  const last = await browser.get(path.replace(/.timesheet$/, older));
  expect([idsIn(page.html).length, idsIn(last.html).length]).toEqual([60, 1]);
  expect(new Set([...idsIn(page.html), ...idsIn(last.html)]).size).toBe(61);
});

it('work that neither the worker nor the business has entered is said to be submitted by neither', async () => {
  const { contractId, browser, path, form } = await weekOf('worker');
  const pageOf = (id: string): string => path.replace(/contracts.*$/, `timesheets/${id}`);
  const { id } = await submittedTimesheet(system.access(), contractId);
  expect((await browser.get(pageOf(id))).text).not.toContain('Submitted by');
  const sent = await browser.submit(form, path, { 'units-2026-03-02': '8', do: 'send' });
  expect((await browser.get(sent.location!)).text).toContain('Submitted by You');
});

it('a milestone that another page has submitted says so, with the note that counts', async () => {
  const worker = await newWorker(system);
  const draft = {
    ...{ title: 'Site', contractType: 'contractor_milestone', startDate: '2026-01-01' },
    ...{ compensation: { type: 'milestone', currency: 'EUR' }, milestones: [{ title: 'Launch', amount: '500' }] },
  };
  const contractId = await contractIn(system.access(), worker, draft, 'active');
  const browser = await workerSignsIn(system, worker);
  const home = `/work/${system.workspaces[0].id}`;
  const { html } = await browser.get(`${home}/contracts/${contractId}`);
  const path = new RegExp(`${home}/milestones/[0-9a-f-]{36}`).exec(html)![0];
  const [form, other] = [await browser.get(path), await browser.get(path)];
  for (const _ of [1, 2]) expect((await browser.submit(form, path, { note: 'On staging.' })).status).toBe(303);
  const late = await browser.submit(other, path, { note: 'Live.' });
  expect([late.status, late.text]).toEqual([422, expect.stringContaining('the milestone was submitted already')]);
  expect(late.text).toContain('Your note On staging.');
});

it('work that is not counted in hours is corrected and copied as it was typed, and not as minutes', async () => {
  const more = { invoicingSettings: { timesheetSubmitter: 'contractor' } };
  const pay = { type: 'retainer', currency: 'EUR', retainerAmount: '3000', paymentFrequency: 'monthly' };
  const draft = {
    title: 'Advice',
    contractType: 'contractor_fixed',
    startDate: '2026-01-01',
    compensation: pay,
    ...more,
  };
  const worker = await newWorker(system);
  const contractId = await contractIn(system.access(), worker, draft, 'active');
  const browser = await workerSignsIn(system, worker);
  const path = `/work/${system.workspaces[0].id}/contracts/${contractId}/timesheet`;
  const typed = { from: '2026-03-02', to: '2026-03-11', units: '0.3333' };
  const sent = await browser.submit(await browser.get(path), path, { ...typed, do: 'send' });
  for (const again of [`${sent.location}/correct`, `${path}?week=2026-03-16&copy=last`]) {
    expect((await browser.get(again)).html).toContain('value="0.3333" id="units"');
  }
});
