import { createHash } from 'node:crypto';
import { pagesOf, sections } from '../../../console/src/sections.js';
import { workPages } from '../../../console/src/work/pages.js';
import { OPERATION_FIELD, TOKEN_FIELD } from '@payroll/pages';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { Browser, type Page } from '../../../services/workspaces/test/pages/browser.js';
import { byMilestone, contractIn, hourly, type Worker } from '@payroll/tools/demo/steps';
import { APPROVE_TIMESHEET, CANCEL_CONTRACT, MILESTONES_OF } from '@payroll/tools/demo/operations';
import { ask } from '@payroll/tools/demo/graphql-client';
import { ownerOf } from '../owner.js';
import { joinSystem, submittedTimesheet } from '../support.js';
import { newPeople, newWorker, PASSWORD, type WorkerWithMail } from './visitor.js';

// From the admin's invitation to the worker's signature, through pages alone.

const system = await joinSystem();
const workspace = system.workspaces[0].id;
const { database } = await ownerOf(system);
const people = await newPeople(system, system.workspaces[0]);
afterAll(() => database.end());

const PAYMENTS_OF = 'query ($id: ID!) { payments(contractId: $id) { nodes { id status updatedAt } } }';

const pageOfWorker = ({ id }: Worker): string => `/workspaces/${workspace}/workers/${id}`;
const pageOfContract = (id: string): string => `/work/${workspace}/contracts/${id}`;
const newBrowser = (): Browser => new Browser(system.stack.file.auth!.url);

/** A contract of the worker that waits for both signatures. */
const sentContract = (worker: Worker): Promise<string> =>
  contractIn(system.access(), worker, hourly('Translation', 'EUR', '60'), 'pending_signature');

/** The newest link mailed to the address. */
async function mailedLink(email: string): Promise<string> {
  return await vi.waitFor(async () => {
    const html = await (await fetch(system.stack.file.mail!.url)).text();
    const mail = html.split('<article>').find((each) => each.includes(`To ${email}`));
    const link = /href="([^"]*\/invitations\/[^"]*)"/.exec(mail ?? '')?.[1];
    expect(link).toBeDefined();
    return new URL(link!).pathname;
  }, 20_000);
}

async function invite(worker: WorkerWithMail): Promise<string> {
  const path = `${pageOfWorker(worker)}/invite`;
  const { browser } = people.admin;
  expect(await browser.submit(await browser.get(path), path)).toMatchObject({ status: 303 });
  return await mailedLink(worker.email);
}

const NEWCOMER = { name: 'Wanda Weber', password: PASSWORD, repeated: PASSWORD };

/** The worker's browser, with an account created from the link. */
async function joined(worker: WorkerWithMail): Promise<Browser> {
  const link = await invite(worker);
  const browser = newBrowser();
  const answer = await browser.submit(await browser.get(link), link, NEWCOMER);
  expect(answer).toMatchObject({ status: 303, location: `/work/${workspace}` });
  return browser;
}

async function signs(browser: Browser, contractId: string): Promise<Page> {
  const path = `${pageOfContract(contractId)}/sign`;
  return await browser.submit(await browser.get(path), path);
}

describe('a worker', () => {
  it('is invited by mail, reads the text and signs it; the admin then signs for the business', async () => {
    const worker = await newWorker(system);
    const contractId = await sentContract(worker);
    const browser = await joined(worker);
    const first = await browser.get(`/work/${workspace}`);
    expect(first.text).toContain('One contract waits for your signature.');
    expect((await browser.get('/work')).html).toContain(`href="/work/${workspace}"`);

    const agreement = await browser.get(`${pageOfContract(contractId)}/agreement`);
    expect(agreement.text).toContain(`Between ${system.workspaces[0].name} (`);
    const file = await browser.get(`${pageOfContract(contractId)}/agreement.txt`);
    const digest = createHash('sha256').update(file.html).digest('hex');
    expect(agreement.text).toContain(digest);

    expect(await signs(browser, contractId)).toMatchObject({ status: 303, location: pageOfContract(contractId) });
    expect((await browser.get(pageOfContract(contractId))).text).toContain('You have signed the contract.');
    expect((await browser.get(`/work/${workspace}`)).text).toContain('Nothing waits for your signature.');

    const admin = people.admin.browser;
    const contract = `/workspaces/${workspace}/contracts/${contractId}`;
    expect((await admin.get(contract)).text).toContain('Next: an admin signs for the business.');
    expect((await admin.get(`${contract}/agreement`)).text).toContain('Signed by Wanda Weber');
    expect((await admin.submit(await admin.get(`${contract}/sign`), `${contract}/sign`)).status).toBe(303);
    expect((await browser.get(pageOfContract(contractId))).text).toContain('Signed');
  });

  it('submits a milestone only while its contract is open for work; a note that is sent too late stays', async () => {
    const worker = await newWorker(system);
    const id = await contractIn(system.access(), worker, byMilestone('Site', ['500']), 'active');
    const [milestone] = (await ask<{ nodes: { id: string }[] }>(system.access(), MILESTONES_OF, { id })).nodes;
    const browser = await joined(worker);
    const path = `/work/${workspace}/milestones/${milestone!.id}`;
    const form = await browser.get(path);
    expect(form.text).toContain('Submit for review');
    await ask(system.access(), CANCEL_CONTRACT, { id });
    const late = await browser.submit(form, path, { note: 'See the staging site.' });
    expect(late.html).toContain('See the staging site.');
    const { text } = await browser.get(path);
    expect(text).not.toContain('Submit for review');
    expect(text).toContain('It can be submitted only while the contract is active.');
  });

  it('requests changes, and the admin reads them on the contract', async () => {
    const worker = await newWorker(system);
    const contractId = await sentContract(worker);
    const browser = await joined(worker);
    const path = `${pageOfContract(contractId)}/changes`;
    const form = await browser.get(path);
    expect(await browser.submit(form, path, { reason: ' ' })).toMatchObject({ status: 422 });
    expect(await browser.submit(form, path, { reason: 'Four days a week.' })).toMatchObject({ status: 303 });
    const { text } = await people.admin.browser.get(`/workspaces/${workspace}/contracts/${contractId}`);
    expect(text).toContain('The worker asks for changes Four days a week. Draft a copy with them');
    expect(text).toContain('Asked for changes to the contract');
    const overview = await people.admin.browser.get(`/workspaces/${workspace}`);
    expect(overview.text).toContain('whose worker asks for changes');
  });

  it('enters the password again before signing if it was entered more than ten minutes ago', async () => {
    const worker = await newWorker(system);
    const contractId = await sentContract(worker);
    const browser = await joined(worker);
    await database.query(
      `update workspaces.session set authenticated_at = now() - interval '11 min'
       where account_id = (select id from workspaces.account where email = $1)`,
      [worker.email],
    );
    const { location } = await browser.get(`${pageOfContract(contractId)}/sign`);
    expect(location).toContain('/sign-in/again');
  });

  it('sees no contract of another worker of the same workspace, and cannot sign it', async () => {
    const [own, other] = [await newWorker(system), await newWorker(system)];
    const [browser, contractId] = [await joined(own), await sentContract(other)];
    for (const below of ['', '/agreement', '/agreement.txt', '/sign', '/changes']) {
      expect([below, (await browser.get(pageOfContract(contractId) + below)).status]).toEqual([below, 404]);
    }
    const mine = await sentContract(own);
    const token = formToken(await browser.get(`${pageOfContract(mine)}/sign`));
    for (const below of ['/sign', '/changes']) {
      const fields = { ...token, operation: crypto.randomUUID(), reason: 'r', digest: 'f'.repeat(64) };
      expect([below, (await browser.post(pageOfContract(contractId) + below, fields)).status]).toEqual([below, 404]);
    }
  });

  it('leaves, and the next request is refused; contracts and payments stay as they are', async () => {
    const worker = await newWorker(system);
    const browser = await joined(worker);
    const byHand = hourly('Proofs', 'EUR', '60', { invoicingSettings: { paymentDueDays: 0, autoPayEnabled: false } });
    const id = await contractIn(system.access(), worker, byHand, 'active');
    await ask(system.access(), APPROVE_TIMESHEET, await submittedTimesheet(system.access(), id));
    const held = () =>
      Promise.all([
        ask(system.access(), 'query ($id: ID!) { contract(id: $id) { status updatedAt worker { id } } }', { id }),
        ask(system.access(), PAYMENTS_OF, { id }),
      ]);
    const before = await held();
    expect(before).toMatchObject([{ status: 'active' }, { nodes: [{ status: 'pending' }] }]);
    const path = `/work/${workspace}/leave`;
    const form = await browser.get(path);
    expect(form.text).toContain('Contracts and payments stay as they are.');
    expect(await browser.submit(form, path)).toMatchObject({ status: 303, location: '/workspaces' });
    expect((await browser.get(`/work/${workspace}`)).status).toBe(404);
    expect((await people.admin.browser.get(pageOfWorker(worker))).text).toContain('Invite to sign in');
    expect(await held()).toEqual(before);
  });
});

function formToken({ html }: Page): Record<string, string> {
  const [, token = ''] = new RegExp(`name="${TOKEN_FIELD}" value="([^"]*)"`).exec(html) ?? [];
  return { [TOKEN_FIELD]: token };
}

describe('new pay', () => {
  /** An active contract of a worker who signs in, and the admin's change of its terms. */
  async function agreed() {
    const worker = await newWorker(system);
    const contractId = await contractIn(system.access(), worker, hourly('Translation', 'EUR', '60'), 'active');
    const browser = await joined(worker);
    const { browser: admin } = people.admin;
    const contract = `/workspaces/${workspace}/contracts/${contractId}`;
    const change = async (rate: string, autoPayEnabled = 'yes'): Promise<Page> => {
      const form = await admin.get(`${contract}/terms`);
      const words =
        'If the worker signs in here, a new rate and new due days wait for their signature, and hold from then on.';
      expect(form.text).toContain(words);
      const filled = { rate, paymentDueDays: '14', autoPayEnabled, timesheetApprovalRequired: 'yes' };
      return await admin.submit(form, `${contract}/terms`, { ...filled, autoApproveAfterDays: '' });
    };
    const signPath = (number: number): string => `${pageOfContract(contractId)}/amendments/${number}/sign`;
    return { contractId, browser, admin, contract, change, signPath };
  }

  it('waits for the signature of a worker who signs in, and is withdrawn or signed', async () => {
    const { contractId, browser, admin, contract, change, signPath } = await agreed();
    const propose = async (rate: string): Promise<void> => {
      expect((await change(rate)).status).toBe(303);
      const { text } = await admin.get(contract);
      expect(text).toContain('The new terms wait for the signature of the worker.');
      expect(text).toContain('Rate 60 EUR per hour');
    };
    await propose('70');
    const withdraw = `${contract}/withdraw-terms`;
    expect((await admin.get(contract)).html).toContain(withdraw);
    expect((await people.member.browser.get(contract)).html, 'only admins may').not.toContain(withdraw);
    const [stale, current] = [await admin.get(withdraw), await admin.get(withdraw)];
    expect((await admin.submit(current, withdraw)).status).toBe(303);
    expect(await admin.submit(current, withdraw), 'a double click').toMatchObject({ status: 303 });
    expect((await browser.get(signPath(1))).status).toBe(409);
    await propose('75');
    expect(await admin.submit(stale, withdraw), 'a page of the terms before').toMatchObject({ status: 409 });
    const sign = signPath(2);
    expect((await browser.get(pageOfContract(contractId))).html).toContain(`href="${sign}"`);
    const form = await browser.get(sign);
    expect(form.text).toContain('From your signature on they hold for all work that is not approved yet.');
    expect((await browser.submit(form, sign)).status).toBe(303);
    expect((await admin.get(contract)).text).toContain('Rate 75 EUR per hour');
    expect((await browser.get(pageOfContract(contractId))).text).toContain('Rate 75 EUR per hour');
    expect((await admin.get(`${contract}/agreement`)).text).toMatch(
      /Amendment 2 .* Holds from .* The worker Signed by Wanda/,
    );
    const mine = `${pageOfContract(contractId)}/agreement`;
    expect((await browser.get(mine)).text).toMatch(/Amendment 2 .* Holds from .* You /);
    expect((await browser.get(`${mine}.txt?amendment=2`)).html).toContain('Rate: 75');
    expect((await browser.get(`${mine}.txt?amendment=1`)).status).toBe(404);
  });

  it('is refused while other new pay waits, with the reason', async () => {
    const { change } = await agreed();
    expect((await change('70')).status).toBe(303);
    const second = await change('80');
    expect(second).toMatchObject({ status: 422 });
    expect(second.text).toContain('A change waits for the worker to sign it. Withdraw it first.');
    expect(second.html).toContain('value="80"');
  });

  it('is not named as waiting by a change that holds at once, and both are named where both are changed', async () => {
    const { admin, contract, change } = await agreed();
    const notice = async (sent: Page): Promise<string> => {
      expect(sent.status).toBe(303);
      return (await admin.get(contract)).text;
    };
    const both = 'The new terms of pay wait for the signature of the worker. The other changes hold from today.';
    expect(await notice(await change('70', 'no'))).toContain(both);
    const atOnce = await notice(await change('60', 'yes'));
    expect(atOnce).toContain('The terms are changed.');
    expect(atOnce).not.toContain('The new terms wait');
  });

  it('that is signed twice by a double click is signed', async () => {
    const { browser, change, signPath } = await agreed();
    await change('70');
    const form = await browser.get(signPath(1));
    const answers = [await browser.submit(form, signPath(1)), await browser.submit(form, signPath(1))];
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    const later = await browser.submit(form, signPath(1), { [OPERATION_FIELD]: crypto.randomUUID() });
    expect(later).toMatchObject({ status: 409, text: expect.stringContaining('Nothing was done.') as string });
  });

  it('disappears from the steps of the worker once the contract is cancelled', async () => {
    const { contractId, browser, contract, admin, change, signPath } = await agreed();
    await change('70');
    const form = await browser.get(signPath(1));
    expect((await browser.get('/work')).text).toContain('Read and sign new terms');
    const { text } = await browser.get(`/work/${workspace}`);
    expect(text).toContain('One contract waits for your signature.');
    expect(text).toContain('New terms wait for your signature');
    await ask(system.access(), CANCEL_CONTRACT, { id: contractId });
    expect((await browser.get('/work')).text).not.toContain('Read and sign new terms');
    expect((await browser.get(pageOfContract(contractId))).text).not.toContain('Read and sign new terms');
    expect(await browser.submit(form, signPath(1))).toMatchObject({ status: 409 });
    expect((await admin.get(`${contract}/agreement`)).text).toContain('It was withdrawn before the worker signed it');
  });
});

describe('a worker submits work', () => {
  /** A browser of the worker of an active contract, paid by the hour, and what is needed to pay. */
  async function working(): Promise<{ browser: Browser; contractId: string }> {
    const worker = await newWorker(system);
    const more = { invoicingSettings: { paymentDueDays: 0, autoPayEnabled: true } };
    const contractId = await contractIn(system.access(), worker, hourly('Translation', 'EUR', '60', more), 'active');
    return { browser: await joined(worker), contractId };
  }

  it('by day, has it sent back, corrects it, and it is approved', async () => {
    const { browser, contractId } = await working();
    expect((await browser.get(pageOfContract(contractId))).html).toContain(`${pageOfContract(contractId)}/timesheet`);
    const path = `${pageOfContract(contractId)}/timesheet`;
    const week = await browser.get(`${path}?week=2026-03-04`);
    const hours = { 'units-2026-03-02': '7:30', 'units-2026-03-03': '7,75', 'units-2026-03-04': '7.5' };
    const fields = { ...hours, 'units-2026-03-05': '8', 'units-2026-03-06': '7', 'note-2026-03-06': 'Review' };

    const saved = await browser.submit(week, path, { ...fields, do: 'save' });
    expect(saved).toMatchObject({ status: 303, location: `${path}?week=2026-03-02` });
    const again = await browser.get(saved.location!);
    expect(again.html).toContain('value="7:30"');
    const check = await browser.submit(again, path, { ...fields, do: 'check' });
    expect(check.text).toContain('37.75 hours');
    expect(check.text).toContain('2,265.00 EUR');
    const submitted = await browser.submit(check, path, { do: 'send' });
    expect(submitted.status).toBe(303);
    const address = submitted.location!;
    expect((await browser.get(address)).text).toContain('Waiting for review');

    const review = address.replace(/.*\/timesheets\//, `/workspaces/${workspace}/review/timesheet/`);
    const { browser: admin } = people.admin;
    const piece = await admin.get(review);
    expect(piece.text).toContain('6 Mar 2026: 7 hours – Review');
    expect(piece.text).toContain('Submitted by The worker');
    const reason = { reason: 'Friday was six hours.' };
    expect((await admin.submit(piece, `${review}/reject`, reason)).status).toBe(303);
    expect((await browser.get(address)).text).toContain('Rejected because Friday was six hours.');

    const correct = `${address}/correct`;
    const form = await browser.get(correct);
    expect(form.html).toContain('value="7.75"');
    const corrected = await browser.submit(form, correct, { ...fields, 'units-2026-03-06': '6' });
    expect(corrected).toMatchObject({ status: 303, location: address });
    expect((await admin.submit(await admin.get(review), `${review}/approve`)).status).toBe(303);
    expect((await browser.get(address)).text).toContain('Approved');
    expect((await browser.get(correct)).status).toBe(409);
  });

  it('with an error beside each wrong day, and what was typed still there', async () => {
    const { browser, contractId } = await working();
    const path = `${pageOfContract(contractId)}/timesheet`;
    const form = await browser.get(`${path}?week=2026-03-02`);
    const fields = { 'units-2026-03-02': '1,000.5', 'units-2026-03-03': '8' };
    const wrong = await browser.submit(form, path, { ...fields, do: 'check' });
    expect(wrong.status).toBe(422);
    expect(wrong.html).toContain('id="units-2026-03-02-wrong"');
    expect(wrong.text).toContain('Enter a number such as 7.5, 7,5 or 7:30');
    expect(wrong.html).toContain('value="1,000.5"');
    expect((await browser.submit(form, path, { do: 'check' })).text).toContain('Enter the hours of at least one day');
    const tooMuch = await browser.submit(form, path, { 'units-2026-03-03': '25', do: 'send' });
    expect(tooMuch.text).toContain('A day has at most 24 hours.');
    expect(tooMuch.html).toContain('id="units-2026-03-03-wrong"');
    const noHours = { 'units-2026-03-02': '7', 'note-2026-03-03': 'Review', do: 'check' };
    const alone = await browser.submit(form, path, noHours);
    expect(alone).toMatchObject({ status: 422 });
    expect(alone.html).toContain('id="units-2026-03-03-wrong"');
  });

  it('by the piece, more than a thousand at a time, with an error beside a day that does not exist', async () => {
    const worker = await newWorker(system);
    const perPiece = {
      ...hourly('Words', 'EUR', '0'),
      compensation: { type: 'per_task', currency: 'EUR', rate: '0.05' },
    };
    const contractId = await contractIn(system.access(), worker, perPiece, 'active');
    const browser = await joined(worker);
    const path = `${pageOfContract(contractId)}/timesheet`;
    expect((await browser.get(pageOfContract(contractId))).text).toContain('Rate 0.05 EUR per task');
    const form = await browser.get(`${path}?week=2026-03-02`);
    expect(form.text).toContain('Number of tasks');
    const fields = { from: '2026-03-02', to: '2026-03-08', units: '1500' };
    for (const pressed of ['check', 'send']) {
      for (const from of ['', '20266-03-02']) {
        const wrong = await browser.submit(form, path, { ...fields, from, do: pressed });
        expect(wrong).toMatchObject({
          status: 422,
          text: expect.stringContaining('Enter a day that exists') as string,
        });
        expect(wrong.html).toContain('id="from-wrong"');
        expect(wrong.html).toContain('value="1500"');
      }
    }
    const check = await browser.submit(form, path, { ...fields, do: 'check' });
    expect(check.text).toContain('75.00 EUR');
    const sent = await browser.submit(check, path, { do: 'send' });
    expect(sent.status).toBe(303);
    const correct = `${sent.location!}/correct`;
    const correction = await browser.get(correct);
    expect(await browser.submit(correction, correct, { ...fields, to: '' })).toMatchObject({ status: 422 });
    expect(await browser.submit(correction, correct, { ...fields, units: '1600' })).toMatchObject({ status: 303 });
  });
});

describe('the link', () => {
  it('of an earlier invitation, or to an address that has changed since, is invalid', async () => {
    const worker = await newWorker(system);
    const first = await invite(worker);
    // At once it would be the same invitation: a double click.
    expect(await invite(worker)).toBe(first);
    const earlier = "update workspaces.invitation set created_at = created_at - interval '1 min' where worker_id = $1";
    await database.query(earlier, [worker.id]);
    const second = await invite(worker);
    expect(first).not.toBe(second);
    expect((await newBrowser().get(first)).status).toBe(404);
    expect((await newBrowser().get(second)).status).toBe(200);
    const change = 'mutation ($id: ID!, $email: String!) { updateWorker(id: $id, email: $email) { id } }';
    await ask(system.access(), change, { id: worker.id, email: `new-${worker.email}` });
    expect((await newBrowser().get(second)).status).toBe(404);
  });

  it('makes no member a worker, and no worker a member', async () => {
    const worker = await newWorker(system);
    const link = await invite(worker);
    const member = people.member.browser;
    const refused = await member.submit(await member.get(link), link);
    expect(refused.text).toContain('is a member of this workspace already.');
    const browser = newBrowser();
    expect((await browser.submit(await browser.get(link), link, NEWCOMER)).status).toBe(303);
    const invite2 = `/workspaces/${workspace}/members/invite`;
    const fields = { name: 'Wanda', email: `other-${worker.email}`, role: 'viewer', by: 'hand' };
    const admin = people.admin.browser;
    const made = await admin.submit(await admin.get(invite2), invite2, fields);
    const byHand = new URL(/value="([^"]*\/invitations\/[^"]*)"/.exec(made.html)![1]!).pathname;
    expect((await browser.submit(await browser.get(byHand), byHand)).text).toContain(
      'is a worker of this workspace already.',
    );
  });

  it('can be revoked by an admin, and so can the access until the worker has signed', async () => {
    const worker = await newWorker(system);
    const link = await invite(worker);
    const path = `${pageOfWorker(worker)}/end-access`;
    const { browser: admin } = people.admin;
    expect((await admin.submit(await admin.get(path), path)).status).toBe(303);
    expect((await newBrowser().get(link)).status).toBe(404);

    const [contractId, browser] = [await sentContract(worker), await joined(worker)];
    const forms = [await admin.get(path), await admin.get(path)];
    for (const form of forms) expect((await admin.submit(form, path)).status).toBe(303);
    expect((await browser.get(`/work/${workspace}`)).status).toBe(404);

    const again = await joined({ ...worker });
    expect((await admin.get(pageOfWorker(worker))).html).toContain(path);
    const form = await admin.get(path);
    expect((await signs(again, contractId)).status).toBe(303);
    expect((await admin.get(pageOfWorker(worker))).html).not.toContain(path);
    const refused = await admin.submit(form, path);
    expect(refused.text).toContain('The worker has signed with this access');
    expect((await again.get(`/work/${workspace}`)).status).toBe(200);
  });
});

it('taking an invitation back does not end the access of a worker who has accepted it meanwhile', async () => {
  const worker = await newWorker(system);
  const path = `${pageOfWorker(worker)}/end-access`;
  const { browser: admin } = people.admin;
  const link = await invite(worker);
  const form = await admin.get(path);
  const browser = newBrowser();
  expect((await browser.submit(await browser.get(link), link, NEWCOMER)).status).toBe(303);
  const refused = await admin.submit(form, path);
  expect(refused).toMatchObject({ status: 422 });
  expect(refused.text).toContain('The invitation has already been accepted; end the access instead.');
  expect((await browser.get(`/work/${workspace}`)).status).toBe(200);

  const other = await newWorker(system);
  await invite(other);
  const twice = `${pageOfWorker(other)}/end-access`;
  const page = await admin.get(twice);
  const answers = [await admin.submit(page, twice), await admin.submit(page, twice)];
  expect(answers.map(({ status }) => status)).toEqual([303, 303]);
});

it('the client submits the work where the contract leaves it to them, and the worker reads it', async () => {
  const worker = await newWorker(system);
  const more = { invoicingSettings: { timesheetSubmitter: 'client' } };
  const contractId = await contractIn(system.access(), worker, hourly('Translation', 'EUR', '60', more), 'active');
  const browser = await joined(worker);
  expect((await browser.get(`${pageOfContract(contractId)}/timesheet`)).status).toBe(409);
  const { browser: member } = people.member;
  const contract = `/workspaces/${workspace}/contracts/${contractId}`;
  expect((await member.get(contract)).html).toContain(`href="${contract}/timesheet"`);
  const path = `${contract}/timesheet`;
  const form = await member.get(`${path}?week=2026-03-02`);
  const check = await member.submit(form, path, { 'units-2026-03-02': '7:30', do: 'check' });
  expect(check.text).toContain('450.00 EUR');
  const sent = await member.submit(check, path, { do: 'send' });
  expect((await member.get(sent.location!)).text).toContain('Submitted by The business');
  const list = await browser.get(pageOfContract(contractId));
  expect(list.text).toContain('2 Mar 2026');

  const { browser: admin } = people.admin;
  const review = sent.location!;
  const rejected = await admin.submit(await admin.get(review), `${review}/reject`, { reason: 'Less' });
  expect(rejected.status).toBe(303);
  const mine = `/work/${workspace}/timesheets/${review.split('/').at(-1)}`;
  const shown = await browser.get(mine);
  expect(shown.text).toContain('Rejected because Less');
  expect(shown.html).not.toContain(`href="${mine}/correct"`);
  expect((await browser.get('/work')).text).not.toContain('Correct the timesheet');
  expect((await browser.get(`${mine}/correct`)).status).toBe(409);
});

describe('a session of a worker', () => {
  it('opens no page of the workspace and sends none of its forms', async () => {
    const browser = await joined(await newWorker(system));
    const token = formToken(await browser.get(`/work/${workspace}/leave`));
    const routes = Object.keys(pagesOf(sections));
    expect(routes.length).toBeGreaterThan(80);
    for (const route of routes) {
      const [method, pattern = ''] = route.split(' ');
      const path = pattern.replace(':workspaceId', workspace).replaceAll(/:\w+/g, crypto.randomUUID());
      const answer = method === 'GET' ? await browser.get(path) : await browser.post(path, token);
      expect([route, answer.status]).toEqual([route, 404]);
    }
  });

  it('is not a key or token: /v1, /mcp and the internal endpoint refuse it', async () => {
    const browser = await joined(await newWorker(system));
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const secret = browser.cookies.get('session') ?? [...browser.cookies.values()][0]!;
    const { rest, mcp, graphql } = system.stack.file;
    const headers = { cookie, authorization: `Bearer ${secret}`, 'x-workspace-id': workspace };
    expect((await fetch(`${rest.url}/contracts`, { headers })).status).toBe(401);
    expect((await fetch(mcp!.url, { method: 'POST', headers, body: '{}' })).status).toBe(401);
    const body = JSON.stringify({ query: '{ myContracts { id } }' });
    const sent = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body };
    expect(await (await fetch(graphql.url, sent)).text()).toContain('INVALID_CREDENTIAL');
  });

  it('is required for every page of a worker: members get 404, strangers have to sign in', async () => {
    for (const route of Object.keys(workPages)) {
      const [method, pattern = ''] = route.split(' ');
      if (method !== 'GET') continue;
      const path = pattern.replace(':workspaceId', workspace).replaceAll(/:\w+/g, crypto.randomUUID());
      expect([route, (await people.admin.browser.get(path)).status]).toEqual([route, 404]);
      expect([route, (await newBrowser().get(path)).location]).toEqual([route, expect.stringContaining('/sign-in')]);
    }
  });
});

it('members and viewers cannot invite a worker', async () => {
  const worker = await newWorker(system);
  for (const role of ['member', 'viewer'] as const) {
    expect((await people[role].browser.get(`${pageOfWorker(worker)}/invite`)).status).toBe(403);
  }
});
