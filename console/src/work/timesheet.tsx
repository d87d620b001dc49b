import { addDays, daysBetween, DomainError, mondayOf, notFound } from '@payroll/kernel';
import {
  type PageResponse,
  Button,
  DefinitionList,
  Form,
  LinkButton,
  OperationId,
  type PageView,
  type Problem,
  queryOf,
  textOf,
} from '@payroll/pages';
import type { VNode } from 'preact';
import type { ConsoleContext } from '../console-context.js';
import { idIn, operationIn, orUnread, requireWorker } from '../workspace-context.js';
import {
  dayText,
  hoursText,
  moneyText,
  periodText,
  TIMESHEET_STATUSES,
  unitOf,
  unitsText,
  workStatus,
} from '../words.js';
import { myContractIn } from './contracts.js';
import {
  correctMyTimesheet,
  type MyTimesheet,
  previewMyWork,
  readMyTimesheet,
  readTimesheetDraft,
  readWorkOfContract,
  readWorkTerms,
  saveTimesheetDraft,
  submitMyTimesheet,
  type WorkTerms,
} from './operations.js';
import { daysIn, problemsOfWork, type Typed, typedAgain, typedIn, WorkFields, workIn } from './timesheet-form.js';
import {
  checkPage,
  emptyWeek,
  lastBefore,
  payDateText,
  submittedText,
  weekIn,
  weekPage,
  weekToSubmit,
} from './week-page.js';

/** The form of a week under a contract. */
async function enter(ctx: ConsoleContext) {
  const { path } = await requireWorker(ctx);
  const contract = await myContractIn(ctx);
  const { myWorkTerms: terms, myTimesheets } = await ctx.run(readWorkOfContract, { id: contract.id, after: null });
  // Where a form was sent, it is shown again with the reason: the contract may have ended while it was filled in.
  if (terms === null || (!terms.maySubmit && !ctx.typed)) throw mayNotSubmit();
  const asked = ctx.typed ? textOf(ctx.typed, 'week') : ctx.query('week');
  const [newestDay] = myTimesheets.map(({ periodEnd }) => periodEnd).toSorted((a, b) => (a < b ? 1 : -1));
  const shown = weekIn(asked, terms);
  const monday = asked === undefined && terms.isHourly ? weekToSubmit(shown, newestDay, terms.firstDay) : shown;
  const address = `${path}/contracts/${contract.id}`;
  const form = {
    monday,
    days: daysIn(monday, terms, ctx.typed),
    terms,
    address,
    title: contract.title,
    draft: ctx.typed ? textOf(ctx.typed, 'draft') : '',
  };
  const earlier = lastBefore(form, myTimesheets);
  const sunday = addDays(monday, 6);
  const submitted = myTimesheets
    .filter(({ status, ...of }) => status !== 'rejected' && of.periodStart <= sunday && of.periodEnd >= monday)
    .map(({ id, periodStart, periodEnd }) => (
      <a key={id} href={`${path}/timesheets/${id}`}>
        {periodText(periodStart, periodEnd)}
      </a>
    ));
  return { ...form, path, contract, earlier, hasEarlier: earlier !== undefined, submitted };
}

function mayNotSubmit(): DomainError {
  const message =
    'You cannot submit work under this contract now: it is not active or has no rate, or the business submits it.';
  return new DomainError('INVALID_STATE', message);
}

type Week = Awaited<ReturnType<typeof enter>>;

export async function showWeek(ctx: ConsoleContext): Promise<PageView> {
  const week = await enter(ctx);
  if (ctx.typed) return weekPage(week, typedIn(ctx.typed, week.days));
  if (ctx.query('copy') === 'last') return weekPage(week, copied(week));
  const saved = await draftOf(week, ctx);
  if (saved === null) return weekPage(week, emptyWeek(week));
  const typed = JSON.parse(saved.fields) as Typed;
  return weekPage({ ...week, draft: saved.version, days: daysIn(week.monday, week.terms, { body: typed }) }, typed);
}

async function draftOf({ contract, monday }: Week, ctx: ConsoleContext) {
  return (await ctx.run(readTimesheetDraft, { id: contract.id, firstDay: monday })).myTimesheetDraft;
}

/** An earlier timesheet, moved to this week by whole weeks. Nothing is saved by looking at it. */
function copied({ earlier: last, monday, days }: Week): Typed {
  if (last === undefined) return {};
  if (days.length === 0) return { from: monday, to: addDays(monday, 6), units: last.unitsWorked };
  const moved = (day: string): string => addDays(monday, daysBetween(mondayOf(day), day));
  return typedAgain((last.entries ?? []).map((entry) => ({ ...entry, day: moved(entry.day) })));
}

/** Saves what was typed, shows it in words, or submits it, by the button that was pressed. */
export async function sendWeek(ctx: ConsoleContext): Promise<PageResponse> {
  const week = await enter(ctx);
  const { contract, days, monday } = week;
  const typed = typedIn(ctx, days);
  const pressed = textOf(ctx, 'do');
  const { id } = contract;
  if (pressed === 'save') return await saveWeek(week, typed, ctx);
  try {
    const input = workIn(typed, days);
    if (pressed !== 'send') return checkPage(week, typed, input, (await ctx.run(previewMyWork, { id, input })).preview);
    const { submitMyTimesheet: made } = await ctx.mutate(
      submitMyTimesheet,
      { id, input, draftOf: monday, draftVersion: week.draft },
      operationIn(ctx),
    );
    return { to: `${week.path}/timesheets/${made.id}`, notice: submittedText(week.terms) };
  } catch (error) {
    return { ...weekPage(week, typed), problems: problemsOfWork(error, typed, days) };
  }
}

async function saveWeek(week: Week, typed: Typed, ctx: ConsoleContext): Promise<PageResponse> {
  const { address, contract, monday, draft: expectedVersion } = week;
  const given = { id: contract.id, firstDay: monday, fields: JSON.stringify(typed), expectedVersion };
  try {
    await ctx.mutate(saveTimesheetDraft, given, operationIn(ctx));
  } catch (error) {
    if (error instanceof DomainError && error.code === 'STALE_RESOURCE_VERSION') {
      const draft = (await draftOf(week, ctx))?.version ?? '';
      return { ...weekPage({ ...week, draft }, typed), problems: [SAVED_ELSEWHERE], status: 409 };
    }
    if (!(error instanceof DomainError && error.code === 'VALIDATION_FAILED')) throw error;
    return { ...weekPage(week, typed), problems: [TOO_LONG] };
  }
  return { to: `${address}/timesheet${queryOf({ week: monday })}`, notice: 'The draft is saved. Only you see it.' };
}

const SAVED_ELSEWHERE: Problem = {
  field: null,
  message:
    'Another draft of this week was saved since you opened this page. What you typed is still here; saving it now replaces that draft',
};

const TOO_LONG: Problem = {
  field: null,
  message: 'This is too long to be saved as a draft, and was not saved. Shorten the notes',
};

/** @throws DomainError `NOT_FOUND` for a timesheet of another worker */
async function myTimesheetIn(ctx: ConsoleContext): Promise<MyTimesheet> {
  const { myTimesheet } = await ctx.run(readMyTimesheet, { id: idIn(ctx) });
  if (myTimesheet === null) throw notFound('The timesheet');
  return myTimesheet;
}

const CORRECTABLE: ReadonlySet<string> = new Set(['submitted', 'rejected']);

export async function myTimesheetPage(ctx: ConsoleContext): Promise<PageView> {
  const { path } = await requireWorker(ctx);
  const timesheet = await myTimesheetIn(ctx);
  const { id, contractId, status, rejectionReason, submittedBy } = timesheet;
  const terms = (await orUnread(ctx.run(readWorkTerms, { id: contractId })))?.myWorkTerms;
  const mayCorrect = CORRECTABLE.has(status) && terms?.maySubmit;
  const payment = timesheet.paymentStatus === null ? null : { status: timesheet.paymentStatus };
  const body = (
    <>
      <DefinitionList
        of={{
          Status: workStatus(TIMESHEET_STATUSES, status, payment),
          'Rejected because': rejectionReason,
          Work: unitsText(timesheet.unitsWorked, unitOf(terms?.compensationType)),
          Total: moneyText(timesheet.total),
          'Pay date': payDateOf(timesheet, terms),
          'Submitted by': submittedBy && (submittedBy === 'worker' ? 'You' : 'The business'),
        }}
      />
      {timesheet.entries && <Days of={timesheet.entries} />}
      <p class="actions">
        {mayCorrect && <LinkButton href={`${path}/timesheets/${id}/correct`}>Correct it</LinkButton>}
        <a href={`${path}/contracts/${contractId}`}>Open the contract</a>
      </p>
    </>
  );
  return { title: `Timesheet ${periodText(timesheet.periodStart, timesheet.periodEnd)}`, body };
}

/** Without the terms, which review could not read, only the day. */
function payDateOf({ status, paymentScheduledDate }: MyTimesheet, terms: WorkTerms | null | undefined): string | null {
  if (status === 'rejected') return null;
  return status === 'approved' || !terms ? dayText(paymentScheduledDate) : payDateText(paymentScheduledDate, terms);
}

/** The work by day. */
function Days({ of }: { of: NonNullable<MyTimesheet['entries']> }): VNode {
  return (
    <dl class="facts">
      {of.map(({ day, units, note }) => (
        <>
          <dt>{dayText(day)}</dt>
          <dd>
            {unitsText(units, 'hour')}
            {note && <p class="hint">{note}</p>}
          </dd>
        </>
      ))}
    </dl>
  );
}

async function enterCorrection(ctx: ConsoleContext) {
  const { path } = await requireWorker(ctx);
  const timesheet = await myTimesheetIn(ctx);
  if (!CORRECTABLE.has(timesheet.status)) {
    throw new DomainError('INVALID_STATE', 'The work has been approved meanwhile and stays as it is.');
  }
  const { myWorkTerms: terms } = await ctx.run(readWorkTerms, { id: timesheet.contractId });
  if (terms === null) throw notFound('The contract');
  const work = typedOf(timesheet, terms);
  const typed = ctx.typed ?? { body: work };
  const days = timesheet.entries === null ? [] : daysIn(mondayOf(timesheet.periodStart), terms, typed);
  const unit = unitOf(terms.compensationType);
  return {
    path,
    timesheet,
    work,
    days,
    unit,
    maySubmit: terms.maySubmit,
    address: `${path}/timesheets/${timesheet.id}`,
  };
}

type Correction = Awaited<ReturnType<typeof enterCorrection>>;

export async function showCorrection(ctx: ConsoleContext): Promise<PageView> {
  const correction = await enterCorrection(ctx);
  const { work, days, maySubmit } = correction;
  // Only for a new form: one that is sent after the contract has ended is refused by the service, and keeps what was typed.
  if (!maySubmit) throw mayNotSubmit();
  return correctionPage(correction, ctx.typed ? typedIn(ctx.typed, days) : work);
}

/** Only hours are typed as minutes: a third of a month is no 0:20. */
function typedOf({ entries, periodStart, periodEnd, unitsWorked }: MyTimesheet, { isHourly }: WorkTerms): Typed {
  if (entries !== null) return typedAgain(entries);
  return { from: periodStart, to: periodEnd, units: isHourly ? hoursText(unitsWorked) : unitsWorked };
}

export async function sendCorrection(ctx: ConsoleContext): Promise<PageResponse> {
  const correction = await enterCorrection(ctx);
  const { timesheet, days, address } = correction;
  const typed = typedIn(ctx, days);
  try {
    const given = { id: timesheet.id, expectedVersion: textOf(ctx, 'version'), input: workIn(typed, days) };
    await ctx.mutate(correctMyTimesheet, given, operationIn(ctx));
  } catch (error) {
    if (error instanceof DomainError && error.code === 'STALE_RESOURCE_VERSION') {
      return { ...correctionPage(correction, typed), problems: [CHANGED], status: 409 };
    }
    return { ...correctionPage(correction, typed), problems: problemsOfWork(error, typed, days) };
  }
  return { to: address, notice: 'Submitted again for review.' };
}

const CHANGED: Problem = {
  field: null,
  message: 'The timesheet has changed since you opened it. What you typed is still here; check it, then send it again',
};

function correctionPage({ timesheet, days, unit, address }: Correction, typed: Typed): PageView {
  const { version, rejectionReason, periodStart, periodEnd } = timesheet;
  const body = (
    <>
      <DefinitionList of={{ 'Rejected because': rejectionReason }} />
      <Form>
        <OperationId />
        <input type="hidden" name="version" value={version} />
        <WorkFields days={days} typed={typed} unit={unit} />
        <div class="actions">
          <Button>Submit again</Button>
          <a href={address}>Leave it as it is</a>
        </div>
      </Form>
    </>
  );
  return { title: 'Correct the timesheet', lead: periodText(periodStart, periodEnd), body };
}
