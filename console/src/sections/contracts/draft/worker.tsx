import { DomainError } from '@payroll/kernel';
import {
  Button,
  Field,
  Filters,
  Form,
  LinkButton,
  OperationId,
  Table,
  Tag,
  textOf,
  type PageResponse,
  type PageView,
} from '@payroll/pages';
import type { ConsoleContext } from '../../../console-context.js';
import { graphql, ONCE, SENT } from '../../../operations.js';
import { EDITORS, idIn, searchIn, requireRole, type WorkspaceContext, sentBy } from '../../../workspace-context.js';
import { afterDraft, isDraft, noDraft } from './edit.js';
import { type Draft, draftWith } from './content.js';

export const findWorkers = graphql(
  'query workersToChoose($search: String) { workers(search: $search, limit: 20) { nodes { id name email } nextCursor } }',
);

const assignWorker = graphql(`
  mutation assignWorker($contractId: ID!, $workerId: ID!, $expectedRevision: Int, ${ONCE}) {
    contract: assignWorker(contractId: $contractId, workerId: $workerId, expectedRevision: $expectedRevision, ${SENT}) {
      missing { path }
    }
  }`);

/** Choose an existing worker or add a new one. */
export async function showWorkers(ctx: ConsoleContext): Promise<PageView> {
  const visited = await requireRole(ctx, EDITORS);
  const draft = await draftWith(visited, idIn(ctx));
  if (!isDraft(draft)) return noDraft(visited, draft);
  const chosen = ctx.typed ? textOf(ctx, 'worker') : undefined;
  return await workersPage(visited, draft, searchIn(ctx), chosen);
}

export async function chooseWorker(ctx: ConsoleContext): Promise<PageResponse> {
  const visited = await requireRole(ctx, EDITORS);
  const contractId = idIn(ctx);
  const workerId = textOf(ctx, 'worker');
  const { operationId, expectedRevision } = sentBy(ctx);
  try {
    const { contract } = await visited.mutate(assignWorker, { contractId, workerId, expectedRevision }, operationId);
    return { to: afterDraft(visited, contractId, contract.missing), notice: 'The worker is chosen.' };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const draft = await draftWith(visited, contractId);
    if (!isDraft(draft)) return noDraft(visited, draft);
    if (error.code !== 'STALE_RESOURCE_VERSION') throw error;
    const page = await workersPage(visited, draft, '', workerId);
    const message = 'The draft has changed since you opened this page. Choose again';
    return { ...page, problems: [{ field: null, message }], status: 409 };
  }
}

async function workersPage(
  { run, path, home }: WorkspaceContext,
  draft: Draft,
  search: string,
  chosen?: string,
): Promise<PageView> {
  const { workers } = await run(findWorkers, { search: search || null });
  const chosenNow = chosen ?? draft.worker.id;
  const body = (
    <>
      <Filters>
        <Field name="search" label="Name or email address" value={search} />
      </Filters>
      {workers.nodes.length === 0 ? (
        <p>No workers found.</p>
      ) : (
        <Form>
          <OperationId />
          <input type="hidden" name="revision" value={draft.revision} />
          <Table
            caption="Who does the work?"
            plain={['Email address', 'Action']}
            rows={workers.nodes}
            columns={{
              Worker: ({ id, name }) => (
                <>
                  {name} {id === chosenNow && <Tag>Chosen</Tag>}
                </>
              ),
              'Email address': ({ email }) => email,
              Action: ({ id, name }) => (
                <Button look="quiet" name="worker" value={id}>
                  Choose<span class="hidden"> {name}</span>
                </Button>
              ),
            }}
          />
          {workers.nextCursor !== null && <p class="hint">There are more: search for a name.</p>}
        </Form>
      )}
      <h2>Somebody new</h2>
      <p>
        <LinkButton href={`${home}/workers/new?contract=${draft.id}`}>Add a worker</LinkButton>
      </p>
      <p class="actions">
        <a href={`${path}/${draft.id}/edit`}>Back to the draft</a>
      </p>
    </>
  );
  return { title: 'Choose the worker', lead: draft.title, body };
}
