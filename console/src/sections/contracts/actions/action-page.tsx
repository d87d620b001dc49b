import { DomainError, type ErrorCode } from '@payroll/kernel';
import {
  capped,
  ConfirmButtons,
  DefinitionList,
  Form,
  OperationId,
  problemsOf,
  textOf,
  type PageResponse,
  type PageView,
  type SentForm,
} from '@payroll/pages';
import type { ConsoleContext } from '../../../console-context.js';
import { formPage, type RouteTable } from '../../../routes.js';
import type { ResultOf } from '../../../operations.js';
import { idIn, orUnread, requireRole, type WorkspaceContext, operationIn, sentBy } from '../../../workspace-context.js';
import { ChangeNotice, changesSince, type Change, type Snapshot, seenIn, seenText } from '../../../snapshot.js';
import { CONTRACT_STATUSES, dayText, type Money, moneyText, totalsOf, unitOf } from '../../../words.js';
import { isOpenForWork } from '../../../work/contracts.js';
import { labelOf } from '../draft/table.js';
import { CONTRACT_ACTIONS, isOpen, type ContractAction } from './actions.js';
import { contractWith, crumbOf, type Contract, readWaiting, withdrawAmendment } from './operations.js';
import { isOpenAmendment } from './agreement.js';

const ADDRESS = '/workspaces/:workspaceId/contracts/:id';

/** Withdraws the change of terms that waits for the worker. The form names it: another one may wait when it is sent. */
const withdrawAmendmentPage = formPage(`${ADDRESS}/withdraw-terms`, {
  load: async (ctx) => {
    const visited = await requireRole(ctx, ['admin']);
    return { ...visited, contract: await contractWith(visited, idIn(ctx)) };
  },
  view: ({ path, contract }) => {
    const open = contract.agreement.amendments.find(isOpenAmendment);
    if (!open) throw noneWaits();
    return {
      title: 'Withdraw the new terms?',
      lead: 'The worker can no longer sign them, and the terms stay as they are.',
      crumbs: [crumbOf(path, contract)],
      body: (
        <>
          <div class="agreement">{open.text}</div>
          <Form>
            <OperationId />
            <input type="hidden" name="number" value={open.number} />
            <ConfirmButtons look="danger" label="Withdraw them" back={`${path}/${contract.id}`} keep="Keep them" />
          </Form>
        </>
      ),
    };
  },
  submit: async ({ mutate, path, contract }, ctx) => {
    const seen = contract.agreement.amendments.find(({ number }) => String(number) === textOf(ctx, 'number'));
    if (!seen) throw noneWaits();
    await mutate(withdrawAmendment, { id: contract.id, number: seen.number }, operationIn(ctx));
    return { to: `${path}/${contract.id}`, notice: 'The new terms are withdrawn.' };
  },
});

function noneWaits(): DomainError {
  return new DomainError('INVALID_STATE', 'No change of terms waits for the worker.');
}

/** Each action has a page that says what will happen, and a form that does it. */
export const actionPages: RouteTable = {
  ...withdrawAmendmentPage,
  ...Object.fromEntries(
    CONTRACT_ACTIONS.flatMap((action) => [
      [`GET ${ADDRESS}/${action.slug}`, (ctx: ConsoleContext) => show(action, ctx)],
      [
        `POST ${ADDRESS}/${action.slug}`,
        async (ctx: ConsoleContext) => (await changedText(action, ctx)) ?? (await carryOut(action, ctx)),
      ],
    ]),
  ),
};

async function show(action: ContractAction, ctx: ConsoleContext): Promise<PageView> {
  const visited = await requireRole(ctx, action.roles);
  const contract = await contractWith(visited, idIn(ctx));
  return isOpen(action, contract)
    ? await actionPage(action, visited, contract, ctx.typed)
    : notNow(action, visited, contract);
}

/**
 * The page of an action that shows the text, again where the text is another one by now: a new name of the worker or the business
 * changes it, but not the contract's revision. Another status alone changes the revision, which the command compares: the status may
 * be that of the first steps of this same form, which was sent twice, or again after a step had failed.
 */
async function changedText(action: ContractAction, ctx: ConsoleContext): Promise<PageResponse | null> {
  if (!action.shows) return null;
  const visited = await requireRole(ctx, action.roles);
  const contract = await contractWith(visited, idIn(ctx));
  const changes = isOpen(action, contract) ? changesSince(ctx, seenOf(action, contract)) : [];
  return changes.some(({ id }) => id !== 'Status')
    ? { ...(await actionPage(action, visited, contract, ctx, changes)), status: 409 }
    : null;
}

async function carryOut(action: ContractAction, ctx: ConsoleContext): Promise<PageResponse> {
  const visited = await requireRole(ctx, action.roles);
  const id = idIn(ctx);
  const { next = '' } = action;
  const to = action.slug === 'delete' ? visited.path : [visited.path, id, next].filter(Boolean).join('/');
  const { operationId, expectedRevision } = sentBy(ctx);
  const changed = changedOf(action, ctx);
  if (action.values && changed.size === 0) return { to, ...(action.unchanged && { notice: action.unchanged }) };
  try {
    const told = await action.perform(visited, { id, expectedRevision }, ctx, operationId, changed);
    return { to, notice: told ?? action.done };
  } catch (error) {
    if (!(error instanceof DomainError) || !RECOVERABLE_ERRORS.has(error.code)) throw error;
    return await refusedPage(action, ctx, visited, error);
  }
}

/** The page again, with the sender's input and the reason why nothing was done. */
async function refusedPage(
  action: ContractAction,
  ctx: ConsoleContext,
  visited: WorkspaceContext,
  error: DomainError,
): Promise<PageResponse> {
  const contract = await contractWith(visited, idIn(ctx));
  if (!isOpen(action, contract)) return notNow(action, visited, contract);
  const changes = changesSince(ctx, seenOf(action, contract));
  // A refusal for a reason that the page does not show, such as new terms that wait already, says so itself.
  if (error.code === 'VALIDATION_FAILED' || (error.code === 'INVALID_STATE' && changes.length === 0)) {
    return { ...(await actionPage(action, visited, contract, ctx)), problems: problemsOf(error, action.wording ?? {}) };
  }
  return { ...(await actionPage(action, visited, contract, againOf(action, ctx, contract), changes)), status: 409 };
}

/** Errors after which the action's page is shown again, with the sender's input. */
const RECOVERABLE_ERRORS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'VALIDATION_FAILED',
  'STALE_RESOURCE_VERSION',
  'INVALID_STATE',
]);

async function actionPage(
  action: ContractAction,
  visited: WorkspaceContext,
  contract: Contract,
  typed: SentForm | null,
  changes?: Change[],
): Promise<PageView> {
  const { label, consequence, fields, shows } = action;
  const { path, run } = visited;
  // Contracts decides without review, so the page opens without it too.
  const mayWait = isOpenForWork(contract) || contract.status === 'cancelled';
  const read = mayWait ? await orUnread(run(readWaiting, { id: contract.id })) : null;
  const look = action.look === 'danger' ? 'danger' : 'main';
  const body = (
    <>
      {changes && <ChangeNotice changes={changes}>{AGAIN}</ChangeNotice>}
      <DefinitionList of={{ ...factsOf(contract), 'Waiting for review': read && waitingText(read) }} />
      {shows?.(contract, visited)}
      <p>{consequence}</p>
      <Form isLong={fields !== undefined}>
        <OperationId />
        <input type="hidden" name="revision" value={contract.revision} />
        <input type="hidden" name="seen" value={seenText(seenOf(action, contract))} />
        {fields?.(contract, typed)}
        <ConfirmButtons label={label} look={look} back={`${path}/${contract.id}`} keep="Leave it as it is" />
      </Form>
    </>
  );
  return { title: label, lead: contract.title, crumbs: [crumbOf(path, contract)], body };
}

/** "2 timesheets, 1,000.00 EUR, for days until 16 Nov 2026; 1 milestone, 100.00 EUR"; null for none. */
function waitingText({ timesheets, milestones }: ResultOf<typeof readWaiting>): string | null {
  const days = timesheets.nodes.map(({ periodEnd }) => periodEnd).toSorted();
  const waiting = [
    days.length > 0 && `${countText('timesheet', timesheets.nodes)}, for days until ${dayText(days.at(-1)!)}`,
    milestones.nodes.length > 0 && countText('milestone', milestones.nodes),
  ].filter((text) => text !== false);
  return waiting.join('; ') || null;
}

function countText(kind: string, work: readonly { total: Money }[]): string {
  const sums = totalsOf(work.map(({ total }) => total)).map(moneyText);
  return `${capped(work.length)} ${work.length === 1 ? kind : `${kind}s`}, ${sums.join(' and ')}`;
}

const AGAIN = 'This contract has changed since you opened the page. Review the current version, then confirm.';

/** The contract has changed since, or the address is out of date. */
function notNow(
  { label }: ContractAction,
  { path }: WorkspaceContext,
  { id, title, status, deletedAt }: Contract,
): PageView {
  const now = deletedAt === null ? CONTRACT_STATUSES[status] : 'Deleted';
  const body = (
    <>
      <p>Nothing was done. The contract is now: {now}.</p>
      <p>
        <a href={`${path}/${id}`}>Open the contract</a>
      </p>
    </>
  );
  return { title: `${label}: not possible now`, lead: title, body, status: 409 };
}

/** The values that the page shows, compared with the current ones when the form is submitted. */
function seenOf({ values }: ContractAction, contract: Contract): Snapshot {
  const fields = Object.entries(values?.(contract) ?? {}).map(([name, text]) => [labelOfField(name), text]);
  const facts = { Title: contract.title, ...factsOf(contract), 'Text (SHA-256)': contract.agreement.digest };
  return { ...facts, ...(Object.fromEntries(fields) as Snapshot) };
}

/** The terms have the names that they have in a draft. */
function labelOfField(name: string): string {
  return labelOf(name === 'rate' ? 'compensation.rate' : `invoicingSettings.${name}`);
}

/** The fields of the form that its sender has changed. */
function changedOf({ values }: ContractAction, form: SentForm): Set<string> {
  if (!values) return new Set();
  const seen = seenIn(form) ?? {};
  // Hidden fields such as tokens do not count.
  const sent = Object.keys(form.body ?? {}).filter((name) => seen[labelOfField(name)] !== undefined);
  return new Set(sent.filter((name) => textOf(form, name).trim() !== (seen[labelOfField(name)] ?? '')));
}

/** The form for a second try: the sender's changes on top of the contract's current values. */
function againOf(action: ContractAction, form: SentForm, contract: Contract): SentForm {
  if (!action.values) return form;
  const changed = changedOf(action, form);
  const fields = Object.entries(action.values(contract)).filter(([name]) => !changed.has(name));
  return { body: { ...(form.body as object), ...Object.fromEntries(fields) } };
}

function factsOf({ status, worker, startDate, endDate, details: { terms, compensation } }: Contract): Snapshot {
  return {
    Status: CONTRACT_STATUSES[status],
    Worker: worker.name ?? 'No worker yet',
    Starts: startDate === null ? 'Not set' : dayText(startDate),
    Ends: endDate === null ? 'No end' : dayText(endDate),
    Rate: terms.rate === null ? 'None' : `${terms.rate} ${terms.currency} per ${unitOf(compensation?.type)}`,
  };
}
