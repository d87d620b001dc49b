import { DomainError, notFound } from '@payroll/kernel';
import { type PageResponse, type PageView, textOf } from '@payroll/pages';
import type { ConsoleContext } from '../../console-context.js';
import { graphql, ONCE, SENT } from '../../operations.js';
import type { RouteTable } from '../../routes.js';
import { EDITORS, operationIn, idIn, requireRole } from '../../workspace-context.js';
import { WORK_PREVIEW, WORK_TERMS } from '../../work/operations.js';
import { daysIn, problemsOfWork, typedIn, workIn } from '../../work/timesheet-form.js';
import { checkPage, emptyWeek, submittedText, weekIn, weekPage } from '../../work/week-page.js';

const readTerms = graphql(`
  query termsOfWork($id: ID!) {
    contract(id: $id) { id title }
    workTerms(contractId: $id) { ${WORK_TERMS} }
  }`);

const previewWork = graphql(`
  query workPreview($id: ID!, $input: EnteredWorkInput!) {
    preview: workPreview(contractId: $id, input: $input) { ${WORK_PREVIEW} }
  }`);

const submitForClient = graphql(`
  mutation submitTimesheetForClient($id: ID!, $input: EnteredWorkInput!, ${ONCE}) {
    submitTimesheetForClient(contractId: $id, input: $input, ${SENT}) { id }
  }`);

const PATH = '/workspaces/:workspaceId/contracts/:id/timesheet';

/** Where the contract leaves it to the client, admins and members submit the work of its worker. */
export const submitTimesheetPages: RouteTable = {
  [`GET ${PATH}`]: show,
  [`POST ${PATH}`]: send,
};

async function enter(ctx: ConsoleContext) {
  const { run, mutate, path, home } = await requireRole(ctx, EDITORS);
  const { contract, workTerms: terms } = await run(readTerms, { id: idIn(ctx) });
  if (contract === null) throw notFound('The contract');
  // Where a form was sent, it is shown again with the reason: the contract may have ended while it was filled in.
  if (terms === null || (!terms.maySubmit && !ctx.typed)) throw mayNotSubmit();
  const monday = weekIn(ctx.typed ? textOf(ctx.typed, 'week') : ctx.query('week'), terms);
  const form = {
    monday,
    days: daysIn(monday, terms, ctx.typed),
    terms,
    address: `${path}/${contract.id}`,
    title: contract.title,
  };
  return { ...form, draft: null, hasEarlier: false, run, mutate, home, contract };
}

function mayNotSubmit(): DomainError {
  const message =
    'No work can be submitted here now: the contract is not active or has no rate, or the worker submits the work.';
  return new DomainError('INVALID_STATE', message);
}

async function show(ctx: ConsoleContext): Promise<PageView> {
  const week = await enter(ctx);
  return weekPage(week, ctx.typed ? typedIn(ctx.typed, week.days) : emptyWeek(week));
}

async function send(ctx: ConsoleContext): Promise<PageResponse> {
  const week = await enter(ctx);
  const { days, contract, run, mutate, home } = week;
  const typed = typedIn(ctx, days);
  try {
    const input = workIn(typed, days);
    if (textOf(ctx, 'do') !== 'send') {
      return checkPage(week, typed, input, (await run(previewWork, { id: contract.id, input })).preview);
    }
    const { submitTimesheetForClient: made } = await mutate(
      submitForClient,
      { id: contract.id, input },
      operationIn(ctx),
    );
    return { to: `${home}/review/timesheet/${made.id}`, notice: submittedText(week.terms) };
  } catch (error) {
    return { ...weekPage(week, typed), problems: problemsOfWork(error, typed, days) };
  }
}
