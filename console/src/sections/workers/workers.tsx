import { notFound } from '@payroll/kernel';
import { Empty, Field, Filters, LinkButton, type Page, sectionPath, Table } from '@payroll/pages';
import type { ConsoleExchange } from '../../exchange.js';
import { HistoryLink, Known } from '../../pieces.js';
import type { RouteTable } from '../../routes.js';
import { idIn, visit } from '../../visit.js';
import { ContractTable } from '../contracts/contract-table.js';
import { Payments } from '../contracts/work.js';
import { PAYEE_STATUSES } from '../payments/words.js';
import { listWorkers, readWorker, type WorkerRow } from './operations.js';

export const workerPages: RouteTable = {
  'GET /workspaces/:workspaceId/workers': workerList,
  'GET /workspaces/:workspaceId/workers/:id': workerPage,
};

async function workerList(at: ConsoleExchange): Promise<Page> {
  const { ask, path, role } = await visit(at);
  const search = at.query('search')?.trim().slice(0, 200) ?? '';
  const given = { search: search || null, cursor: at.query('cursor') || null };
  const { workers } = await (role === 'viewer' ? ask(listWorkers.byName, given) : ask(listWorkers.inFull, given));
  const body = (
    <>
      {role !== 'viewer' && (
        <p>
          <LinkButton href={`${path}/new`}>Add a worker</LinkButton>
        </p>
      )}
      <Filters>
        <Field name="search" label="Search" value={search} />
      </Filters>
      <Table<WorkerRow>
        caption="Workers, newest first"
        rows={workers.nodes}
        cursor={workers.nextCursor}
        filters={{ search }}
        empty={
          <Empty title="No workers here">{search === '' ? 'Nobody has been added yet.' : 'Try fewer words.'}</Empty>
        }
        columns={{
          Name: ({ id, name }) => <a href={`${path}/${id}`}>{name}</a>,
          ...(role !== 'viewer' && { 'E-mail address': ({ email }) => email }),
        }}
      />
    </>
  );
  return { title: 'Workers', body };
}

async function workerPage(at: ConsoleExchange): Promise<Page> {
  const { ask, path, workspaceId, role } = await visit(at);
  const given = { id: idIn(at), cursor: at.query('cursor') || null };
  const inFull = role === 'viewer' ? null : await ask(readWorker.inFull, given);
  const { worker, contracts, payments, payees } = inFull ?? (await ask(readWorker.byName, given));
  if (worker === null) throw notFound('The worker');
  const [payee] = payees.nodes;
  const payoutDetails = payee ? PAYEE_STATUSES[payee.verificationStatus] : 'None yet';
  const body = (
    <>
      <Known of={{ 'E-mail address': inFull?.worker?.email, 'Payout details': payoutDetails }} />
      <p class="actions">
        {role !== 'viewer' && <a href={`${path}/${worker.id}/edit`}>Edit {worker.name}</a>}
        {role === 'admin' && (
          <a href={`${path}/${worker.id}/payout-details`}>{payee ? 'Change payout details' : 'Add payout details'}</a>
        )}
      </p>
      <h2>Contracts</h2>
      <ContractTable
        caption="Contracts of this worker, newest first"
        {...{ contracts, path: sectionPath(workspaceId, 'contracts') }}
        empty={<Empty title="No contract">Nothing has been agreed on with {worker.name} yet.</Empty>}
      />
      {payments.nodes.length > 0 && <Payments rows={payments.nodes} path={sectionPath(workspaceId, 'payments')} />}
      <HistoryLink home={sectionPath(workspaceId, '')} id={worker.id} />
    </>
  );
  return { title: worker.name, body };
}
