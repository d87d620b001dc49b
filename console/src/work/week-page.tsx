import { addDays, dayOf, daysBetween, isCalendarDate, mondayOf } from '@payroll/kernel';
import { Button, DefinitionList, Form, OperationId, type PageView, queryOf } from '@payroll/pages';
import type { VNode } from 'preact';
import { dayText, moneyText, periodText, unitOf, unitsText } from '../words.js';
import type { Entered, MyTimesheet, WorkPreview, WorkTerms } from './operations.js';
import { KeptFields, type Typed, WorkFields } from './timesheet-form.js';

/** The timesheet of a week under a contract, as its worker or the client fills it in. */
interface WeekForm {
  monday: string;
  /** The days with fields; none where work is entered as one number. */
  days: readonly string[];
  terms: WorkTerms;
  /** The path of the contract's page, below which the form stands. */
  address: string;
  /** The contract's title. */
  title: string;
  /** The version of the draft that the page began with, '' for none; null where no drafts are kept. */
  draft: string | null;
  /** Whether there is a timesheet to copy. */
  hasEarlier: boolean;
  /** Links to the timesheets that cover days of the week. */
  submitted?: readonly VNode[];
}

/** Ten years. At the ends of the calendar the week before or after a week cannot be written as a date. */
const MOST_DAYS_APART = 3_652;

/** The week that the address names by any of its days, as its Monday; else the one of today, or the nearest of the contract. */
export function weekIn(
  asked: string | undefined,
  { firstDay, lastDay }: Pick<WorkTerms, 'firstDay' | 'lastDay'>,
  today: string = dayOf(new Date()),
): string {
  const isShown = (day: string): boolean => Math.abs(daysBetween(today, day)) <= MOST_DAYS_APART;
  if (asked !== undefined && isCalendarDate(asked) && isShown(asked)) return mondayOf(asked);
  const nearest =
    lastDay !== null && lastDay < today ? lastDay : firstDay !== null && firstDay > today ? firstDay : today;
  return mondayOf(isShown(nearest) ? nearest : today);
}

/** A week that was not submitted for longer than this has other reasons. */
const WEEKS_BACK = 4;

/** The week after the newest submitted day, up to the current one. A week between two submitted ones may be one without work. */
export function weekToSubmit(current: string, newestDay: string | undefined, firstDay: string | null): string {
  const next = newestDay === undefined ? firstDay : addDays(newestDay, 7);
  const earliest = addDays(current, -7 * WEEKS_BACK);
  if (next === null || next >= current) return current;
  return mondayOf(next < earliest ? earliest : next);
}

/** The newest timesheet of an earlier week whose work can be moved to this one. */
export function lastBefore<Work extends Pick<MyTimesheet, 'periodEnd' | 'entries'>>(
  { monday, days }: Pick<WeekForm, 'monday' | 'days'>,
  newest: readonly Work[],
): Work | undefined {
  return newest.find(({ periodEnd, entries }) => periodEnd < monday && (entries !== null || days.length === 0));
}

export function emptyWeek({ monday, days }: WeekForm): Typed {
  return days.length > 0 ? {} : { from: monday, to: addDays(monday, 6) };
}

export function weekPage(form: WeekForm, typed: Typed): PageView {
  const { address, title, days, monday, terms, draft, hasEarlier, submitted = [] } = form;
  const to = (week: string, more = {}): string => `${address}/timesheet${queryOf({ week, ...more })}`;
  const current = mondayOf(dayOf(new Date()));
  const body = (
    <>
      <p class="actions">
        <a href={to(addDays(monday, -7))}>Previous week</a>
        <a href={to(addDays(monday, 7))}>Next week</a>
        {hasEarlier && <a href={to(monday, { copy: 'last' })}>Copy the last timesheet</a>}
        {monday !== current && <a href={to(current)}>This week</a>}
      </p>
      {submitted.length > 0 && <p>Submitted for this week: {submitted.map((link, n) => [n > 0 && ', ', link])}</p>}
      {terms.isHourly && days.length === 0 ? (
        <p>The contract has no days in this week.</p>
      ) : (
        <Form action={`${address}/timesheet`} isLong>
          <OperationId />
          <input type="hidden" name="week" value={monday} />
          <DraftField of={draft} />
          <WorkFields days={days} typed={typed} unit={unitOf(terms.compensationType)} />
          <div class="actions">
            <Button name="do" value="check">
              Continue
            </Button>
            {draft !== null && <SaveDraft />}
            <a href={address}>Back</a>
          </div>
        </Form>
      )}
    </>
  );
  const lead = `${title}, ${periodText(monday, addDays(monday, 6))}`;
  return { title: 'Submit a timesheet', lead, crumbs: [{ label: title, path: address }], body };
}

/** The work in words, before it is sent. */
export function checkPage(
  { address, title, monday, terms, draft }: WeekForm,
  typed: Typed,
  { periodStart, periodEnd }: Entered,
  { unitsWorked, total, paymentScheduledDate }: WorkPreview,
): PageView {
  const body = (
    <>
      <DefinitionList
        of={{
          Period: periodText(periodStart, periodEnd),
          Work: unitsText(unitsWorked, unitOf(terms.compensationType)),
          Total: moneyText(total),
          'Pay date': payDateText(paymentScheduledDate, terms),
        }}
      />
      <Form action={`${address}/timesheet`}>
        <OperationId />
        <input type="hidden" name="week" value={monday} />
        <DraftField of={draft} />
        <KeptFields typed={typed} />
        <div class="actions">
          <Button name="do" value="send">
            {terms.timesheetApprovalRequired ? 'Submit for review' : 'Submit'}
          </Button>
          {draft !== null && <SaveDraft />}
        </div>
      </Form>
    </>
  );
  const crumbs = [{ label: title, path: address }];
  return { title: 'Is this right?', lead: 'Nothing has been sent yet.', crumbs, body };
}

type PayTerms = Pick<WorkTerms, 'autoPayEnabled' | 'timesheetApprovalRequired'>;

/** For work that is not approved. */
export function payDateText(scheduled: string, { autoPayEnabled, timesheetApprovalRequired }: PayTerms): string {
  const isPast = scheduled <= dayOf(new Date());
  if (!autoPayEnabled) return isPast ? 'When the business pays it' : `${dayText(scheduled)}, when the business pays it`;
  if (!timesheetApprovalRequired) return isPast ? 'As soon as it is submitted' : dayText(scheduled);
  return isPast ? 'As soon as it is approved' : `${dayText(scheduled)}, once it is approved`;
}

/** After its submission. */
export function submittedText({ timesheetApprovalRequired }: Pick<PayTerms, 'timesheetApprovalRequired'>): string {
  return timesheetApprovalRequired
    ? 'Submitted for review.'
    : 'Submitted. It is approved by itself, as the contract says.';
}

function DraftField({ of }: { of: string | null }) {
  return of === null ? null : <input type="hidden" name="draft" value={of} />;
}

function SaveDraft() {
  return (
    <Button look="quiet" name="do" value="save">
      Save as a draft
    </Button>
  );
}
