import { Button, EmptyState, Filters, Form, Marks, type PageView, queryOf, Select, Table } from '@payroll/pages';
import type { VNode } from 'preact';
import type { RouteTable } from '../../routes.js';
import { confirmChosen, approveChosen } from './approve-chosen.js';
import { decideOne } from './decide.js';
import { showPiece } from './work-item-page.js';
import type { ConsoleContext } from '../../console-context.js';
import { totalsOf, chosen, moneyText, unitOf, unitsText } from '../../words.js';
import { pageIn, requireMember } from '../../workspace-context.js';
import { Amount, Day, WorkerLink } from '../../pieces.js';
import { type QueuedWork, readQueue } from './operations.js';
import { choiceOf, readChoices } from './selected-work.js';
import { GROUP_FILTER, KIND_FILTER, KINDS, noneText, pieces, waitingText, workText } from './words.js';

const SECTION = '/workspaces/:workspaceId/review';

export const reviewPages: RouteTable = {
  [`GET ${SECTION}`]: queue,
  [`POST ${SECTION}/confirm`]: confirmChosen,
  [`POST ${SECTION}/approve`]: approveChosen,
  [`GET ${SECTION}/timesheet/:id`]: showPiece('timesheet'),
  [`POST ${SECTION}/timesheet/:id/approve`]: decideOne('timesheet', 'approve'),
  [`POST ${SECTION}/timesheet/:id/reject`]: decideOne('timesheet', 'reject'),
  [`GET ${SECTION}/milestone/:id`]: showPiece('milestone'),
  [`POST ${SECTION}/milestone/:id/approve`]: decideOne('milestone', 'approve'),
  [`POST ${SECTION}/milestone/:id/reject`]: decideOne('milestone', 'reject'),
};

async function queue(ctx: ConsoleContext): Promise<PageView> {
  const { run, path, home, role } = await requireMember(ctx);
  const { order, kept, ...page } = pageIn(ctx, 'oldest');
  const filter = { kind: chosen(ctx.query('kind'), KINDS), group: chosen(ctx.query('group'), GROUP_FILTER), order };
  const { reviewQueue, reviewQueueCount } = await run(readQueue, { kind: filter.kind || null, ...page });
  const { nodes, nextCursor } = reviewQueue;
  const isReviewer = role === 'admin';
  const isAll = ctx.query('select') === 'all';
  // The selection from before the session ended.
  const back = ctx.typed ? readChoices(ctx.typed).map((each) => choiceOf(each)) : [];
  const elsewhere = back.filter((choice) => !nodes.some((work) => choiceOf(work) === choice));
  const isChosen = (work: QueuedWork): boolean => isAll || back.includes(choiceOf(work));
  const body = (
    <>
      <Filters kept={kept}>
        <Select name="kind" label="Kind" options={KIND_FILTER} value={filter.kind} />
        <Select name="group" label="Group by" options={GROUP_FILTER} value={filter.group} />
      </Filters>
      <Marks given={filter} words={MARKS} rows={nodes} isMore={nextCursor !== null} />
      {isReviewer && nodes.length > 1 && (
        <p>
          <a href={queryOf({ ...filter, cursor: page.cursor ?? '', select: isAll ? '' : 'all' })}>
            {isAll ? 'Select none' : 'Select all on this page'}
          </a>
        </p>
      )}
      {nodes.length === 0 && (
        <EmptyState title={noneText(filter.kind)}>Work shows up here as soon as it is submitted.</EmptyState>
      )}
      {groupsOf(nodes, filter.group).map(([name, works]) => (
        <Group
          key={name}
          name={name}
          works={works}
          isPart={nextCursor !== null || page.cursor !== null}
          home={home}
          filter={filter}
          isReviewer={isReviewer}
          isChosen={isChosen}
        />
      ))}
      {nextCursor !== null && (
        <p>
          <a href={queryOf({ ...filter, cursor: nextCursor })}>
            Show what came {order === 'oldest' ? 'later' : 'before'}
          </a>
        </p>
      )}
      {isReviewer && nodes.length > 0 && <ApproveForm path={path} elsewhere={elsewhere} nodes={nodes} />}
    </>
  );
  return { title: 'Review', lead: waitingText(reviewQueueCount, filter.kind), body };
}

const MARKS = { kind: (value: string) => KIND_FILTER[value as keyof typeof KIND_FILTER] };

/** Groups by their oldest work; a single group without a name if the list is not grouped. */
function groupsOf(nodes: readonly QueuedWork[], group: string): [name: string, works: QueuedWork[]][] {
  if (nodes.length === 0) return [];
  return [
    ...Map.groupBy(nodes, ({ contract }) => {
      if (group === '') return '';
      return group === 'worker' ? (contract.worker.name ?? 'No worker yet') : contract.title;
    }),
  ];
}

type GroupProps = Offered & {
  name: string;
  works: readonly QueuedWork[];
  /** Whether other pages of the list may have more of it. */
  isPart: boolean;
};

function Group({ name, works, isPart, ...offered }: GroupProps): VNode {
  if (name === '') return <WorkTable works={works} {...offered} />;
  return (
    <section>
      <h2 class="group pick">
        {offered.isReviewer && (
          <input
            type="checkbox"
            form={CHOSEN_FORM}
            name="piece"
            value={works.map((work) => choiceOf(work)).join(' ')}
            data-group
            aria-label={`Select all of ${name}`}
          />
        )}
        <span>
          {name}{' '}
          <span class="hint amount">
            {isPart && 'On this page: '}
            {sumText(works)}
          </span>
        </span>
      </h2>
      <WorkTable works={works} {...offered} />
    </section>
  );
}

/** The id of the form below the tables, to which their checkboxes belong. */
const CHOSEN_FORM = 'chosen';

interface Offered {
  home: string;
  filter: Readonly<Record<string, string>>;
  isReviewer: boolean;
  isChosen: (work: QueuedWork) => boolean;
}

function WorkTable({ works, ...offered }: Offered & { works: readonly QueuedWork[] }): VNode {
  return (
    <Table
      caption="Work that waits for a review"
      rows={works}
      sorted="Submitted"
      filters={offered.filter}
      columns={{
        Work: (work) => <WorkCell work={work} {...offered} />,
        ...(offered.filter['group'] !== 'worker' && {
          Worker: ({ contract: { worker } }: QueuedWork) => <WorkerLink of={worker} home={offered.home} />,
        }),
        ...(offered.filter['group'] !== 'contract' && { Contract: ({ contract }: QueuedWork) => contract.title }),
        Submitted: ({ submittedAt }) => <Day of={submittedAt.slice(0, 10)} />,
        'Pay date': ({ paymentScheduledDate }) => <Day of={paymentScheduledDate} none="At once" />,
        Pays: ({ amount }) => <Amount of={amount} />,
      }}
      numbers={['Pays']}
      plain={['Worker', 'Contract', 'Pays']}
    />
  );
}

function WorkCell({ work, home, isReviewer, isChosen }: Omit<Offered, 'filter'> & { work: QueuedWork }): VNode {
  const { kind, id, contract, amount } = work;
  const text = workText(work);
  return (
    <div class="pick">
      {isReviewer && (
        <input
          type="checkbox"
          form={CHOSEN_FORM}
          name="piece"
          value={choiceOf(work)}
          data-amount={amount.amount}
          data-currency={amount.currency}
          checked={isChosen(work)}
          aria-label={`Select ${text}, ${contract.worker.name ?? contract.title}`}
        />
      )}
      <div>
        <a href={`${home}/review/${kind}/${id}`}>{text}</a>
        <p class="hint">{howMuch(work)}</p>
      </div>
    </div>
  );
}

/** "10 hours at 50.00 EUR", or "Milestone". */
function howMuch({ kind, unitsWorked, rate, amount: { currency }, contract }: QueuedWork): string {
  if (unitsWorked === null || rate === null) return KINDS[kind];
  const unit = unitOf(contract.details.compensation?.type);
  return `${unitsText(unitsWorked, unit)} at ${moneyText({ amount: rate, currency })}`;
}

const sumText = (works: readonly QueuedWork[]): string =>
  totalsOf(works.map(({ amount }) => amount))
    .map(moneyText)
    .join(', ');

interface ApproveFormProps {
  path: string;
  /** Work selected on other pages of the list, approved together with this page's. */
  elsewhere: readonly string[];
  nodes: readonly QueuedWork[];
}

/** Always in view, with the total of the page; a script adds the total of the selection. */
function ApproveForm({ path, elsewhere, nodes }: ApproveFormProps): VNode {
  return (
    <>
      <div class="bar">
        <Form id={CHOSEN_FORM} action={`${path}/confirm`}>
          {elsewhere.map((choice) => (
            <input key={choice} type="hidden" name="piece" value={choice} />
          ))}
          <Button>Approve selected</Button>
          <p role="status" class="amount" />
          {elsewhere.length > 0 && (
            <p class="hint">With {pieces(elsewhere.length)} that you selected on another page of this list.</p>
          )}
          <p class="hint">On this page: {sumText(nodes)}</p>
        </Form>
      </div>
      <p class="hint keys">
        <kbd>j</kbd> leads to the list. There <kbd>j</kbd> and <kbd>k</kbd> lead down and up, <kbd>x</kbd> selects,{' '}
        <kbd>a</kbd> approves what is selected, and <kbd>r</kbd> opens a piece to reject it.
      </p>
    </>
  );
}
