import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { DomainError } from '@payroll/kernel';
import { vi } from 'vitest';
import * as operation from '@payroll/tools/demo/operations';
import { draftOf, MILESTONE_AMOUNTS, type Agreement } from './agreements.js';
import { approveWork, hasRule, newWork, type Deal, type Model, type Work } from './model.js';
import { Chance, exact, plain, smallest } from './money.js';
import type { Workspace } from './workspace.js';

interface Submitted {
  id: string;
  version: string;
}

const RESUBMIT_TIMESHEET = `mutation ($id: ID!, $input: CorrectedWorkInput) {
  resubmitTimesheet(id: $id, input: $input) { id version } }`;
const TIMESHEET = 'query ($id: ID!) { timesheet(id: $id) { id version } }';
const CHANGE_RATE = 'mutation ($id: ID!, $rate: Decimal!) { changeContractTerms(id: $id, rate: $rate) { id } }';
const OFFBOARD = `mutation ($id: ID!, $day: CalendarDate!) { startContractOffboarding(id: $id, endDate: $day) { id } }`;
const COMPLETE = 'mutation ($id: ID!) { completeContract(id: $id) { id } }';
const ADD_MILESTONE = 'mutation ($input: MilestoneInput!) { addMilestone(input: $input) { id } }';
const APPROVE_MILESTONE = `mutation ($id: ID!, $version: String!) {
  approveMilestone(id: $id, expectedVersion: $version) { id paymentId } }`;
const REJECT_MILESTONE = `mutation ($id: ID!, $version: String!) {
  rejectMilestone(id: $id, expectedVersion: $version, reason: "It does not build") { id } }`;
const RESUBMIT_MILESTONE = 'mutation ($id: ID!) { resubmitMilestone(id: $id) { id version } }';
const DEDUCT = `mutation ($id: ID!, $amount: Decimal!) {
  addDeduction(paymentId: $id, name: "tax", amount: $amount) { deductions { id } } }`;
const TAKE_BACK = `mutation ($id: ID!, $deduction: ID!) {
  removeDeduction(paymentId: $id, deductionId: $deduction) { id } }`;

/** The actions of people in the year, applied both to the services and to the model. */
export class Players {
  constructor(
    private readonly workspace: Workspace,
    private readonly model: Model,
    private readonly year: number,
  ) {}

  async agree(agreement: Agreement, seed: number): Promise<Deal> {
    const name = `Worker of ${agreement.title}`;
    const email = `${agreement.title.toLowerCase().replaceAll(' ', '.')}@example.com`;
    const worker = await this.workspace.ask<{ id: string }>(operation.REGISTER_WORKER, { name, email });
    const input = draftOf(agreement, this.year);
    const { id } = await this.workspace.ask<{ id: string }>(operation.CREATE_DRAFT, { input });
    await this.workspace.ask(operation.ASSIGN_WORKER, { id, workerId: worker.id });
    for (const step of operation.stepsTo('active')) await this.workspace.ask(step, { id });
    const deal: Deal = {
      ...agreement,
      ...{ contractId: id, workerId: worker.id, payeeId: null, payeeVersion: null, isVerified: false, hasEnded: false },
      chance: new Chance(seed),
    };
    if (agreement.work === 'milestones') await this.meetMilestones(deal);
    return deal;
  }

  private async meetMilestones(deal: Deal): Promise<void> {
    const { nodes } = await this.workspace.ask<{ nodes: { id: string; title: string }[] }>(operation.MILESTONES_OF, {
      id: deal.contractId,
    });
    for (const { id, title } of nodes.toSorted((a, b) => a.title.localeCompare(b.title))) {
      const amount = MILESTONE_AMOUNTS[Number(title.slice('Stage '.length))]!;
      this.model.works.push(newWork(deal, id, 'pending', exact(amount), null));
    }
  }

  async registerPayee(deal: Deal): Promise<void> {
    const { workerId, destination } = deal;
    type Payee = { id: string; version: string };
    const payee = await this.workspace.ask<Payee>(operation.REGISTER_PAYEE, { workerId, destination });
    deal.payeeId = payee.id;
    deal.payeeVersion = payee.version;
  }

  async verifyPayee(deal: Deal): Promise<void> {
    const seen = { id: deal.payeeId, version: deal.payeeVersion, destination: deal.destination };
    await this.workspace.ask(operation.VERIFY_PAYEE, seen, this.workspace.finance[0]);
    deal.isVerified = true;
  }

  async fund(currency: Deal['currency'], amount: string): Promise<void> {
    await this.workspace.instruct(operation.REQUEST_FUNDING, operation.transferOf(amount, currency));
    this.model.fund(currency, exact(amount));
  }

  /** A period of work: submitted, reviewed, and its payment handled. */
  async workPeriod(deal: Deal, periodStart: string, periodEnd: string): Promise<void> {
    const { contractId, chance } = deal;
    let units = someUnits(chance);
    const input = { contractId, periodStart, periodEnd, unitsWorked: units };
    let submitted = await this.patiently<Submitted>(operation.SUBMIT_TIMESHEET, { input });
    const due = addDays(periodEnd, deal.invoicing.paymentDueDays);
    const work = newWork(deal, submitted.id, 'submitted', this.model.reckon(deal, units), due);
    this.model.works.push(work);
    if (deal.newRate && `${this.year}-${deal.newRate.from}` <= periodEnd && deal.rate !== deal.newRate.rate) {
      submitted = await this.agreeOnRate(deal, submitted);
      work.gross = this.model.reckon(deal, units);
    }
    if (deal.ends && `${this.year}-${deal.ends.from}` <= periodEnd) await this.end(deal, periodEnd);
    if (hasRule(deal)) return;
    if (chance.percent(18)) {
      await this.workspace.ask(operation.REJECT_TIMESHEET, { ...submitted, reason: 'These are other hours' });
      work.status = 'rejected';
      if (deal.hasEnded || chance.percent(25)) return;
      units = someUnits(chance);
      submitted = await this.workspace.ask(RESUBMIT_TIMESHEET, { id: work.id, input: { unitsWorked: units } });
      work.gross = this.model.reckon(deal, units);
    }
    await this.approve(operation.APPROVE_TIMESHEET, submitted, work);
  }

  /** New terms change the version of submitted work, so a version read before them can no longer approve it. */
  private async agreeOnRate(deal: Deal, before: Submitted): Promise<Submitted> {
    deal.rate = deal.newRate!.rate;
    await this.workspace.ask(CHANGE_RATE, { id: deal.contractId, rate: deal.rate });
    const read = (): Promise<Submitted> => this.workspace.ask<Submitted>(TIMESHEET, { id: before.id });
    await vi.waitFor(async () => assert.notEqual((await read()).version, before.version), { timeout: 10_000 });
    const { id, version } = before;
    const late = this.workspace.ask(operation.APPROVE_TIMESHEET, { id, version });
    await assert.rejects(late, { code: 'STALE_RESOURCE_VERSION' });
    return await read();
  }

  private async end(deal: Deal, day: string): Promise<void> {
    const id = deal.contractId;
    if (deal.ends?.by === 'cancellation') await this.workspace.ask(operation.CANCEL_CONTRACT, { id });
    else {
      await this.workspace.ask(OFFBOARD, { id, day });
      await this.workspace.ask(COMPLETE, { id });
    }
    deal.hasEnded = true;
  }

  private async approve(document: string, { id, version }: Submitted, work: Work): Promise<void> {
    const { paymentId } = await this.workspace.ask<{ paymentId: string }>(document, { id, version });
    approveWork(work);
    // A payment that is due at once can no longer be changed.
    if (work.due !== null && work.deal.invoicing.paymentDueDays > 0) await this.seeTo(paymentId, work);
  }

  /** Before it is due, a payment can be reduced or cancelled. */
  private async seeTo(id: string, work: Work): Promise<void> {
    const { chance, currency } = work.deal;
    if (chance.percent(25)) {
      const part = (work.gross * BigInt(1 + chance.below(40))) / 100n;
      const rounded = part - (part % smallest(currency));
      const amount = chance.percent(15) ? work.gross : rounded;
      type Deducted = { deductions: { id: string }[] };
      const { deductions } = await this.workspace.ask<Deducted>(DEDUCT, { id, amount: plain(amount) });
      if (chance.percent(25)) await this.workspace.ask(TAKE_BACK, { id, deduction: deductions[0]!.id });
      else work.deductions.push(amount);
    } else if (chance.percent(8)) {
      await this.workspace.ask(operation.CANCEL_PAYMENT, { id });
      work.payment = 'cancelled';
    }
  }

  /** Submits the oldest open milestone and agrees on one more, so that one is always open. */
  async workMilestone(deal: Deal, n: number): Promise<void> {
    const work = this.model.works.find((each) => each.deal === deal && each.status === 'pending')!;
    const amount = MILESTONE_AMOUNTS[n % MILESTONE_AMOUNTS.length]!;
    const input = { contractId: deal.contractId, title: `Month ${n}`, amount };
    const added = await this.patiently<{ id: string }>(ADD_MILESTONE, { input });
    this.model.works.push(newWork(deal, added.id, 'pending', exact(amount), null));
    let submitted = await this.workspace.ask<Submitted>(operation.SUBMIT_MILESTONE, { id: work.id });
    if (deal.chance.percent(30)) {
      await this.workspace.ask(REJECT_MILESTONE, { id: work.id, version: submitted.version });
      submitted = await this.workspace.ask(RESUBMIT_MILESTONE, { id: work.id });
    }
    await this.approve(APPROVE_MILESTONE, submitted, work);
  }

  async endByDay(deal: Deal, day: string): Promise<void> {
    if (deal.ends && `${this.year}-${deal.ends.from}` === day) await this.end(deal, day);
  }

  /** Review receives contracts by event: it accepts work a moment after the contract has become active. */
  private async patiently<T>(document: string, variables: Record<string, unknown>): Promise<T> {
    for (const giveUpAt = Date.now() + 10_000; ; await pause(100)) {
      try {
        return await this.workspace.ask<T>(document, variables);
      } catch (error) {
        const isEarly = error instanceof DomainError && ['NOT_FOUND', 'INVALID_STATE'].includes(error.code);
        if (!isEarly || Date.now() > giveUpAt) throw error;
      }
    }
  }
}

function someUnits(chance: Chance): string {
  const whole = 21 + chance.below(20);
  return chance.percent(40) ? `${whole}.${1 + chance.below(999)}` : `${whole}`;
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}
