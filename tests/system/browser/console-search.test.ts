import { newId, type Role } from '@payroll/kernel';
import { expect, it } from 'vitest';
import { contractIn, hourly, registerWorker } from '@payroll/tools/demo/steps';
import { joinSystem, submittedTimesheet } from '../support.js';
import { newPeople } from './visitor.js';

const word = newId().slice(-12);
const system = await joinSystem();
const people = await newPeople(system, system.workspaces[0]);
const worker = await registerWorker(system.access(), `Wim ${word}`, `mail-${word}.example`);
const contractId = await contractIn(system.access(), worker, hourly(`Design ${word}`, 'EUR', '50'), 'active');

const room = (path: string, workspace = system.workspaces[0]): string => `/workspaces/${workspace.id}${path}`;
const find = (role: Role, text: string) =>
  people[role].browser.get(room(`/search?${new URLSearchParams({ q: text }).toString()}`));

it.each(['admin', 'member', 'viewer'] as const)('%s finds a contract and its worker by a word', async (role) => {
  await expect.poll(async () => (await find(role, word)).text, { timeout: 10_000 }).toContain(`Wim ${word}`);
  const { html } = await find(role, word);
  expect(html).toContain(`href="${room(`/contracts/${contractId}`)}"`);
  expect(html).toContain(`href="${room(`/workers/${worker.id}`)}"`);
});

it('an id redirects to its page, except an id of another workspace', async () => {
  for (const [id, section] of [
    [contractId, 'contracts'],
    [worker.id, 'workers'],
  ]) {
    const { status, location } = await find('viewer', id!);
    expect([status, location]).toEqual([303, room(`/${section}/${id}`)]);
  }
  const foreign = await registerWorker(system.access(system.workspaces[1]), 'Far Away', 'people.example');
  expect((await find('admin', foreign.id)).text).toContain('Nothing is found');
});

it('more workers than are shown can be reached', async () => {
  const name = newId().slice(-12);
  for (let n = 0; n < 11; n += 1) await registerWorker(system.access(), `Wim ${name}`, 'people.example');
  const all = `href="${room(`/workers?search=${name}`)}">All workers found`;
  await expect.poll(async () => (await find('viewer', name)).html, { timeout: 10_000 }).toContain(all);
  expect((await find('viewer', word)).html).not.toContain('All workers found');
});

it('an email address finds its worker for members, and confirms nothing to viewers', async () => {
  expect((await find('member', `mail-${word}`)).text).toContain(`Wim ${word}`);
  const seen = await find('viewer', `mail-${word}`);
  expect(seen.text).toContain('Nothing is found');
  expect(seen.text).not.toContain(`Wim ${word}`);
});

it("the link in a column's header reverses the list and keeps its filters", async () => {
  const later = await contractIn(system.access(), worker, hourly(`Later ${word}`, 'EUR', '50'), 'active');
  const list = async (query: string) => {
    const { html } = await people.viewer.browser.get(room(`/contracts${query}`));
    const sort = /<th scope="col" aria-sort="(\w+)"><a href="([^"]*)">Created<\/a>/.exec(html);
    return {
      shown: html.includes(later) && html.indexOf(later) < html.indexOf(contractId),
      sort: sort?.slice(1),
      html,
    };
  };
  const asked = { search: word, status: 'active' };
  const newest = await list(`?${new URLSearchParams(asked).toString()}`);
  const turned = new URLSearchParams({ ...asked, order: 'oldest' }).toString();
  expect([newest.shown, newest.sort]).toEqual([true, ['descending', `?${turned.replaceAll('&', '&amp;')}`]]);
  const oldest = await list(`?${turned}`);
  expect([oldest.shown, oldest.sort?.[0]]).toEqual([false, 'ascending']);
  expect(oldest.html).toContain('<input type="hidden" name="order" value="oldest"');
  expect(oldest.html).toContain(`href="?search=${word}&amp;order=oldest"`);
});

it.each(['/workers', '/review'])('%s is listed in either order', async (section) => {
  await submittedTimesheet(system.access(), contractId);
  const orders = [
    ['newest', 'descending'],
    ['oldest', 'ascending'],
  ];
  for (const [order, sort] of orders) {
    expect((await people.admin.browser.get(room(`${section}?order=${order}`))).html).toContain(`aria-sort="${sort}"`);
  }
});
