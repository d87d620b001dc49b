import { newId } from '@payroll/kernel';
import { ask } from '@payroll/tools/demo/graphql-client';
import { APPROVE_TIMESHEET, REGISTER_WORKER } from '@payroll/tools/demo/operations';
import { contractIn, hourly, submitWeek, type Worker } from '@payroll/tools/demo/steps';
import { afterAll, expect, it } from 'vitest';
import type { Browser } from '../../../services/workspaces/test/pages/browser.js';
import { ownerOf } from '../owner.js';
import { joinSystem, submittedTimesheet } from '../support.js';
import { workerSignsIn } from './visitor.js';

// The pages of a worker over all workspaces that they work for.

const system = await joinSystem();
const { database } = await ownerOf(system);
afterAll(() => database.end());

const BY_HAND = { invoicingSettings: { paymentDueDays: 0, autoPayEnabled: false } };

/** One account that works for both workspaces, signed in. */
async function employed(): Promise<{ browser: Browser; workers: [Worker, Worker] }> {
  const email = `wanda-${newId()}@people.example`;
  const [first, second] = system.workspaces;
  const here = await ask<Worker>(system.access(first), REGISTER_WORKER, { name: 'Wanda Weber', email });
  const there = await ask<Worker>(system.access(second), REGISTER_WORKER, { name: 'Wanda Weber', email });
  const browser = await workerSignsIn(system, { email });
  await database.query(
    `insert into workspaces.worker_access (workspace_id, id, worker_id, account_id, joined_at)
     select $1, $2, $3, id, now() from workspaces.account where email = $4`,
    [second.id, newId(), there.id, email],
  );
  return { browser, workers: [here, there] };
}

it('the next steps of a worker, and the amounts owed to them, are shown by employer and currency', async () => {
  const { browser, workers } = await employed();
  const [first, second] = system.workspaces;
  const toSign = await contractIn(system.access(), workers[0], hourly('Proofs', 'EUR', '60'), 'pending_signature');
  const active = await contractIn(system.access(), workers[0], hourly('Reports', 'EUR', '50', BY_HAND), 'active');
  await ask(system.access(), APPROVE_TIMESHEET, await submittedTimesheet(system.access(), active));
  const there = system.access(second);
  const abroad = await contractIn(there, workers[1], hourly('Talks', 'USD', '30', BY_HAND), 'active');
  await ask(there, APPROVE_TIMESHEET, await submittedTimesheet(there, abroad));

  const page = await browser.get('/work');
  expect(page.text).toContain('What waits for you, and what you are owed.');
  expect(page.html.length).toBeLessThan(100_000);
  const [, one = '', two = ''] = page.html.split('<section');
  const parts = one.includes(`/work/${first.id}"`) ? [one, two] : [two, one];
  expect(parts[0]).toContain(`href="/work/${first.id}/contracts/${toSign}/sign"`);
  expect(parts[0]).toContain(`href="/work/${first.id}/contracts/${active}/timesheet"`);
  expect(parts[0]).toContain(`href="/work/${first.id}/payout-details"`);
  expect(page.text).toMatch(/not paid yet ?: 500\.00 EUR/);
  expect(parts[1]).toContain(`href="/work/${second.id}/contracts/${abroad}/timesheet"`);
  expect(page.text).toMatch(/not paid yet ?: 300\.00 USD/);
  expect(await browser.get('/workspaces')).toMatchObject({ status: 303, location: '/work' });
});

it('the data of a worker is one file, complete over all pages of every list', async () => {
  const { browser, workers } = await employed();
  const id = await contractIn(system.access(), workers[0], hourly('Reports', 'EUR', '50', BY_HAND), 'active');
  for (let week = 0; week < 61; week += 1) await submitWeek(system.access(), id, week, '1');
  const { html, headers } = await browser.get('/account/data.json');
  expect(headers.get('content-disposition')).toContain('attachment');
  const { asWorker } = JSON.parse(html) as {
    asWorker: { workspaceId: string; contracts: { id: string; text: string; timesheets: { id: string }[] }[] }[];
  };
  expect(asWorker.map(({ workspaceId }) => workspaceId).toSorted()).toEqual(
    system.workspaces.map((each) => each.id).toSorted(),
  );
  const [contract, ...others] = asWorker.flatMap(({ contracts }) => contracts);
  expect(others).toEqual([]);
  expect(contract).toMatchObject({ id, text: expect.stringContaining('Reports') as string });
  expect(new Set(contract!.timesheets.map((each) => each.id)).size).toBe(61);
});
