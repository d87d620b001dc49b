import { afterAll, beforeAll, expect, it } from 'vitest';
import { Browser } from '../../../services/workspaces/test/browser.js';
import { activeContract, joinSystem, type System } from './support.js';
import { inConsole, newPeople, type Person } from './visitor.js';
import type { Role } from '@payroll/kernel';

let system: System;
let people: Record<Role, Person>;
const started = new AsyncDisposableStack();
beforeAll(async () => {
  system = started.use(await joinSystem());
  people = await newPeople(system, system.workspaces[0]);
});
afterAll(async () => await started.disposeAsync());

const room = (path: string, workspace = system.workspaces[0]): string => `/workspaces/${workspace.id}${path}`;

it.each(['admin', 'member', 'viewer'] as const)('%s reads the contracts of the workspace', async (role) => {
  await activeContract(system.access());
  const { browser } = people[role];
  const { status, text, headers } = await browser.get(room('/contracts'));
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(text).toContain('Active');
  const active = await browser.get(room('/contracts?status=active'));
  expect(active.text).toContain('Active');
  expect((await browser.get(room('/contracts?status=cancelled'))).text).toContain('No contracts here');
});

it('sends strangers to sign in, and back to where they wanted to be', async () => {
  const stranger = inConsole(system, new Browser(''));
  const { status, location } = await stranger.get(room('/contracts?status=draft'));
  expect(status).toBe(303);
  expect(location).toBe(`/sign-in?${new URLSearchParams({ return_to: room('/contracts?status=draft') }).toString()}`);
});

it('has nothing for who does not belong to the workspace, whether there is one or not', async () => {
  const { browser } = people.admin;
  const pages = [room('/contracts', system.workspaces[1]), `/workspaces/${crypto.randomUUID()}/contracts`];
  const answers = await Promise.all([...pages, '/workspaces/none/contracts'].map((path) => browser.get(path)));
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  expect(new Set(answers.map(({ text }) => text.replace(/Request \S+/, ''))).size).toBe(1);
});

it('is closed to a session from the moment that it ends', async () => {
  const { browser } = people.viewer;
  const page = await browser.get(room('/contracts'));
  const door = new Browser(system.stack.file.auth!.url);
  for (const [name, value] of browser.cookies) door.cookies.set(name, value);
  await door.submit(page, '/sign-out');
  expect((await browser.get(room('/contracts'))).status).toBe(303);
});
