import { notFound } from '@payroll/kernel';
import {
  EmptyState,
  DefinitionList,
  Field,
  Filters,
  LinkButton,
  Marks,
  type PageView,
  Table,
  Time,
} from '@payroll/pages';
import type { VNode } from 'preact';
import type { ConsoleContext } from '../../console-context.js';
import { Day } from '../../pieces.js';
import type { RouteTable } from '../../routes.js';
import { idIn, pageIn, searchIn, requireMember } from '../../workspace-context.js';
import { graphql, type RowOf } from '../../operations.js';
import { ENTRIES_SHOWN, readNewest } from '../activity/trails.js';
import { History } from '../activity/timeline.js';
import { ContractTable } from '../contracts/contracts.js';
import { Payments } from '../contracts/work.js';
import { PAYEE_STATUSES } from '../payments/words.js';
import { CONTRACT_ROW } from '../contracts/operations.js';
import { AccessActs, AccessFacts, readAccess } from './access.js';

const GIVEN = '$search: String, $oldestFirst: Boolean!, $cursor: String';
const LISTED = 'workers(search: $search, oldestFirst: $oldestFirst, limit: 50, cursor: $cursor)';

/** Viewers do not see email addresses. */
const listWorkers = {
  inFull: graphql(`query workers(${GIVEN}) { ${LISTED} { nodes { id name email createdAt } nextCursor } }`),
  byName: graphql(`query workers(${GIVEN}) { ${LISTED} { nodes { id name createdAt } nextCursor } }`),
};

type WorkerRow = RowOf<typeof listWorkers.byName, 'workers'> & { email?: string };

const OF_WORKER = `
  contracts(workerId: $id, limit: 50, cursor: $cursor) {
    nodes { ${CONTRACT_ROW} details { workerSignedAt } }
    nextCursor
  }
  payees(workerId: $id, limit: 1) { nodes { verificationStatus heldUntil stoppedAt } }
  payments(workerId: $id, limit: 20) { nodes { id status netAmount { amount currency } scheduledDate } nextCursor }`;

type PayeeOfWorker = RowOf<typeof readWorker.byName, 'payees'>;

const readWorker = {
  inFull: graphql(`query worker($id: ID!, $cursor: String) { worker(id: $id) { id name email } ${OF_WORKER} }`),
  byName: graphql(`query worker($id: ID!, $cursor: String) { worker(id: $id) { id name } ${OF_WORKER} }`),
};

export const workerPages: RouteTable = {
  'GET /workspaces/:workspaceId/workers': workerList,
  'GET /workspaces/:workspaceId/workers/:id': workerPage,
};

async function workerList(ctx: ConsoleContext): Promise<PageView> {
  const { run, path, role } = await requireMember(ctx);
  const search = searchIn(ctx);
  const { order, kept, ...page } = pageIn(ctx);
  const given = { search: search || null, ...page };
  const { workers } = await (role === 'viewer' ? run(listWorkers.byName, given) : run(listWorkers.inFull, given));
  const body = (
    <>
      {role !== 'viewer' && <LinkButton href={`${path}/new`}>Add a worker</LinkButton>}
      <Filters kept={kept}>
        <Field name="search" label="Search" value={search} />
      </Filters>
      <Marks
        given={{ search, order }}
        words={{ search: (value) => `“${value}”` }}
        rows={workers.nodes}
        isMore={workers.nextCursor !== null}
      />
      <Table<WorkerRow>
        caption="Workers"
        sorted="Added"
        rows={workers.nodes}
        cursor={workers.nextCursor}
        filters={{ search, order }}
        plain={['Email address']}
        empty={<NoWorkers isNarrowed={search !== ''} add={role === 'viewer' ? null : `${path}/new`} />}
        columns={{
          Name: ({ id, name }) => <a href={`${path}/${id}`}>{name}</a>,
          ...(role !== 'viewer' && { 'Email address': ({ email }) => email }),
          Added: ({ createdAt }) => <Day of={createdAt.slice(0, 10)} />,
        }}
      />
    </>
  );
  return { title: 'Workers', body };
}

function NoWorkers({ isNarrowed, add }: { isNarrowed: boolean; add: string | null }) {
  if (isNarrowed) return <EmptyState title="No workers here">Try fewer words.</EmptyState>;
  return (
    <EmptyState title="No workers here">
      Nobody has been added yet. {add !== null && <a href={add}>Add the first worker</a>}
    </EmptyState>
  );
}

async function workerPage(ctx: ConsoleContext): Promise<PageView> {
  const visited = await requireMember(ctx);
  const { run, path, home, role } = visited;
  const given = { id: idIn(ctx), cursor: ctx.query('cursor') || null };
  const [inFull, access, done] = await Promise.all([
    role === 'viewer' ? null : run(readWorker.inFull, given),
    role === 'admin' ? run(readAccess, { id: given.id }) : null,
    readNewest(visited, ENTRIES_SHOWN, given.id, 'contracts'),
  ]);
  const { worker, contracts, payments, payees } = inFull ?? (await run(readWorker.byName, given));
  if (worker === null) throw notFound('The worker');
  const [payee] = payees.nodes;
  const email = inFull?.worker?.email;
  const payoutDetails = payee ? PAYEE_STATUSES[payee.verificationStatus] : 'None yet';
  const body = (
    <>
      <DefinitionList of={{ 'Email address': email, 'Payout details': payoutDetails }} />
      {payee && <PayeeChange of={payee} />}
      {access && <AccessFacts of={access.workerAccess} address={email} />}
      <p class="actions">
        {role !== 'viewer' && <a href={`${path}/${worker.id}/edit`}>Edit {worker.name}</a>}
        {access && (
          <AccessActs
            of={access.workerAccess}
            address={`${path}/${worker.id}`}
            hasDetails={payee !== undefined}
            hasSigned={contracts.nodes.some(({ details }) => details.workerSignedAt !== null)}
          />
        )}
      </p>
      <h2>Contracts</h2>
      <ContractTable
        caption="Contracts of this worker, newest first"
        isOfOneWorker
        contracts={contracts}
        home={home}
        empty={<EmptyState title="No contract">Nothing has been agreed on with {worker.name} yet.</EmptyState>}
      />
      {payments.nodes.length > 0 && <Payments rows={payments.nodes} home={home} />}
      {payments.nextCursor !== null && (
        <p>
          <a href={`${home}/payments?workerId=${worker.id}`}>All payments to {worker.name}</a>
        </p>
      )}
      <History entries={done.entries} home={home} id={worker.id} />
    </>
  );
  return { title: worker.name, body };
}

function PayeeChange({ of: { heldUntil, stoppedAt } }: { of: PayeeOfWorker }): VNode | null {
  if (heldUntil !== null) {
    return (
      <p>
        The payout details are on hold: they were changed, or our staff ended the access with which they were entered.
        Nothing is paid to them before <Time at={heldUntil} />, and payments that are due meanwhile wait. Until then a
        worker who signs in can stop a change, with the link mailed to them.
      </p>
    );
  }
  if (stoppedAt === null) return null;
  return (
    <p>
      The worker stopped a change of the payout details <Time at={stoppedAt} />, because somebody else may have made it.
      Payments go to the former ones.
    </p>
  );
}
