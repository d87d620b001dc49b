import { newId, systemOrigin } from '@payroll/kernel';
import { afterAll, expect, it } from 'vitest';
import { giveWorkerAccess } from '../../services/workspaces/src/commands/worker-access.js';
import { openSite, PASSWORD } from './site.js';

// Only workspaces runs: contracts, review and payments do not answer.

const site = await openSite('workspaces_own_pages');
afterAll(() => site[Symbol.asyncDispose]());

it('a part that cannot be read is left out of the work and said, but never left out of the data', async () => {
  const { workspaceId } = await site.workspaces.provision();
  const { id: accountId, email } = await site.account('Wanda Worker');
  const given = { workerId: newId(), accountId };
  await site.workspaces.run(giveWorkerAccess, given, systemOrigin(workspaceId, 'runner', newId()));
  const browser = site.browser();
  await browser.signIn(email, PASSWORD);
  const work = await browser.get('/work');
  expect(work.status).toBe(200);
  expect(work.html).toContain(`href="/work/${workspaceId}"`);
  expect(work.text).toContain('Not all of it can be read at the moment.');
  const data = await browser.get('/account/data.json');
  expect(data.status).toBe(503);
  expect(data.text).toContain('Nothing was downloaded: the file would lack a part.');
  expect(data.headers.get('content-disposition')).toBeNull();
});

it('a person without employers sees an empty page, and downloads their account, memberships and browsers', async () => {
  const place = await site.workspaces.provision();
  const member = await site.person(place, 'viewer');
  expect((await member.browser.get('/work')).text).toContain('You work for nobody here yet');
  const { html, headers } = await member.browser.get('/account/data.json');
  expect(headers.get('content-disposition')).toBe('attachment; filename="payroll-data.json"');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(JSON.parse(html)).toMatchObject({
    account: { email: member.email, hasSecondFactor: false },
    signedInBrowsers: [{ userAgent: expect.any(String) as string }],
    memberships: [{ workspaceId: place.workspaceId, role: 'viewer' }],
    asWorker: [],
  });
  await site.age(member, 11);
  expect((await member.browser.get('/account/data.json')).location).toContain('/sign-in/again');
  expect((await site.browser().get('/account/data.json')).location).toContain('/sign-in');
  expect((await site.browser().get('/work')).location).toContain('/sign-in');
});
