import { notFound } from '@payroll/kernel';
import {
  Button,
  capped,
  DefinitionList,
  Field,
  Form,
  OperationId,
  type PageView,
  type SentForm,
  Table,
  Tag,
  textOf,
  Time,
} from '@payroll/pages';
import type { VNode } from 'preact';
import { today } from '../../deployment.js';
import type { ConsoleContext } from '../../console-context.js';
import { Status, WorkerLink } from '../../pieces.js';
import { idIn, requireMember, type WorkspaceContext } from '../../workspace-context.js';
import { CONTRACT_STATUSES, PAYMENT_STATUSES } from '../../words.js';
import { seenText } from '../../snapshot.js';
import type { Kind, ReviewStep } from './operations.js';
import { type Neighbour, type Order, orderOf, type WorkItem, readPiece } from './work-item.js';
import { obstaclesOf } from './obstacles.js';
import { byText, FAILS_WITHOUT_DETAILS, STATUSES, stepText } from './words.js';

/** The page of one timesheet or milestone. */
export function showPiece(kind: Kind) {
  return async (ctx: ConsoleContext): Promise<PageView> => {
    const visited = await requireMember(ctx);
    const piece = await readPiece(visited, kind, idIn(ctx));
    if (piece === null) throw notFound('What this address names');
    return await piecePage(visited, ctx, piece);
  };
}

/** @param above shown at the top, such as the list of changes */
export async function piecePage(
  visited: WorkspaceContext,
  ctx: ConsoleContext,
  piece: WorkItem,
  above?: VNode,
): Promise<PageView> {
  const mayDecide = visited.role === 'admin' && piece.status === 'submitted';
  const [order, obstacles, day] = await Promise.all([
    orderOf(visited, piece),
    obstaclesOf(visited.run, mayDecide ? [piece] : []),
    today(ctx),
  ]);
  const body = (
    <>
      {order && <Neighbours of={order} path={visited.path} />}
      {above}
      <div class="columns">
        <div class="main">
          <DefinitionList of={factsOf(visited, piece)} />
        </div>
        {mayDecide && (
          <div class="side">
            <DecisionForms
              visited={visited}
              piece={piece}
              typed={ctx.typed}
              today={day}
              willFail={obstacles.size > 0}
              next={order?.next ?? null}
            />
          </div>
        )}
      </div>
      <History of={piece.reviews} />
    </>
  );
  return { title: piece.title, body };
}

function factsOf(visited: WorkspaceContext, piece: WorkItem) {
  const written = Object.entries(piece.facts).map(([name, text]) => [name, <span class="written">{text}</span>]);
  return {
    Status: <Status of={piece.status} payment={piece.payment} words={STATUSES[piece.kind]} />,
    Worker: <WorkerLink of={piece.contract.worker} home={visited.home} />,
    Contract: <ContractLink of={piece.contract} home={visited.home} />,
    ...(Object.fromEntries(written) as Record<string, VNode>),
    Payout: piece.paymentId !== null && (
      <>
        <a href={`${visited.home}/payments/${piece.paymentId}`}>See the payment</a>{' '}
        {piece.payment && <Status of={piece.payment.status} words={PAYMENT_STATUSES} />}
      </>
    ),
  };
}

/** Says where the contract is over: its work can still be approved. */
function ContractLink({ of, home }: { of: WorkItem['contract']; home: string }): VNode {
  const { id, title, status, deletedAt } = of;
  return (
    <>
      <a href={`${home}/contracts/${id}`}>{title}</a>{' '}
      {deletedAt !== null ? (
        <Tag look="bad">Deleted</Tag>
      ) : (
        OVER.has(status) && <Status of={status} words={CONTRACT_STATUSES} />
      )}
    </>
  );
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

interface DecisionFormsProps {
  today: string;
  /** Its payout, for the payout details of its worker. */
  willFail: boolean;
  visited: WorkspaceContext;
  piece: WorkItem;
  /** The form that is filled in again; null for new ones. */
  typed: SentForm | null;
  /** The piece after it in the queue, if any. */
  next: Neighbour | null;
}

/** For members who may decide. Each form is one operation; both decide about the version shown above them. */
function DecisionForms({ visited, piece, typed, today, willFail, next }: DecisionFormsProps): VNode {
  const address = `${visited.path}/${piece.kind}/${piece.id}`;
  return (
    <>
      <section aria-labelledby="approve">
        <h2 id="approve">Approve</h2>
        <p>{piece.consequence(today)}</p>
        {willFail && <p class="notice notice-wait">{FAILS_WITHOUT_DETAILS}</p>}
        <Form action={`${address}/approve`}>
          <About piece={piece} />
          <div class="actions decision">
            <Button>Approve</Button>
            {next && <ThenNext label="Approve and open the next" next={next} />}
          </div>
        </Form>
      </section>
      <section aria-labelledby="reject">
        <h2 id="reject">Reject</h2>
        {OVER.has(piece.contract.status) && (
          <p>The contract is over: work that is rejected now can no longer be corrected, and stays unpaid.</p>
        )}
        <Form action={`${address}/reject`}>
          <About piece={piece} />
          <Field
            name="reason"
            label="Reason"
            hint="Shown to the worker. At most 2,000 characters."
            type="lines"
            value={typed === null ? '' : textOf(typed, 'reason')}
          />
          <div class="actions decision">
            <Button look="danger">Reject</Button>
            {next && <ThenNext label="Reject and open the next" next={next} />}
          </div>
        </Form>
      </section>
    </>
  );
}

const OVER: ReadonlySet<string> = new Set(['completed', 'cancelled']);

/** Submits the same form, and then shows the next piece. */
function ThenNext({ label, next: { kind, id } }: { label: string; next: Neighbour }): VNode {
  return (
    <button type="submit" class="button button-quiet" name="next" value={`${kind}/${id}`}>
      {label}
    </button>
  );
}

/** The hidden fields: operation id, version and the values that were shown. */
function About({ piece }: { piece: WorkItem }): VNode {
  return (
    <>
      <OperationId />
      <input type="hidden" name="version" value={piece.version} />
      <input type="hidden" name="seen" value={seenText(piece.facts)} />
    </>
  );
}

/** The history of a piece of work, newest first. */
function History({ of }: { of: readonly ReviewStep[] }): VNode | null {
  if (of.length === 0) return null;
  return (
    <section aria-labelledby="history">
      <h2 id="history">History</h2>
      <Table
        caption="What was done, newest first"
        plain={['By', 'When']}
        rows={of}
        columns={{
          What: (step) => stepText(step),
          By: (step) => byText(step),
          When: ({ at }) => <Time at={at} />,
          Reason: ({ reason }) => (reason === null ? null : <span class="written">{reason}</span>),
        }}
      />
    </section>
  );
}
