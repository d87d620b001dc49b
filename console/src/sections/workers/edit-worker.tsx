import { DomainError, isId, notFound, type Role } from '@payroll/kernel';
import {
  Decision,
  Field,
  Form,
  OperationId,
  problemsOf,
  queryOf,
  sectionPath,
  textOf,
  type Answer,
  type Page,
  type SentForm,
  type Wording,
} from '@payroll/pages';
import type { ConsoleExchange } from '../../exchange.js';
import { graphql } from '../../operations.js';
import type { RouteTable } from '../../routes.js';
import { idIn, visitAs } from '../../visit.js';
import { operationIn, sentBy } from '../../sent.js';
import { Changed, changesSince, type Change, seenIn, seenText } from '../../seen.js';

type Profile = { name: string; email: string };

const readWorker = graphql('query workerToEdit($id: ID!) { worker(id: $id) { id revision name email } }');

const ONCE = '$operationId: ID';
const SENT = 'name: $name, email: $email, operationId: $operationId';

const registerWorker = graphql(
  `mutation registerWorker($name: String!, $email: String!, ${ONCE}) { worker: registerWorker(${SENT}) { id } }`,
);

const updateWorker = graphql(`
  mutation updateWorker($id: ID!, $expectedRevision: Int, $name: String, $email: String, ${ONCE}) {
    worker: updateWorker(id: $id, expectedRevision: $expectedRevision, ${SENT}) { id }
  }`);

const WORDING: Wording = {
  'name too_long': 'The name must be 200 characters or fewer',
  'name invalid_characters': 'The name contains characters that are not allowed',
  name: 'Enter the name of the worker',
  email: 'Enter an e-mail address, such as name@example.com',
};

const KEEPERS: readonly Role[] = ['admin', 'member'];
const SECTION = '/workspaces/:workspaceId/workers';

/** Workers are added and corrected by members and admins. */
export const editWorkerPages: RouteTable = {
  [`GET ${SECTION}/new`]: async (at) => {
    const { path } = await visitAs(at, KEEPERS);
    return newPage(path, contractOf(at), at.typed);
  },
  [`POST ${SECTION}/new`]: addWorker,
  [`GET ${SECTION}/:id/edit`]: async (at) => {
    return editPage(await enter(at), at.typed);
  },
  [`POST ${SECTION}/:id/edit`]: saveWorker,
};

async function addWorker(at: ConsoleExchange): Promise<Answer> {
  const { path, tell, workspaceId } = await visitAs(at, KEEPERS);
  const contract = contractOf(at);
  const operationId = operationIn(at);
  try {
    const { worker } = await tell(registerWorker, profileOf(at), operationId);
    const { name } = profileOf(at);
    if (contract === null) return { to: `${path}/${worker.id}`, notice: 'The worker is added.' };
    const to = `${sectionPath(workspaceId, 'contracts')}/${contract}/worker${queryOf({ search: name })}`;
    return { to, notice: `${name} is added. Choose them for the contract.` };
  } catch (error) {
    return { ...newPage(path, contract, at), problems: problemsOf(error, WORDING) };
  }
}

async function saveWorker(at: ConsoleExchange): Promise<Answer> {
  const entered = await enter(at);
  const { path, worker, tell, role } = entered;
  const { id } = worker;
  const { operationId, expectedRevision } = sentBy(at);
  const changed = changedIn(at, role);
  const isChanged = Object.keys(changed).length > 0;
  try {
    if (isChanged) await tell(updateWorker, { id, expectedRevision, ...changed }, operationId);
    return { to: `${path}/${id}`, notice: isChanged ? 'Saved.' : 'You changed nothing, so nothing was saved.' };
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'STALE_RESOURCE_VERSION') {
      return { ...editPage(entered, at), problems: problemsOf(error, WORDING) };
    }
    const changes = changesSince(at, seenOf(worker));
    return { ...editPage(entered, { body: { ...worker, ...changed } }, changes), status: 409 };
  }
}

async function enter(at: ConsoleExchange) {
  const visited = await visitAs(at, KEEPERS);
  const { worker } = await visited.ask(readWorker, { id: idIn(at) });
  if (worker === null) throw notFound('What this address names');
  return { ...visited, worker };
}

type Entered = Awaited<ReturnType<typeof enter>>;

const profileOf = (form: SentForm): Profile => ({
  name: textOf(form, 'name').trim(),
  email: textOf(form, 'email').trim(),
});

/** The fields changed since the page was opened: changes of others stay. */
function changedIn(form: SentForm, role: Role): Partial<Profile> {
  const typed = profileOf(form);
  const seen = seenIn(form) ?? {};
  return {
    ...(typed.name !== seen['Name'] && { name: typed.name }),
    ...(role === 'admin' && typed.email !== seen['E-mail address'] && { email: typed.email }),
  };
}

const seenOf = ({ name, email }: Profile) => ({ Name: name, 'E-mail address': email });

/** The contract for which a new worker is added; null if there is none. */
function contractOf(at: ConsoleExchange): string | null {
  const id = at.typed ? textOf(at, 'contract') : (at.query('contract') ?? '');
  return isId(id) ? id : null;
}

function newPage(path: string, contract: string | null, typed: SentForm | null): Page {
  const back = contract === null ? path : `${path.replace(/workers$/, 'contracts')}/${contract}/worker`;
  const body = (
    <Form action={`${path}/new`}>
      <OperationId />
      {contract !== null && <input type="hidden" name="contract" value={contract} />}
      <Fields {...(typed ? profileOf(typed) : { name: '', email: '' })} />
      <Decision label="Add" back={back} keep="Back" />
    </Form>
  );
  return { title: 'Add a worker', body };
}

function editPage({ path, worker, role }: Entered, typed: SentForm | null, changes?: Change[]): Page {
  const mayRedirect = role === 'admin';
  const body = (
    <>
      {changes && <Changed changes={changes}>{CHANGED}</Changed>}
      <Form>
        <OperationId />
        <input type="hidden" name="revision" value={worker.revision} />
        <input type="hidden" name="seen" value={seenText(seenOf(worker))} />
        <Fields {...(typed ? profileOf(typed) : worker)} {...(!mayRedirect && { email: null })} />
        {!mayRedirect && (
          <p class="hint">
            E-mail address: {worker.email}. Only admins change it, because what the worker signs goes there.
          </p>
        )}
        <Decision label="Save" back={`${path}/${worker.id}`} keep="Leave it as it is" />
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
      {email !== null && <Field name="email" label="E-mail address" type="email" autocomplete="off" value={email} />}
    </>
  );
}
