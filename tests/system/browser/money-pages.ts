import assert from 'node:assert/strict';
import { dayOf, newId } from '@payroll/kernel';
import { vi } from 'vitest';
import type { Browser, Page } from '../../../services/workspaces/test/pages/browser.js';
import { ask, instruct } from '@payroll/tools/demo/graphql-client';
import { REQUEST_FUNDING, transferOf, VERIFY_PAYEE } from '@payroll/tools/demo/operations';
import { payTo } from '@payroll/tools/demo/seed-payments';
import { contractIn, hourly, registerWorker, type Worker } from '@payroll/tools/demo/steps';
import { ownerOf } from '../owner.js';
import { submittedTimesheet, type System } from '../support.js';

export const today = dayOf(new Date());
/** Due days so large that no payment falls due during a test. */
export const LATER = 400;
export const IBAN = 'DE89 3704 0044 0532 0130 00';

export interface Terms {
  days: number;
  auto: boolean;
  currency?: string;
}

interface Approved {
  contractId: string;
  paymentId: string;
  /** The paths of its page, and of the page of its work. */
  payment: string;
  address: string;
}

/** The first workspace's pages about money, as its admin sees them, and the actions of others behind them. */
export class MoneyPages {
  constructor(
    readonly system: System,
    readonly admin: Browser,
  ) {}

  readonly room = (path: string): string => `/workspaces/${this.system.workspaces[0].id}${path}`;

  readonly contract = async (worker: Worker, { days, auto, currency = 'EUR' }: Terms): Promise<string> => {
    const invoicingSettings = { paymentDueDays: days, autoPayEnabled: auto };
    const input = hourly(`Of ${newId()}`, currency, '50', { invoicingSettings });
    return await contractIn(this.system.access(), worker, input, 'active');
  };

  readonly newWorker = (): Promise<Worker> => registerWorker(this.system.access(), `Wim ${newId()}`, 'people.example');

  readonly payable = async (destination = IBAN): Promise<Worker> => {
    const worker = await this.newWorker();
    await payTo(this.system.access(), worker.id, destination);
    return worker;
  };

  /** An admin changes the account on the page, finance verifies it, and the hold of a change is over. */
  readonly correct = async (workerId: string, destination: string): Promise<void> => {
    const details = this.room(`/workers/${workerId}/payout-details`);
    const entered = { payoutMethod: 'bank_transfer', destination };
    await this.send(details, entered);
    const payee = await this.payeeOf(workerId);
    const access = this.system.access();
    await ask({ ...access, token: access.finance[0] }, VERIFY_PAYEE, { ...payee, destination });
    await using owner = await ownerOf(this.system);
    await owner.database.query(
      `update payments.payee set held_until = held_until - interval '24 h' where worker_id = $1`,
      [workerId],
    );
  };

  readonly payeeOf = async (workerId: string): Promise<{ id: string; version: string }> => {
    const query = 'query ($id: ID!) { payees(workerId: $id) { nodes { id version } } }';
    const { nodes } = await this.system.graphql<{ nodes: { id: string; version: string }[] }>(query, { id: workerId });
    return nodes[0]!;
  };

  /** Sends the form of an act as one that was opened before the page stopped offering it. */
  readonly forced = async (paymentId: string, act: 'pay' | 'retry'): Promise<number> => {
    const path = this.room(`/payments/${paymentId}/${act}`);
    const query = 'query ($id: ID!) { payment(id: $id) { updatedAt } }';
    const { updatedAt } = await this.system.graphql<{ updatedAt: string }>(query, { id: paymentId });
    const [, token = ''] = /name="form_token" value="([^"]*)"/.exec((await this.admin.get(path)).html) ?? [];
    const drawn = { form_token: token, operation_id: newId(), version: updatedAt };
    return (await this.admin.post(path, drawn)).status;
  };

  readonly fund = (amount: string, currency = 'EUR'): Promise<unknown> =>
    instruct(this.system.access(), REQUEST_FUNDING, transferOf(amount, currency));

  readonly statusOf = async (paymentId: string): Promise<string> => {
    const query = 'query ($id: ID!) { payment(id: $id) { status } }';
    return (await this.system.graphql<{ status: string }>(query, { id: paymentId })).status;
  };

  readonly becomes = (paymentId: string, status: string): Promise<void> =>
    vi.waitFor(async () => assert.equal(await this.statusOf(paymentId), status), 20_000);

  readonly leavesPending = (paymentId: string): Promise<void> =>
    vi.waitFor(async () => assert.notEqual(await this.statusOf(paymentId), 'pending'), 20_000);

  /** @returns the payment's id */
  readonly approve = async (page: Page, address: string): Promise<string> => {
    assert.equal((await this.admin.submit(page, `${address}/approve`)).status, 303);
    const { html } = await this.admin.get(address);
    return /\/payments\/([0-9a-f-]{36})"/.exec(html)![1]!;
  };
  /** Ten hours under a new contract with these terms, approved on their page. */
  readonly approved = async (worker: Worker, terms: Terms): Promise<Approved> => {
    const contractId = await this.contract(worker, terms);
    const { id } = await submittedTimesheet(this.system.access(), contractId);
    const address = this.room(`/review/timesheet/${id}`);
    const paymentId = await this.approve(await this.admin.get(address), address);
    return { contractId, paymentId, payment: this.room(`/payments/${paymentId}`), address };
  };

  /** Opens the form at the path and sends it, which succeeds. */
  readonly send = async (path: string, fields: Record<string, string> = {}): Promise<void> => {
    const { status, text } = await this.admin.submit(await this.admin.get(path), path, fields);
    assert.equal(status, 303, text);
  };
}
