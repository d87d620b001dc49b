import { randomUUID } from 'node:crypto';
import { Money } from '@payroll/kernel';
import * as operation from './operations.js';
import { BALANCES } from './operations.js';
import { type GraphqlAccess, accessTo, sendGraphql } from './graphql-client.js';
import { Person, type ShownPage } from './person.js';
import { options, runCommand } from '../cli.js';
import { type DemoWorkspace, runningStack } from '../local/stack-file.js';
import { settle } from './seed-payments.js';
import { findWorker } from './steps.js';

class BrokenPromise extends Error {}

/** Runs the demo: sends real requests, prints them with their responses, and stops at the first broken promise. */
class Stage {
  constructor(
    private readonly restUrl: string,
    readonly access: GraphqlAccess,
  ) {}

  title(text: string): void {
    console.log(`\n── ${text}`);
  }

  promise(kept: boolean, sentence: string): void {
    if (!kept) throw new BrokenPromise(`not as promised: ${sentence}`);
    console.log(`  ✓ ${sentence}`);
  }

  async rest(
    key: string,
    method: string,
    path: string,
    status: number,
    body?: object,
    idempotencyKey?: string,
  ): Promise<Record<string, unknown>> {
    const response = await fetch(this.restUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Record<string, unknown>;
    const replayed = response.headers.get('idempotency-replayed') === 'true' ? ' (replayed)' : '';
    console.log(`\n${method} /v1${path}${body ? ` ${JSON.stringify(body)}` : ''}`);
    console.log(`  ${response.status}${replayed} ${JSON.stringify(answer)}`);
    this.promise(response.status === status, `${method} answers ${status}`);
    return answer;
  }

  /** The value of the operation's only field; uses the application's token by default. */
  async graphql<T>(query: string, variables: object, token = this.access.token): Promise<T> {
    console.log(`\nGraphQL ${query.replaceAll(/\s+/g, ' ')} ${JSON.stringify(variables)}`);
    const answer = await sendGraphql({ ...this.access, token }, query, variables);
    console.log(`  ${JSON.stringify(answer)}`);
    if (answer.errors || !answer.data) throw new BrokenPromise('the internal endpoint refused it');
    return Object.values(answer.data)[0] as T;
  }

  /** Opens a page, or sends its form, and prints the title of the page that follows. */
  async page(did: string, shown: Promise<ShownPage>): Promise<ShownPage> {
    const page = await shown;
    const [, title = ''] = /<title>([^<]*)/.exec(page.html) ?? [];
    console.log(`\n${did}\n  ${page.status} ${page.path} ${title}`);
    if (page.status !== 200) throw new BrokenPromise('the page refused it');
    return page;
  }

  /** The workspace's available balance in euros. */
  async available(): Promise<string> {
    const { available } = await this.graphql<{ available: { amount: string; currency: string }[] }>(BALANCES, {});
    return available.find(({ currency }) => currency === 'EUR')?.amount ?? '0';
  }
}

const USAGE = `Usage: npm run demo

Plays the main job against the running system (npm start), printing every request and answer: an integrator drafts a
contract, internal teams send it out, the worker signs it and submits work on their pages, the integrator approves it,
and the payment is there.
Stops with exit code 1 at the first thing that is not as promised.
`;

async function play(): Promise<void> {
  const stack = runningStack();
  if (!stack) throw new BrokenPromise('Nothing runs here: start it in another terminal with  npm start');
  const [workspace] = stack.workspaces ?? [];
  if (!workspace) throw new BrokenPromise('The running system has no demo data: start it with  npm start');
  const stage = new Stage(stack.rest.url, accessTo(stack.graphql, workspace.id));
  const worker = await signIn(stage, stack.app?.url, workspace);
  const contractId = await draftContract(stage, workspace);
  await activate(stage, contractId, worker, workspace);
  const work = await approveWork(stage, contractId, worker, workspace);

  stage.title('The payment is there at the next read');
  const payment = await stage.rest(workspace.apiKeys.admin, 'GET', `/payments/${work.paymentId}`, 200);
  stage.promise(payment['timesheetId'] === work.timesheetId, 'it is the payment of this work');
  stage.promise(payment['scheduledDate'] === '2026-02-16', 'due ten days after the period');
  await settlePayment(stage, worker, { contractId, paymentId: work.paymentId });
  stage.title('All as promised');
}

/** The worker of the demo at their pages. */
interface Worker {
  id: string;
  name: string;
  person: Person;
  /** The path of their pages in the workspace. */
  home: string;
}

async function signIn(stage: Stage, url: string | undefined, { id, users = [] }: DemoWorkspace): Promise<Worker> {
  stage.title('A worker signs in');
  const user = users.find(({ role }) => role === 'worker');
  const found = user && (await findWorker(stage.access, user.email));
  if (!user || !found || url === undefined) throw new BrokenPromise('The demo data has no worker who signs in');
  const person = new Person(url);
  await stage.page(`sign in as ${user.email}`, person.signIn(user.email, user.password));
  return { ...found, person, home: `/work/${id}` };
}

async function draftContract(stage: Stage, { id, apiKeys: { member } }: DemoWorkspace): Promise<string> {
  stage.title('An integrator looks at its workspace and drafts a contract');
  const business = await stage.rest(member, 'GET', '/business', 200);
  stage.promise(business['id'] === id, 'the key opens its own workspace');
  const draft = {
    title: 'Data platform, second phase',
    contractType: 'contractor_payg',
    startDate: '2026-02-01',
    externalReference: `demo-${randomUUID()}`,
    compensation: { type: 'hourly', currency: 'EUR', rate: 92.75 },
    invoicingSettings: { paymentDueDays: 10, autoPayEnabled: false },
  };
  const key = randomUUID();
  const contract = await stage.rest(member, 'POST', '/contracts', 201, draft, key);
  const again = await stage.rest(member, 'POST', '/contracts', 201, draft, key);
  stage.promise(again['id'] === contract['id'], 'the same request again made no second contract');
  return String(contract['id']);
}

async function activate(
  stage: Stage,
  id: string,
  { id: workerId, person, home }: Worker,
  { apiKeys: { member } }: DemoWorkspace,
): Promise<void> {
  stage.title('Internal teams name the worker and send the contract; the worker signs what they read');
  await stage.graphql(operation.ASSIGN_WORKER, { id, workerId });
  for (const step of operation.stepsTo('pending_signature')) await stage.graphql(step, { id });
  await stage.graphql(operation.SIGN_FOR_BUSINESS, { id });
  const path = `${home}/contracts/${id}/sign`;
  const text = await stage.page(`open ${path}`, person.open(path));
  await stage.page('press “Sign this text”', person.send(text, path, {}));
  await stage.graphql(operation.ACTIVATE, { id });
  const active = await stage.rest(member, 'GET', `/contracts/${id}`, 200);
  stage.promise(active['status'] === 'active', 'the contract is active');
}

/** 37.75 hours. */
const HOURS = {
  '2026-02-02': '7.5',
  '2026-02-03': '7,5',
  '2026-02-04': '7:30',
  '2026-02-05': '7.5',
  '2026-02-06': '7:45',
};

/** @returns the id of the timesheet */
async function submitWeek(stage: Stage, contractId: string, { person, home }: Worker): Promise<string> {
  const path = `${home}/contracts/${contractId}/timesheet`;
  const form = await stage.page(`open ${path}`, person.open(`${path}?week=2026-02-02`));
  const hours = Object.fromEntries(Object.entries(HOURS).map(([day, units]) => [`units-${day}`, units]));
  const typed = { ...hours, do: 'check' };
  const check = await stage.page(`type ${Object.values(HOURS).join(', ')}`, person.send(form, path, typed));
  stage.promise(check.html.includes('37.75 hours'), 'the page sums up 37.75 hours before they are sent');
  const sent = await stage.page('press “Submit for review”', person.send(check, path, { do: 'send' }));
  return sent.path.split('?')[0]!.split('/').at(-1)!;
}

async function approveWork(
  stage: Stage,
  contractId: string,
  worker: Worker,
  { apiKeys: { admin, member } }: DemoWorkspace,
): Promise<Record<'timesheetId' | 'paymentId', string>> {
  stage.title('The worker submits a week; the integrator approves what it has seen');
  const timesheetId = await submitWeek(stage, contractId, worker);
  const timesheet = await stage.rest(admin, 'GET', `/timesheets/${timesheetId}`, 200);
  const isExact = JSON.stringify(timesheet['total']).includes('"3501.31"');
  stage.promise(isExact, '92.75 × 37.75 is 3501.31, rounded half-even');
  const expectedVersion = timesheet['version'];
  const approval = `/timesheets/${timesheetId}/approve`;
  await stage.rest(member, 'POST', approval, 403, { expectedVersion }, randomUUID());
  const approved = await stage.rest(admin, 'POST', approval, 200, { expectedVersion }, randomUUID());
  const isApproved = approved['status'] === 'approved' && approved['paymentId'] !== null;
  stage.promise(isApproved, 'approved, and the payment has an id');
  await stage.rest(admin, 'POST', approval, 409, { expectedVersion }, randomUUID());
  return { timesheetId, paymentId: String(approved['paymentId']) };
}

/** The worker's details are verified, two people release the payout, and exactly its amount leaves. */
async function settlePayment(
  stage: Stage,
  worker: Worker,
  ids: Record<'contractId' | 'paymentId', string>,
): Promise<void> {
  stage.title('The money moves');
  const before = await stage.available();
  const [first, second] = stage.access.finance;
  await enterDetails(stage, worker);
  const payout = await stage.graphql<{ id: string }>(operation.REQUEST_PAYOUT, { id: ids.paymentId }, first);
  await stage.graphql(operation.COUNTERSIGN, { id: payout.id }, second);
  await settle(stage.access, ids.paymentId, 'completed');
  await stage.graphql(operation.PAYMENT, { id: ids.paymentId });
  const after = await stage.available();
  const moved = Money.of(before, 'EUR').minus(Money.of(after, 'EUR'));
  stage.promise(moved.amount === '3501.31', `available: ${before} − 3501.31 = ${after} EUR`);
  await stage.graphql(operation.CONTRACT_WITH_PAYMENTS, { id: ids.contractId });
}

/** As the worker; verified by a person of finance, whom the worker told the account by another channel. */
async function enterDetails(stage: Stage, { id: workerId, name, person, home }: Worker): Promise<void> {
  interface Payee {
    id: string;
    version: string;
    verificationStatus: string;
  }
  const read = () => stage.graphql<{ nodes: Payee[] }>(operation.PAYEE_OF, { workerId });
  // An earlier run of the demo has entered them; a change would be on hold for a day.
  if ((await read()).nodes[0]?.verificationStatus === 'verified') return;
  const path = `${home}/payout-details`;
  const destination = 'DE02 1203 0000 0000 2020 51';
  const form = await stage.page(`open ${path}`, person.open(path));
  const typed = { holder: name, payoutMethod: 'bank_transfer', destination };
  await stage.page('enter a bank account', person.send(form, path, typed));
  const [payee] = (await read()).nodes;
  const seen = { id: payee?.id, version: payee?.version, destination };
  await stage.graphql(operation.VERIFY_PAYEE, seen, stage.access.finance[0]);
}

await runCommand('demo', { usage: USAGE, read: options({}), run: play });
