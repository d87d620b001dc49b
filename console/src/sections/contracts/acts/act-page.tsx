import { DomainError, type ErrorCode } from '@payroll/kernel';
import {
  Decision,
  Facts,
  Form,
  OperationId,
  problemsOf,
  textOf,
  type Answer,
  type Page,
  type SentForm,
} from '@payroll/pages';
import type { ConsoleExchange } from '../../../exchange.js';
import { formPage, type RouteTable } from '../../../routes.js';
import { idIn, visitAs, type Visit } from '../../../visit.js';
import { Changed, changesSince, type Change, type Seen, seenIn, seenText } from '../../../seen.js';
import { operationIn, sentBy } from '../../../sent.js';
import { CONTRACT_STATUSES, dayText } from '../../../words.js';
import { labelOf } from '../draft/table.js';
import { ACTS, isOpen, type Act } from './acts.js';
import { contractWith, crumbOf, type Contract } from './contract.js';
import { isOpenAmendment } from './agreement.js';
import { withdrawAmendment } from './operations.js';

const ADDRESS = '/workspaces/:workspaceId/contracts/:id';

/** Withdraws the change of terms that waits for the worker. */
const withdrawAmendmentPage = formPage(`${ADDRESS}/withdraw-terms`, {
  enter: async (at) => {
    const visited = await visitAs(at, ['admin']);
    const contract = await contractWith(visited, idIn(at));
    const open = contract.agreement.amendments.find(isOpenAmendment);
    if (!open) throw new DomainError('INVALID_STATE', 'No change of terms waits for the worker.');
    return { ...visited, contract, open };
  },
  view: ({ path, contract, open }) => ({
    title: 'Withdraw the new terms?',
    lead: 'The worker can no longer sign them, and the terms stay as they are.',
    crumbs: [crumbOf(path, contract)],
    body: (
      <>
        <div class="agreement">{open.text}</div>
        <Form>
          <OperationId />
          <Decision look="danger" label="Withdraw them" back={`${path}/${contract.id}`} keep="Keep them" />
        </Form>
      </>
    ),
  }),
  send: async ({ tell, path, contract, open }, at) => {
    await tell(withdrawAmendment, { id: contract.id, number: open.number }, operationIn(at));
    return { to: `${path}/${contract.id}`, notice: 'The new terms are withdrawn.' };
  },
});

/** Each act has a page that says what will happen, and a form that does it. */
export const actPages: RouteTable = {
  ...withdrawAmendmentPage,
  ...Object.fromEntries(
    ACTS.flatMap((act) => [
      [`GET ${ADDRESS}/${act.slug}`, (at: ConsoleExchange) => show(act, at)],
      [`POST ${ADDRESS}/${act.slug}`, (at: ConsoleExchange) => carryOut(act, at)],
    ]),
  ),
};

async function show(act: Act, at: ConsoleExchange): Promise<Page> {
  const visited = await visitAs(at, act.roles);
  const contract = await contractWith(visited, idIn(at));
  return isOpen(act, contract) ? actPage(act, visited, contract, at.typed) : notNow(act, visited, contract);
}

async function carryOut(act: Act, at: ConsoleExchange): Promise<Answer> {
  const visited = await visitAs(at, act.roles);
  const id = idIn(at);
  const { operationId, expectedRevision } = sentBy(at);
  const changed = changedOf(act, at);
  const isUnchanged = act.values !== undefined && changed.size === 0;
  let told: string | void = undefined;
  try {
    if (!isUnchanged) told = await act.tell(visited, { id, expectedRevision }, at, operationId, changed);
  } catch (error) {
    if (!(error instanceof DomainError) || !MENDED.has(error.code)) throw error;
    const contract = await contractWith(visited, id);
    if (!isOpen(act, contract)) return notNow(act, visited, contract);
    if (error.code === 'VALIDATION_FAILED') {
      return { ...actPage(act, visited, contract, at), problems: problemsOf(error, act.wording ?? {}) };
    }
    const changes = changesSince(at, seenOf(act, contract));
    return { ...actPage(act, visited, contract, againOf(act, at, contract), changes), status: 409 };
  }
  const notice = isUnchanged ? act.unchanged : (told ?? act.done);
  return { to: act.slug === 'delete' ? visited.path : `${visited.path}/${id}`, ...(notice && { notice }) };
}

/** Errors after which the act's page is shown again, with the sender's input. */
const MENDED: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'VALIDATION_FAILED',
  'STALE_RESOURCE_VERSION',
  'INVALID_STATE',
]);

function actPage(
  act: Act,
  visited: Visit,
  contract: Contract,
  typed: SentForm | null = null,
  changes?: Change[],
): Page {
  const { label, says, fields, shows } = act;
  const { path } = visited;
  const look = act.look === 'danger' ? 'danger' : 'main';
  const body = (
    <>
      {changes && <Changed changes={changes}>{AGAIN}</Changed>}
      <Facts of={factsOf(contract)} />
      {shows?.(contract, visited)}
      <p>{says}</p>
      <Form>
        <OperationId />
        <input type="hidden" name="revision" value={contract.revision} />
        <input type="hidden" name="seen" value={seenText(seenOf(act, contract))} />
        {fields?.(contract, typed)}
        <Decision {...{ label, look, back: `${path}/${contract.id}`, keep: 'Leave it as it is' }} />
      </Form>
    </>
  );
  return { title: label, lead: contract.title, crumbs: [crumbOf(path, contract)], body };
}

const AGAIN = 'The contract has changed since you opened this page. Read it again, then decide about what it is now.';

/** The contract has changed since, or the address is out of date. */
function notNow({ label }: Act, { path }: Visit, { id, title, status, deletedAt }: Contract): Page {
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
function seenOf({ values }: Act, contract: Contract): Seen {
  const fields = Object.entries(values?.(contract) ?? {}).map(([name, text]) => [labelOfField(name), text]);
  const facts = { Title: contract.title, ...factsOf(contract), 'Text (SHA-256)': contract.agreement.digest };
  return { ...facts, ...(Object.fromEntries(fields) as Seen) };
}

/** The terms have the names that they have in a draft. */
function labelOfField(name: string): string {
  return labelOf(name === 'rate' ? 'compensation.rate' : `invoicingSettings.${name}`);
}

/** The fields of the form that its sender has changed. */
function changedOf({ values }: Act, form: SentForm): Set<string> {
  if (!values) return new Set();
  const seen = seenIn(form) ?? {};
  // Hidden fields such as tokens do not count.
  const sent = Object.keys(form.body ?? {}).filter((name) => seen[labelOfField(name)] !== undefined);
  return new Set(sent.filter((name) => textOf(form, name).trim() !== (seen[labelOfField(name)] ?? '')));
}

/** The form for a second try: the sender's changes on top of the contract's current values. */
function againOf(act: Act, form: SentForm, contract: Contract): SentForm {
  if (!act.values) return form;
  const changed = changedOf(act, form);
  const fields = Object.entries(act.values(contract)).filter(([name]) => !changed.has(name));
  return { body: { ...(form.body as object), ...Object.fromEntries(fields) } };
}

function factsOf({ status, worker, startDate, endDate, details: { terms } }: Contract): Seen {
  return {
    Status: CONTRACT_STATUSES[status],
    Worker: worker.name ?? 'Nobody yet',
    'First day': startDate === null ? 'Open' : dayText(startDate),
    'Last day': endDate === null ? 'Open' : dayText(endDate),
    Rate: terms.rate === null ? 'None' : `${terms.rate} ${terms.currency}`,
  };
}
