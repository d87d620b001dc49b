import assert from 'node:assert/strict';
import type { ErrorCode, PaymentStatus, TimesheetStatus } from '@payroll/kernel';
import { approveTimesheet, rejectTimesheet } from '../src/commands/review-timesheet.js';
import { resubmitTimesheet, submitTimesheet } from '../src/commands/submit-timesheet.js';
import type { Timesheet } from '../src/store/views.js';
import { versionOf } from '../src/domain/work.js';
import { outcomeOf, PAYMENT_EVENTS } from './model.js';
import type { Review } from './review.js';
import type { Workspace } from './workspace.js';

/** Rate in cents per unit: the model calculates with integers, the product with decimals. */
interface Terms {
  revision: number;
  cents: bigint;
  dueDays: number;
}

interface Sheet {
  id: string;
  day: number;
  units: bigint;
  status: TimesheetStatus;
  /** All versions so far, newest last. */
  versions: string[];
  cents: bigint;
  dueDays: number;
  paymentId: string | null;
  payment: { status: PaymentStatus; sequence: number } | null;
}

export type Step =
  | { do: 'submit'; day: number; units: bigint }
  | { do: 'resubmit'; sheet: number; day: number; units: bigint }
  | { do: 'approve' | 'reject'; sheet: number; stale: boolean }
  | { do: 'terms'; revision: number; cents: bigint; dueDays: number }
  | { do: 'payment'; sheet: number; event: number };

class Model {
  terms: Terms = { revision: 1, cents: 5_000n, dueDays: 14 };
  readonly sheets: Sheet[] = [];
  approvals = 0;

  isTaken(onDay: number, by?: Sheet): boolean {
    return this.sheets.some(
      (each) => each !== by && each.day === onDay && each.status !== 'rejected' && each.payment?.status !== 'cancelled',
    );
  }

  refusalOf(of: Sheet, stale: boolean, from: TimesheetStatus): ErrorCode | null {
    if (stale) return 'STALE_RESOURCE_VERSION';
    return of.status === from ? null : 'INVALID_STATE';
  }

  touch(of: Sheet): void {
    of.versions.push(versionOf(of.id, of.versions.length + 1));
  }
}

function amountOf(cents: bigint): string {
  return `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
}

const dayOf = (onDay: number): string => `2027-03-0${onDay}`;

/** Applies steps to the service and to a simple model of it, and compares the results. */
export class TimesheetRun {
  readonly model = new Model();

  constructor(
    private readonly review: Review,
    readonly at: Workspace,
    readonly contractId: string,
  ) {}

  async take(taken: Step): Promise<void> {
    switch (taken.do) {
      case 'submit':
        return await this.submit(taken);
      case 'terms':
        return await this.changeTerms(taken);
      case 'resubmit':
      case 'approve':
      case 'reject':
      case 'payment': {
        const of = this.model.sheets[taken.sheet];
        if (!of) return;
        if (taken.do === 'resubmit') return await this.resubmit(of, taken);
        return taken.do === 'payment' ? await this.tell(of, taken.event) : await this.decide(of, taken.do, taken.stale);
      }
      default:
        throw new Error(`Unexpected: ${JSON.stringify(taken satisfies never)}`);
    }
  }

  private async submit({ day: onDay, units: worked }: { day: number; units: bigint }): Promise<void> {
    const { model, contractId } = this;
    const period = { periodStart: dayOf(onDay), periodEnd: dayOf(onDay) };
    const input = { contractId, ...period, unitsWorked: String(worked) };
    const { result, code } = await outcomeOf(this.review.commands.run(submitTimesheet, input, this.at.application));
    assert.equal(code, model.isTaken(onDay) ? 'VALIDATION_FAILED' : null);
    if (!result) return;
    const { cents, dueDays } = model.terms;
    const kept = { id: result.id, day: onDay, units: worked, cents, dueDays };
    model.sheets.push({
      ...kept,
      status: 'submitted',
      versions: [versionOf(result.id, 1)],
      paymentId: null,
      payment: null,
    });
  }

  private async resubmit(of: Sheet, { day: onDay, units: worked }: { day: number; units: bigint }): Promise<void> {
    const { model } = this;
    const input = { id: of.id, periodStart: dayOf(onDay), periodEnd: dayOf(onDay), unitsWorked: String(worked) };
    const { code } = await outcomeOf(this.review.commands.run(resubmitTimesheet, input, this.at.application));
    const refusal = of.status !== 'rejected' ? 'INVALID_STATE' : model.isTaken(onDay, of) ? 'VALIDATION_FAILED' : null;
    assert.equal(code, refusal);
    if (code) return;
    Object.assign(of, { ...model.terms, status: 'submitted', day: onDay, units: worked });
    model.touch(of);
  }

  private async decide(of: Sheet, decision: 'approve' | 'reject', isStale: boolean): Promise<void> {
    const { model, at } = this;
    const stale = isStale && of.versions.length > 1;
    const input = { id: of.id, expectedVersion: of.versions.at(stale ? -2 : -1)! };
    const decided: Promise<Timesheet> =
      decision === 'approve'
        ? this.review.commands.run(approveTimesheet, input, at.admin)
        : this.review.commands.run(rejectTimesheet, { ...input, reason: 'No' }, at.admin);
    const { result, code } = await outcomeOf(decided);
    assert.equal(code, model.refusalOf(of, stale, 'submitted'));
    if (!result) return;
    of.status = decision === 'approve' ? 'approved' : 'rejected';
    of.paymentId = result.paymentId;
    if (decision === 'approve') model.approvals += 1;
    model.touch(of);
  }

  private async changeTerms({ revision, cents, dueDays }: Terms): Promise<void> {
    const { model, contractId } = this;
    await this.at.termsChanged({ contractId, revision, rate: amountOf(cents), paymentDueDays: dueDays });
    if (revision <= model.terms.revision) return;
    model.terms = { revision, cents, dueDays };
    for (const each of model.sheets) {
      if (each.status !== 'submitted' || (each.cents === cents && each.dueDays === dueDays)) continue;
      Object.assign(each, { cents, dueDays });
      model.touch(each);
    }
  }

  private async tell(of: Sheet, index: number): Promise<void> {
    const paymentId = of.paymentId;
    if (paymentId === null) return;
    const [status, sequence] = PAYMENT_EVENTS[index]!;
    const source = { sourceType: 'timesheet', sourceId: of.id, paymentId } as const;
    await this.at.paymentTold(this.at.payment(source, status, sequence));
    if (sequence > (of.payment?.sequence ?? 0)) of.payment = { status, sequence };
  }

  async compare(): Promise<void> {
    const { model, at } = this;
    const rows = await at.rows<Record<string, unknown> & { id: string }>('timesheet');
    const found = Object.fromEntries(rows.map((row) => [row.id, row]));
    const rate = (each: Sheet): string => amountOf(each.cents);
    assert.equal(rows.length, model.sheets.length);
    for (const each of model.sheets) {
      assert.partialDeepStrictEqual(found[each.id], {
        status: each.status,
        revision: each.versions.length,
        period_start: dayOf(each.day),
        units_worked: String(each.units),
        rate: rate(each),
        total: amountOf(each.cents * each.units),
        payment_scheduled_date: each.dueDays === 0 ? dayOf(each.day) : `2027-03-${each.day + 14}`,
        payment_id: each.paymentId,
        payment_status: each.payment?.status ?? (each.paymentId && 'pending'),
        rejection_reason: each.status === 'rejected' ? 'No' : null,
      });
    }
    assert.equal((await at.eventsForPayments()).length, model.approvals);
    const versions = model.sheets.reduce((sum, each) => sum + each.versions.length, 0);
    assert.equal((await at.rows('audit_entry')).length, versions);
  }
}
