import { DomainError, isId, notFound } from '@payroll/kernel';
import {
  ConfirmButtons,
  Field,
  Form,
  listOf,
  OperationId,
  problemsOf,
  queryOf,
  textOf,
  type PageResponse,
  type PageView,
  type SentForm,
  type FieldMessages,
} from '@payroll/pages';
import type { ConsoleContext } from '../../console-context.js';
import { graphql, ONCE, SENT } from '../../operations.js';
import { formPage, type RouteTable } from '../../routes.js';
import { EDITORS, idIn, orUnread, requireRole, operationIn, sentBy } from '../../workspace-context.js';
import { findWorkers } from '../contracts/draft/worker.js';
import { ChangeNotice, changesSince, type Change, seenIn, seenText } from '../../snapshot.js';

type Profile = { name: string; email: string };

const readWorker = graphql('query workerToEdit($id: ID!) { worker(id: $id) { id revision name email } }');

const isSameText = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

const GIVEN = `name: $name, email: $email, ${SENT}` as const;

const registerWorker = graphql(
  `mutation registerWorker($name: String!, $email: String!, ${ONCE}) { worker: registerWorker(${GIVEN}) { id } }`,
);

const updateWorker = graphql(`
  mutation updateWorker($id: ID!, $expectedRevision: Int, $name: String, $email: String, ${ONCE}) {
    worker: updateWorker(id: $id, expectedRevision: $expectedRevision, ${GIVEN}) { id }
  }`);

const WORDING: FieldMessages = {
  'name too_long': 'The name must be 200 characters or fewer',
  'name invalid_characters': 'The name contains characters that are not allowed',
  name: 'Enter the name of the worker',
  email: 'Enter an email address, such as name@example.com',
};

const SECTION = '/workspaces/:workspaceId/workers';

const newWorkerPage = formPage(`${SECTION}/new`, {
  wording: WORDING,
  load: async (ctx) => {
    const { run, mutate, path, home } = await requireRole(ctx, EDITORS);
    const profile = ctx.typed ? profileOf(ctx.typed) : { name: '', email: '' };
    return { run, mutate, path, contracts: `${home}/contracts`, contract: contractOf(ctx), profile };
  },
  view: ({ path, contracts, contract, profile }) => ({
    title: 'Add a worker',
    body: (
      <Form>
        <OperationId />
        {contract !== null && <input type="hidden" name="contract" value={contract} />}
        <Fields {...profile} />
        <ConfirmButtons label="Add" back={contract === null ? path : `${contracts}/${contract}/worker`} keep="Back" />
      </Form>
    ),
  }),
  submit: async ({ run, mutate, path, contracts, contract, profile }, ctx) => {
    const { name, email } = profile;
    const { worker } = await mutate(registerWorker, { name, email }, operationIn(ctx));
    const found = await orUnread(run(findWorkers, { search: email }));
    const namesake = found?.workers.nodes.find((each) => each.id !== worker.id && isSameText(each.email, email));
    const also = namesake ? ` ${namesake.name} has the same address: only one of them can sign in with it.` : '';
    if (contract === null) return { to: `${path}/${worker.id}`, notice: `The worker is added.${also}` };
    const to = `${contracts}/${contract}/worker${queryOf({ search: name })}`;
    return { to, notice: `${name} is added. Choose them for the contract.${also}` };
  },
});

/** Workers are added and corrected by members and admins. */
export const editWorkerPages: RouteTable = {
  ...newWorkerPage,
  [`GET ${SECTION}/:id/edit`]: async (ctx) => editPage(await enter(ctx), ctx.typed),
  [`POST ${SECTION}/:id/edit`]: saveWorker,
};

async function saveWorker(ctx: ConsoleContext): Promise<PageResponse> {
  const entered = await enter(ctx);
  const { path, worker, mutate } = entered;
  const { id } = worker;
  const { operationId, expectedRevision } = sentBy(ctx);
  const changed = changedIn(ctx);
  const isChanged = Object.keys(changed).length > 0;
  try {
    if (isChanged) await mutate(updateWorker, { id, expectedRevision, ...changed }, operationId);
    return { to: `${path}/${id}`, notice: isChanged ? 'Saved.' : 'You changed nothing, so nothing was saved.' };
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'STALE_RESOURCE_VERSION') {
      return { ...editPage(entered, ctx), problems: problemsOf(error, WORDING) };
    }
    const changes = changesSince(ctx, seenOf(worker));
    return { ...editPage(entered, { body: { ...worker, ...changed } }, changes), status: 409 };
  }
}

async function enter(ctx: ConsoleContext) {
  const visited = await requireRole(ctx, EDITORS);
  const { worker } = await visited.run(readWorker, { id: idIn(ctx) });
  if (worker === null) throw notFound('What this address names');
  return { ...visited, worker };
}

type Entered = Awaited<ReturnType<typeof enter>>;

const profileOf = (form: SentForm): Profile => ({
  name: textOf(form, 'name').trim(),
  email: textOf(form, 'email').trim(),
});

/**
 * The fields changed since the page was opened: changes of others stay. An address in the form of an admin whose role was
 * lowered meanwhile is refused by the command, and not left out in silence.
 */
function changedIn(form: SentForm): Partial<Profile> {
  const typed = profileOf(form);
  const seen = seenIn(form) ?? {};
  return {
    ...(typed.name !== seen['Name'] && { name: typed.name }),
    ...(listOf(form, 'email').length > 0 && typed.email !== seen['Email address'] && { email: typed.email }),
  };
}

const seenOf = ({ name, email }: Profile) => ({ Name: name, 'Email address': email });

/** The contract for which a new worker is added; null if there is none. */
function contractOf(ctx: ConsoleContext): string | null {
  const id = ctx.typed ? textOf(ctx, 'contract') : (ctx.query('contract') ?? '');
  return isId(id) ? id : null;
}

function editPage({ path, worker, role }: Entered, typed: SentForm | null, changes?: Change[]): PageView {
  const mayRedirect = role === 'admin';
  const body = (
    <>
      {changes && <ChangeNotice changes={changes}>{CHANGED}</ChangeNotice>}
      <Form>
        <OperationId />
        <input type="hidden" name="revision" value={worker.revision} />
        <input type="hidden" name="seen" value={seenText(seenOf(worker))} />
        <Fields {...(typed ? profileOf(typed) : worker)} {...(!mayRedirect && { email: null })} />
        {!mayRedirect && (
          <p class="hint">
            Email address: {worker.email}. Only admins change it, because what the worker signs goes there.
          </p>
        )}
        <ConfirmButtons label="Save" back={`${path}/${worker.id}`} keep="Leave it as it is" />
      </Form>
    </>
  );
  return { title: `Edit ${worker.name}`, body };
}

const CHANGED = 'The worker has been changed since you opened this page. What you changed is still in the form.';

function Fields({ name, email }: { name: string; email: string | null }) {
  return (
    <>
      <Field name="name" label="Name" autocomplete="off" value={name} />
      {email !== null && <Field name="email" label="Email address" type="email" autocomplete="off" value={email} />}
    </>
  );
}
