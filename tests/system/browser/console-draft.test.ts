import { newId } from '@payroll/kernel';
import fc from 'fast-check';
import type { Browser as Chromium, Page as Tab } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { Browser, Page } from '../../../services/workspaces/test/pages/browser.js';
import { LOOKS, startChromium } from '@payroll/tools/browser/chromium';
import { newPrincipal } from '@payroll/tools/demo/people';
import { registerWorker } from '@payroll/tools/demo/steps';
import { fetchDocument } from '../../support/document.js';
import { agreeing, type Draft } from '../../fuzz/drafts.js';
import { valuesOf } from '../../fuzz/values.js';
import { ownerOf } from '../owner.js';
import { joinSystem } from '../support.js';
import { describeInChromium } from './in-chromium.js';
import { newPeople, PASSWORD } from './visitor.js';

const system = await joinSystem();
const owner = await ownerOf(system);
const people = await newPeople(system, system.workspaces[0]);
const drafter = await newPrincipal(system.access(), 'member');
/** An API key that may draft. */
const key = drafter.secret;
await owner.liftLimits(drafter.principalId);
for (const { membershipId } of Object.values(people)) await owner.liftLimits(membershipId);
afterAll(() => owner[Symbol.asyncDispose]());

async function drafted(draft: Draft): Promise<string> {
  const { status, body } = await system.rest(key, 'POST', '/contracts', draft, newId());
  expect([status, body]).toEqual([201, expect.objectContaining({ status: 'draft' })]);
  return String(body['id']);
}

/** The contract's row, byte for byte, and its representation at `/v1`. */
async function kept(id: string): Promise<string> {
  const { rows } = await owner.database.query<{ row: string }>(
    'select to_jsonb(contract)::text as row from contracts.contract where id = $1',
    [id],
  );
  const { body } = await system.rest(key, 'GET', `/contracts/${id}`);
  return `${rows[0]!.row}\n${JSON.stringify(body)}`;
}

/** Creates drafts with every form of body that `/v1` accepts, and saves each without a change. */
async function savedUnchanged(save: (id: string) => Promise<void>, numRuns: number): Promise<void> {
  const document = await fetchDocument(system.stack.file.rest.url);
  const { body } = document.operation('POST', '/contracts');
  // References are unique and not part of the form.
  const drafts = valuesOf(document, body!).map((draft) => {
    const { externalReference: _, ...rest } = agreeing(draft as Draft);
    return rest as Draft;
  });
  await fc.assert(
    fc.asyncProperty(drafts, async (draft) => {
      const id = await drafted(draft);
      const before = await kept(id);
      await save(id);
      expect(await kept(id)).toBe(before);
    }),
    { numRuns, endOnFailure: true },
  );
}

const ATTRIBUTES = '(?:[^>"]|"[^"]*")*';
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

const unescaped = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name]!);
const attribute = (tag: string, name: string): string =>
  unescaped(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '');
const isMarked = (tag: string, mark: string): boolean =>
  new RegExp(` ${mark}(?=[ =]|$)`).test(tag.replaceAll(/"[^"]*"/g, '""'));

/** The fields that a browser without script submits for the first form of this action, unedited (HTML §4.10.22). */
function drawnFields({ html }: Page, action: string): Record<string, string[]> {
  const form = [...html.matchAll(new RegExp(`<form(${ATTRIBUTES})>(.*?)</form>`, 'gs'))].find(
    ([, tag = '']) => attribute(tag, 'action').split('?')[0] === action,
  );
  const fields: Record<string, string[]> = {};
  const add = (tag: string, value: string): void => void (fields[attribute(tag, 'name')] ??= []).push(value);
  const controls = new RegExp(
    `<input(${ATTRIBUTES})/?>|<textarea(${ATTRIBUTES})>(.*?)</textarea>|<select(${ATTRIBUTES})>(.*?)</select>`,
    'gs',
  );
  for (const [, input, area, text = '', select, options = ''] of form![2]!.matchAll(controls)) {
    if (input !== undefined) {
      const isOff = /^(?:checkbox|radio)$/.test(attribute(input, 'type')) && !isMarked(input, 'checked');
      if (!isOff) add(input, attribute(input, 'value'));
    } else if (area !== undefined) {
      add(area, unescaped(text.replace(/^\n/, '')).replaceAll(/\r\n?|\n/g, '\r\n'));
    } else {
      const all = [...options.matchAll(new RegExp(`<option(${ATTRIBUTES})>`, 'g'))].map(([, tag = '']) => tag);
      add(select!, attribute(all.find((tag) => isMarked(tag, 'selected')) ?? all[0]!, 'value'));
    }
  }
  return fields;
}

const editOf = (id: string): string => `/workspaces/${system.workspaces[0].id}/contracts/${id}/edit`;

it(
  'saving an unchanged form without a script writes nothing, whatever the API sent',
  { timeout: 240_000 },
  async () => {
    const { browser } = people.member;
    await savedUnchanged(async (id) => {
      const page = await browser.get(editOf(id));
      const saved = await browser.post(editOf(id), drawnFields(page, editOf(id)));
      expect([saved.status, saved.text]).toEqual([303, '']);
      expect((await browser.get(saved.location!)).text).toContain('You changed nothing, so nothing was saved.');
    }, 40);
  },
);

describeInChromium('the editor of a draft', { timeout: 240_000 }, (executable) => {
  let chromium: Chromium;
  let tab: Tab;
  const open = new AsyncDisposableStack();
  beforeAll(async () => {
    chromium = open.adopt(await startChromium(executable), (browser) => browser.close());
    tab = await (await chromium.newContext(LOOKS.light)).newPage();
    tab.setDefaultTimeout(15_000);
    await tab.goto(system.stack.file.app!.url);
    await tab.getByLabel('Email address').fill(people.member.email);
    await tab.getByLabel('Password').fill(PASSWORD);
    await tab.getByRole('button', { name: 'Sign in', exact: true }).click();
  });
  afterAll(async () => await open.disposeAsync());

  async function saveUnchanged(id: string): Promise<void> {
    await tab.goto(system.stack.file.app!.url + editOf(id));
    await tab.getByRole('button', { name: 'Save', exact: true }).first().click();
    await tab.getByText('You changed nothing, so nothing was saved.').waitFor();
  }

  it('saving an unchanged form in Chromium writes nothing, whatever the API sent', () =>
    savedUnchanged(saveUnchanged, inject('isLongRun') ? 40 : 10));

  it('a form that shows other fields goes on where that was asked for', async () => {
    const id = await drafted({ title: 'On and on', contractType: 'contractor_payg' });
    await tab.goto(system.stack.file.app!.url + editOf(id));
    await tab.getByLabel('Kind of contract').selectOption('contractor_milestone');
    await tab.getByRole('button', { name: 'Show the fields of this kind' }).click();
    await tab.getByText('Milestone 1').waitFor();
    await tab.locator('#contractType:focus').waitFor();
    await tab.getByRole('button', { name: 'Show the fields of all kinds of contracts' }).click();
    await tab.getByLabel('Annual salary').waitFor();
    await tab.locator('#compensation > summary:focus').waitFor();
  });

  it('changing one field leaves all others as they were', async () => {
    const deliverable = { platform: 'x', format: 'post', amount: 5 } as const;
    const id = await drafted({
      title: ' Spaced  title\n',
      description: '\n\nKept line breaks  \n',
      terminationDate: '2028-12-31',
      workSchedule: 'Mon\nTue',
      skills: ['a', '  b  ', ''],
      invoicingSettings: { cycleClosesOn: ' last day ' },
      creatorDeliverables: [
        { ...deliverable, brief: ' second ', sortOrder: 7 },
        { ...deliverable, brief: 'first', sortOrder: 3 },
      ],
    });
    const whole = async (): Promise<Record<string, unknown>> => {
      const query = 'select to_jsonb(contract) as row from contracts.contract where id = $1';
      const { rows } = await owner.database.query<{ row: Record<string, unknown> }>(query, [id]);
      return rows[0]!.row;
    };
    const before = await whole();
    await tab.goto(system.stack.file.app!.url + editOf(id));
    await tab.getByLabel('Days from the end of a period to its payment').evaluate(openPart);
    await tab.getByLabel('Days from the end of a period to its payment').fill('14');
    await tab.getByLabel('Brief').last().fill('The first');
    await tab.getByRole('button', { name: 'Save', exact: true }).first().click();
    await tab.getByText(/^Saved at \d\d:\d\d UTC\.$/).waitFor();
    const after = await whole();
    const { draft: draftBefore, creator: creatorBefore } = before as { draft: Draft; creator: Creator };
    const [second, first] = draftBefore.creatorDeliverables!;
    expect({ ...after, revision: 1, updated_at: before['updated_at'] }).toEqual({
      ...before,
      payment_due_days: 14,
      draft: {
        ...draftBefore,
        invoicingSettings: { ...draftBefore.invoicingSettings, paymentDueDays: 14 },
        creatorDeliverables: [second, { ...first, brief: 'The first' }],
      },
      creator: {
        ...creatorBefore,
        deliverables: [creatorBefore.deliverables[0], { ...creatorBefore.deliverables[1], brief: 'The first' }],
      },
    });
  });
});

interface Creator {
  deliverables: object[];
}

/** Runs in the browser: fields in a closed section cannot be filled in. */
function openPart(element: unknown): void {
  (element as { closest: (selector: string) => { open: boolean } }).closest('details').open = true;
}

it('a colleague’s change of the pay is shown as a conflict and survives the next save', async () => {
  const id = await drafted({ title: 'Before', contractType: 'contractor_payg' });
  const edit = editOf(id);
  const [admin, member] = [people.admin.browser, people.member.browser];
  const mine = await member.get(edit);
  const pay = { 'compensation.type': 'hourly', 'compensation.rate': '85.50', 'compensation.currency': 'EUR' };
  expect((await admin.submit(await admin.get(edit), edit, { ...pay, 'creatorTerms.usageNote': '' })).status).toBe(303);
  const late = await member.submit(mine, edit, { title: 'Mine', description: 'More' });
  expect(late.status).toBe(409);
  for (const told of ['85.50', 'hourly', 'EUR', 'Empty']) expect(cellsOf(late.html)).toContain(told);
  expect(await save(member, edit, late)).toBe(303);
  expect(await draftOf(id)).toMatchObject({
    title: 'Mine',
    details: { description: 'More', compensation: { type: 'hourly', rate: '85.50', currency: 'EUR' } },
  });
  const other = await member.get(editOf(await drafted({ title: 'Another', contractType: 'contractor_payg' })));
  const codes = [...other.html.matchAll(/<option value="([A-Z]{3})"/g)].map(([, code]) => code);
  expect(codes.indexOf('EUR'), 'a currency of the newest contracts comes first').toBeLessThan(codes.indexOf('AED'));
});

it('two changes of the same field are both shown, and the second editor decides', async () => {
  const id = await drafted({ title: 'Before' });
  const edit = editOf(id);
  const [admin, member] = [people.admin.browser, people.member.browser];
  const mine = await member.get(edit);
  await admin.submit(await admin.get(edit), edit, { title: 'Theirs' });
  const late = await member.submit(mine, edit, { title: 'Mine' });
  expect(cellsOf(late.html)).toEqual(['Before', 'Theirs', 'Mine']);
  expect(await save(member, edit, late)).toBe(303);
  expect(await draftOf(id)).toMatchObject({ title: 'Mine' });
});

it('text typed into a draft that a colleague has cancelled meanwhile is still in the form, and not saved', async () => {
  const id = await drafted({ title: 'Before' });
  const edit = editOf(id);
  const [admin, member] = [people.admin.browser, people.member.browser];
  const page = await member.get(edit);
  const cancel = edit.replace(/edit$/, 'cancel');
  expect((await admin.submit(await admin.get(cancel), cancel, { reason: 'No need' })).status).toBe(303);
  const before = await kept(id);
  const typed = { description: 'A page of text', 'milestones[0].title': 'A new row' };
  const late = await member.submit(page, edit, typed);
  expect(late).toMatchObject({ status: 409, text: expect.stringContaining('Nothing was saved') as string });
  const { description, 'milestones[0].title': title } = drawnFields(late, edit);
  expect([description, title]).toEqual([['A page of text'], ['A new row']]);
  expect(await kept(id)).toBe(before);
});

it('a form that is corrected after going back is saved; sent twice, it is saved once', async () => {
  const id = await drafted({ title: 'Before' });
  const edit = editOf(id);
  const { browser } = people.member;
  const page = await browser.get(edit);
  expect((await browser.submit(page, edit, { noticePeriodDays: 'many' })).status).toBe(422);
  expect((await browser.submit(page, edit, { countryOfEmployment: 'Nether' })).status).toBe(422);
  const twice = await Promise.all([1, 2].map(() => browser.submit(page, edit, { countryOfEmployment: 'NL' })));
  expect(twice.map(({ status }) => status)).toEqual([303, 303]);
  expect(await draftOf(id)).toMatchObject({ revision: 2, details: { countryOfEmployment: 'NL' } });
});

it('the form has the fields of its kind of contract, and those that are filled in; another kind keeps what was typed', async () => {
  const id = await drafted({ title: 'By the hour', contractType: 'contractor_payg', benefits: { timeOffDays: 25 } });
  const edit = editOf(id);
  const { browser } = people.member;
  const page = await browser.get(edit);
  const has = ({ html }: Page, name: string): boolean => html.includes(` name="${name}"`);
  const shown = (of: Page) =>
    ['compensation.rate', 'compensation.annualSalary', 'milestones[0].title'].map((name) => has(of, name));
  expect(shown(page)).toEqual([true, false, false]);
  expect(page.text).toContain('Not chosen: USD');
  expect([has(page, 'benefits.timeOffDays'), has(page, 'benefits.bonusAmount')]).toEqual([true, true]);
  const typed = { title: 'Typed', 'compensation.rate': '80', contractType: 'employment_at_will', show: 'kind' };
  const employment = await browser.submit(page, edit, typed);
  expect(shown(employment)).toEqual([true, true, false]);
  expect(employment.html).toContain('value="Typed"');
  expect(shown(await browser.submit(page, edit, { title: 'Typed', show: 'all' }))).toEqual([true, true, false]);
  expect(await draftOf(id)).toMatchObject({ title: 'By the hour' });
});

it('another kind of contract is paid as that kind is, unless a person has said how', async () => {
  const { browser } = people.member;
  const changed = async (from: Omit<Draft, 'title'>, typed: Record<string, string>) => {
    const id = await drafted({ title: 'Another kind', startDate: '2027-01-01', ...from });
    const sent = await browser.submit(await browser.get(editOf(id)), editOf(id), typed);
    const { details } = (await draftOf(id)) as { details: { compensation: object } };
    return { sent, pay: details.compensation };
  };
  const milestone: Omit<Draft, 'title'> = { contractType: 'contractor_milestone', compensation: { type: 'milestone' } };
  const hourly: Omit<Draft, 'title'> = { contractType: 'contractor_payg', compensation: { type: 'hourly' } };
  const byTheHour = { contractType: 'contractor_payg', 'compensation.rate': '80' };
  expect((await changed(milestone, { contractType: 'contractor_payg' })).pay).toMatchObject({ type: 'hourly' });
  expect((await changed(hourly, { contractType: 'contractor_milestone' })).pay).toMatchObject({ type: 'milestone' });
  const said = { ...hourly, compensation: { type: 'per_task' } } as const;
  expect((await changed(said, { contractType: 'contractor_fixed' })).pay).toMatchObject({ type: 'per_task' });
  const { sent, pay } = await changed(milestone, { contractType: 'contractor_fixed' });
  expect([sent.text, pay]).toEqual([
    expect.stringContaining('Paid by: This is needed'),
    expect.objectContaining({ type: 'milestone' }),
  ]);
  const id = await drafted({ title: 'Shown first', ...milestone });
  const shown = await browser.submit(await browser.get(editOf(id)), editOf(id), { ...byTheHour, show: 'kind' });
  expect((await browser.post(editOf(id), drawnFields(shown, editOf(id)))).status).toBe(303);
  expect(await draftOf(id)).toMatchObject({ details: { compensation: { type: 'hourly', rate: '80' } } });
});

it('“Save and continue” leads to what is missing, and then to the next step', async () => {
  const id = await drafted({ title: 'Step by step', contractType: 'contractor_milestone' });
  const edit = editOf(id);
  const { browser } = people.member;
  const pressed = { go: 'next' };
  const next = async (fields = {}) => {
    const { location } = await browser.submit(await browser.get(edit), edit, { ...pressed, ...fields });
    return location!.replace(edit.replace('edit', ''), '');
  };
  expect(await next()).toBe('worker');
  const worker = await registerWorker(system.access(), 'Nora Next', 'example.com');
  const choose = edit.replace('edit', 'worker');
  const chosen = await browser.submit(await browser.get(choose), choose, { worker: worker.id });
  expect(chosen.location).toBe(`${edit}#startDate`);
  expect(await next({ startDate: '2027-01-01' })).toBe('edit#milestones');
  expect(await next({ 'milestones[0].title': 'A logo', 'milestones[0].amount': '500' })).toBe('submit');
});

/** Submits the page's form with its current values. */
async function save(browser: Browser, edit: string, page: Awaited<ReturnType<Browser['get']>>): Promise<number> {
  return (await browser.submit(page, edit, fieldsOf(page.html))).status;
}

/** Inputs and text areas. Selects are left as they are. */
function fieldsOf(html: string): Record<string, string> {
  const form = html.slice(html.indexOf('name="revision"'));
  const inputs = [...form.matchAll(/<input ([^>]*)>/g)].map(([, text = '']) => {
    const of = (name: string): string => new RegExp(` ${name}="([^"]*)"`).exec(` ${text}`)?.[1] ?? '';
    return [of('name'), of('value'), of('type')];
  });
  const texts = [...form.matchAll(/<textarea[^>]* name="([^"]*)"[^>]*>([^<]*)</g)].map(([, name, text]) => [
    name,
    text,
  ]);
  const shown = inputs.filter(([name, , type]) => name !== '' && type !== 'hidden');
  return Object.fromEntries([...shown, ...texts].map(([name, text]) => [name, text]));
}

/** The table of changes, without its labels. */
function cellsOf(html: string): string[] {
  const table = html.slice(html.indexOf('What has changed</caption>'), html.indexOf('</table>'));
  return [...table.matchAll(/<span class="(?:written|hint)">([^<]*)</g)].map(([, text = '']) => text);
}

async function draftOf(id: string): Promise<object> {
  return await system.graphql<object>(
    `query ($id: ID!) { contract(id: $id) { title revision
      details { description countryOfEmployment compensation { type rate currency } } } }`,
    { id },
  );
}
