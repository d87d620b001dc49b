import { isId } from '@payroll/kernel';
import { type PageResponse, EmptyState, queryOf, Table } from '@payroll/pages';
import type { VNode } from 'preact';
import type { ConsoleContext } from '../console-context.js';
import { graphql, type ResultOf } from '../operations.js';
import type { RouteTable } from '../routes.js';
import { orUnread, searchIn, requireMember, type WorkspaceContext } from '../workspace-context.js';
import { ContractTable } from './contracts/contracts.js';
import { listPayments, type PaymentRow } from './payments/operations.js';
import { UnreadPayments } from '../pieces.js';
import { PaymentTable } from './payments/payments.js';
import { CONTRACT_ROW } from './contracts/operations.js';

const find = graphql(`
  query find($search: String!) {
    contracts(search: $search, limit: 10) { nodes { ${CONTRACT_ROW} } nextCursor }
    workers(search: $search, limit: 10) { nodes { id name } nextCursor }
  }`);

const findById = graphql('query findById($id: ID!) { contract(id: $id) { id } worker(id: $id) { id } }');
const findPayment = graphql('query findPayment($id: ID!) { payment(id: $id) { id } }');

export const searchPages: RouteTable = { 'GET /workspaces/:workspaceId/search': search };

/** Matching contracts and workers, with the newest payments under those contracts. Searching for an id redirects to its page. */
async function search(ctx: ConsoleContext): Promise<PageResponse> {
  const visited = await requireMember(ctx);
  const text = searchIn(ctx, 'q');
  if (text === '') return { title: 'Find', body: <p>Type a title, a name, a reference or an id.</p> };
  const known = isId(text) ? await pathOf(visited, text) : null;
  if (known !== null) return { to: known };
  const found = await visited.run(find, { search: text });
  const payments = await orUnread(paymentsUnder(visited, found.contracts.nodes));
  return { title: `“${text}”`, body: <Results {...found} payments={payments} home={visited.home} text={text} /> };
}

interface ResultsProps extends ResultOf<typeof find> {
  /** Null while they cannot be read. */
  payments: readonly PaymentRow[] | null;
  home: string;
  text: string;
}

function Results({ contracts, workers, payments, home, text }: ResultsProps): VNode {
  return (
    <>
      {contracts.nodes.length + workers.nodes.length === 0 && (
        <EmptyState title="Nothing is found">Try fewer words, or a part of a name.</EmptyState>
      )}
      {workers.nodes.length > 0 && (
        <Table
          caption="Workers that are found"
          rows={workers.nodes}
          columns={{ Worker: ({ id, name }) => <a href={`${home}/workers/${id}`}>{name}</a> }}
        />
      )}
      {workers.nextCursor !== null && <All of="workers" home={home} text={text} />}
      {contracts.nodes.length > 0 && (
        <ContractTable
          caption="Contracts that are found"
          contracts={{ ...contracts, nextCursor: null }}
          home={home}
          empty={<></>}
        />
      )}
      {contracts.nextCursor !== null && <All of="contracts" home={home} text={text} />}
      {payments === null && <UnreadPayments />}
      {payments && payments.length > 0 && (
        <>
          <h2>Payments under these contracts</h2>
          <PaymentTable caption="Payments that are found" rows={payments} home={home} />
        </>
      )}
    </>
  );
}

function All({ of, home, text }: { of: 'workers' | 'contracts' } & Pick<ResultsProps, 'home' | 'text'>): VNode {
  return (
    <p>
      <a href={`${home}/${of}${queryOf({ search: text })}`}>All {of} found</a>
    </p>
  );
}

async function pathOf({ run, home }: WorkspaceContext, id: string): Promise<string | null> {
  const [found, paid] = await Promise.all([run(findById, { id }), orUnread(run(findPayment, { id }))]);
  if (found.contract) return `${home}/contracts/${id}`;
  if (found.worker) return `${home}/workers/${id}`;
  return paid?.payment ? `${home}/payments/${id}` : null;
}

const NONE = { status: null, workerId: null, scheduledFrom: null, scheduledTo: null, oldestFirst: false, cursor: null };

async function paymentsUnder({ run }: WorkspaceContext, contracts: readonly { id: string }[]) {
  const read = ({ id }: { id: string }) => run(listPayments, { ...NONE, contractId: id, limit: 3 });
  return (await Promise.all(contracts.slice(0, 5).map(read))).flatMap(({ payments }) => payments.nodes);
}
