import { DomainError } from '@payroll/kernel';
import {
  Button,
  Choices,
  Field,
  Filters,
  Form,
  LinkButton,
  OperationId,
  textOf,
  type Answer,
  type Page,
} from '@payroll/pages';
import type { ConsoleExchange } from '../../../exchange.js';
import { graphql } from '../../../operations.js';
import { idIn, searchIn, visitAs, type Visit } from '../../../visit.js';
import { sentBy } from '../../../sent.js';
import { DRAFTERS } from './edit.js';
import { assignWorker, draftWith, type Draft } from './operations.js';

const findWorkers = graphql(
  'query workersToChoose($search: String) { workers(search: $search, limit: 20) { nodes { id name email } nextCursor } }',
);

/** Choose an existing worker or add a new one. */
export async function showWorkers(at: ConsoleExchange): Promise<Page> {
  const visited = await visitAs(at, DRAFTERS);
  const draft = await draftWith(visited, idIn(at));
  const chosen = at.typed ? textOf(at, 'worker') : undefined;
  return await workersPage(visited, draft, searchIn(at), chosen);
}

export async function chooseWorker(at: ConsoleExchange): Promise<Answer> {
  const visited = await visitAs(at, DRAFTERS);
  const contractId = idIn(at);
  const workerId = textOf(at, 'worker');
  const { operationId, expectedRevision } = sentBy(at);
  try {
    await visited.tell(assignWorker, { contractId, workerId, expectedRevision }, operationId);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const problem = PROBLEMS[error.code];
    if (problem === undefined || (error.code === 'NOT_FOUND' && workerId !== '')) throw error;
    const page = await workersPage(visited, await draftWith(visited, contractId), '', workerId);
    return { ...page, problems: [{ field: 'worker', message: problem }], status: 409 };
  }
  return { to: `${visited.path}/${contractId}/edit`, notice: 'The worker is chosen.' };
}

const PROBLEMS: Readonly<Record<string, string>> = {
  NOT_FOUND: 'Choose who does the work',
  STALE_RESOURCE_VERSION: 'The draft has changed since you opened this page. Choose again',
};

async function workersPage({ ask, path }: Visit, draft: Draft, search: string, chosen?: string): Promise<Page> {
  const { workers } = await ask(findWorkers, { search: search || null });
  const choices = workers.nodes.map(({ id, name, email }) => ({ value: id, label: name, hint: email }));
  const chosenNow = chosen ?? draft.worker.id;
  const body = (
    <>
      <Filters>
        <Field name="search" label="Name or e-mail address" value={search} />
      </Filters>
      {choices.length === 0 ? (
        <p>Nobody is found.</p>
      ) : (
        <Form>
          <OperationId />
          <input type="hidden" name="revision" value={draft.revision} />
          <Choices
            {...{ name: 'worker', legend: 'Who does the work?', type: 'radio', choices }}
            chosen={chosenNow === null ? [] : [chosenNow]}
          />
          {workers.nextCursor !== null && <p class="hint">There are more: search for a name.</p>}
          <Button>Choose</Button>
        </Form>
      )}
      <h2>Somebody new</h2>
      <p>
        <LinkButton href={`${path.replace(/contracts$/, 'workers')}/new?contract=${draft.id}`}>Add a worker</LinkButton>
      </p>
      <p class="actions">
        <a href={`${path}/${draft.id}/edit`}>Back to the draft</a>
      </p>
    </>
  );
  return { title: 'Choose the worker', lead: draft.title, body };
}
