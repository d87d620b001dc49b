import { Button, Empty, Filters, Form, Select, type SentForm, Table, Time, type Page } from '@payroll/pages';
import type { VNode } from 'preact';
import type { ConsoleExchange } from '../../exchange.js';
import { Amount } from '../../pieces.js';
import { visit } from '../../visit.js';
import { chosen } from '../../words.js';
import { type QueuedWork, readQueue } from './operations.js';
import { choiceOf, readChoices } from './chosen.js';
import { KIND_FILTER, KINDS, pieces, workText } from './words.js';

/** The checkboxes stand in the table, and belong to the form below it. */
const CHOSEN_FORM = 'chosen';

export async function queue(at: ConsoleExchange): Promise<Page> {
  const { ask, path, role } = await visit(at);
  const filter = { kind: chosen(at.query('kind'), KINDS) };
  const given = { kind: filter.kind || null, cursor: at.query('cursor') ?? null };
  const { reviewQueue, reviewQueueCount } = await ask(readQueue, given);
  const { nodes, nextCursor } = reviewQueue;
  const isReviewer = role === 'admin';
  const isAll = at.query('select') === 'all';
  const back = choicesIn(at.typed);
  const elsewhere = back.filter((choice) => !nodes.some((work) => choiceOf(work) === choice));
  const body = (
    <>
      <Filters>
        <Select name="kind" label="Kind" options={KIND_FILTER} value={filter.kind} />
      </Filters>
      {isReviewer && nodes.length > 1 && (
        <p>
          <SelectAll isAll={isAll} kind={filter.kind} cursor={given.cursor} />
        </p>
      )}
      <Works
        {...{
          of: nodes,
          nextCursor,
          filter,
          path,
          isReviewer,
          isChosen: (work) => isAll || back.includes(choiceOf(work)),
        }}
      />
      {isReviewer && nodes.length > 0 && <ApproveForm path={path} elsewhere={elsewhere} />}
    </>
  );
  return { title: 'Review', lead: waitingText(reviewQueueCount), body };
}

/** `elsewhere`: work selected on other pages of the list, which is approved with it. */
function ApproveForm({ path, elsewhere }: { path: string; elsewhere: readonly string[] }): VNode {
  return (
    <Form id={CHOSEN_FORM} action={`${path}/confirm`}>
      <p role="status" />
      {elsewhere.map((choice) => (
        <input key={choice} type="hidden" name="piece" value={choice} />
      ))}
      {elsewhere.length > 0 && (
        <p class="hint">With {pieces(elsewhere.length)} that you selected on another page of this list.</p>
      )}
      <Button>Approve selected</Button>
      <p class="hint keys">
        <kbd>j</kbd> leads to the list. There <kbd>j</kbd> and <kbd>k</kbd> lead down and up, <kbd>x</kbd> selects,{' '}
        <kbd>a</kbd> approves what is selected, and <kbd>r</kbd> opens a piece to reject it.
      </p>
    </Form>
  );
}

/** The selection from before the session ended, as choices of the queue. */
function choicesIn(typed: SentForm | null): string[] {
  return typed === null ? [] : readChoices(typed).map((each) => choiceOf(each));
}

interface Offered {
  path: string;
  isReviewer: boolean;
  isChosen: (work: QueuedWork) => boolean;
}

interface WorksProps extends Offered {
  of: readonly QueuedWork[];
  nextCursor: string | null;
  filter: Readonly<Record<string, string>>;
}

function Works({ of: works, nextCursor, filter, ...offered }: WorksProps): VNode {
  return (
    <Table
      caption="Work that waits for a review, the oldest first"
      rows={works}
      cursor={nextCursor}
      more="Show what came later"
      filters={filter}
      empty={<Empty title="Nothing waits for a review">Work shows up here as soon as it is handed in.</Empty>}
      columns={{
        Work: (work) => <WorkCell {...{ work, ...offered }} />,
        Worker: ({ contract }) => contract.worker.name ?? 'Nobody named',
        Contract: ({ contract }) => contract.title,
        Pays: ({ amount }) => <Amount of={amount} />,
        'Handed in': ({ submittedAt }) => <Time at={submittedAt} />,
      }}
    />
  );
}

function WorkCell({ work, path, isReviewer, isChosen }: Offered & { work: QueuedWork }): VNode {
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
        <a href={`${path}/${kind}/${id}`}>{text}</a>
        <p class="hint">{KINDS[kind]}</p>
      </div>
    </div>
  );
}

function SelectAll({ isAll, kind, cursor }: { isAll: boolean; kind: string; cursor: string | null }): VNode {
  const address = new URLSearchParams({
    ...(kind && { kind }),
    ...(cursor && { cursor }),
    ...(!isAll && { select: 'all' }),
  });
  return <a href={`?${address.toString()}`}>{isAll ? 'Select none' : 'Select all on this page'}</a>;
}

function waitingText(count: number): string {
  if (count === 0) return 'Nobody waits for you.';
  const shown = count > 99 ? '99+' : String(count);
  return `${shown} ${count === 1 ? 'piece of work waits' : 'pieces of work wait'} for a review, the oldest first.`;
}
