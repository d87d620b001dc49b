import { notFound } from '@payroll/kernel';
import { capped, Facts, type Page } from '@payroll/pages';
import type { VNode } from 'preact';
import { today } from '../../calendar.js';
import type { ConsoleExchange } from '../../exchange.js';
import { Status, WorkStatus } from '../../pieces.js';
import { idIn, visit, type Visit } from '../../visit.js';
import { PAYMENT_STATUSES } from '../../words.js';
import { DecisionForms } from './decision-forms.js';
import { History } from './history.js';
import type { Kind } from './operations.js';
import { type Order, orderOf, type Piece, readPiece } from './piece.js';
import { STATUSES } from './words.js';

/** The page of one timesheet or milestone. */
export function showPiece(kind: Kind) {
  return async (at: ConsoleExchange): Promise<Page> => {
    const visited = await visit(at);
    const piece = await readPiece(visited, kind, idIn(at));
    if (piece === null) throw notFound('What this address names');
    return await piecePage(visited, piece, { typed: at.typed, today: await today(at) });
  };
}

interface Beside {
  today: string;
  /** Shown at the top, such as the list of changes. */
  above?: VNode;
  /** The form that is filled in again. */
  typed?: Parameters<typeof DecisionForms>[0]['typed'];
}

export async function piecePage(visited: Visit, piece: Piece, { above, typed = null, today }: Beside): Promise<Page> {
  const order = await orderOf(visited, piece);
  const mayDecide = visited.role === 'admin' && piece.status === 'submitted';
  const body = (
    <>
      {order && <Neighbours of={order} path={visited.path} />}
      {above}
      <div class="columns">
        <div class="main">
          <Facts of={factsOf(visited, piece)} />
        </div>
        {mayDecide && (
          <div class="side">
            <DecisionForms {...{ visited, piece, typed, today }} next={order?.next ?? null} />
          </div>
        )}
      </div>
      <History of={piece.reviews} />
    </>
  );
  return { title: piece.title, body };
}

function factsOf(visited: Visit, piece: Piece) {
  const written = Object.entries(piece.facts).map(([name, text]) => [name, <span class="written">{text}</span>]);
  return {
    Status: <WorkStatus of={piece} words={STATUSES[piece.kind]} />,
    Worker: piece.contract.worker.name ?? 'Nobody named',
    Contract: <a href={`/workspaces/${visited.workspaceId}/contracts/${piece.contract.id}`}>{piece.contract.title}</a>,
    ...(Object.fromEntries(written) as Record<string, VNode>),
    ...(piece.paymentId !== null && { Payout: <PaymentLink {...{ visited, piece }} /> }),
  };
}

function Neighbours({ of: { n, of, previous, next }, path }: { of: Order; path: string }): VNode {
  return (
    <nav class="actions" aria-label="What waits">
      <span class="hint">
        {n} of {capped(of)}
      </span>
      {previous && <a href={`${path}/${previous.kind}/${previous.id}`}>Previous</a>}
      {next && <a href={`${path}/${next.kind}/${next.id}`}>Next</a>}
    </nav>
  );
}

function PaymentLink({ visited: { workspaceId }, piece }: { visited: Visit; piece: Piece }): VNode {
  return (
    <>
      <a href={`/workspaces/${workspaceId}/payments/${piece.paymentId}`}>See the payment</a>{' '}
      {piece.payment && <Status of={piece.payment.status} words={PAYMENT_STATUSES} />}
    </>
  );
}
