import { newId } from '@payroll/kernel';
import { type PageResponse, Button, DefinitionList, Form, Table } from '@payroll/pages';
import type { VNode } from 'preact';
import { today } from '../../deployment.js';
import type { ConsoleContext } from '../../console-context.js';
import { Amount } from '../../pieces.js';
import { requireRole } from '../../workspace-context.js';
import { type SelectedWork, choiceOf, readChoices } from './selected-work.js';
import { totalsOf } from '../../words.js';
import { isPaidAtOnce, KINDS, paidWhen, pieces, workText } from './words.js';
import { type QueuedWork, readChosen } from './operations.js';

/** Lists all selected work for confirmation before anything is approved. */
export async function confirmChosen(ctx: ConsoleContext): Promise<PageResponse> {
  const { run, path } = await requireRole(ctx, ['admin']);
  const chosen = readChoices(ctx);
  if (chosen.length === 0) return { to: path, notice: 'Nothing is selected. Select what you want to approve first.' };
  const { reviewQueue } = await run(readChosen, { ids: chosen.map(({ id }) => id) });
  const waiting = new Map(reviewQueue.nodes.map((work) => [work.id, work]));
  const isAsSeen = ({ id, version }: SelectedWork): boolean => waiting.get(id)?.version === version;
  const works = chosen.filter(isAsSeen).map(({ id }) => waiting.get(id)!);
  const day = await today(ctx);
  const leftOut = chosen.filter((each) => !isAsSeen(each));
  const body = (
    <>
      {works.length > 0 && <Works of={works} today={day} />}
      <SkippedWork {...{ leftOut, waiting, path }} />
      {works.length > 0 ? (
        <Confirmation {...{ works, path }} />
      ) : (
        <p>
          <a href={path}>Back to the queue</a>
        </p>
      )}
    </>
  );
  const atOnce = works.filter((work) => isPaidAtOnce(work, day)).length;
  const lead = `Each piece becomes a payment of its own. ${atOnceText(atOnce)}`;
  return works.length > 0
    ? { title: `Approve ${pieces(works.length)}?`, lead, body }
    : { title: 'Nothing is left to approve', status: 409, body };
}

function atOnceText(atOnce: number): string {
  if (atOnce === 0) return 'No payout is attempted by approving; below is when it is.';
  return `The payouts of ${pieces(atOnce)} are attempted as soon as you approve.`;
}

function Works({ of: works, today }: { of: readonly QueuedWork[]; today: string }): VNode {
  return (
    <>
      <Table
        caption="What you are about to approve"
        plain={['Worker', 'Contract', 'Pays']}
        rows={works}
        columns={{
          Work: (work) => (
            <>
              {workText(work)}
              <p class="hint">{KINDS[work.kind]}</p>
            </>
          ),
          Worker: ({ contract }) => contract.worker.name ?? 'Nobody named',
          Contract: ({ contract }) => contract.title,
          Payout: (work) => paidWhen(work, today),
          Pays: ({ amount }) => <Amount of={amount} />,
        }}
        numbers={['Pays']}
      />
      <section aria-labelledby="totals">
        <h2 id="totals">In all</h2>
        <DefinitionList
          of={Object.fromEntries(
            totalsOf(works.map(({ amount }) => amount)).map((total) => [total.currency, <Amount of={total} />]),
          )}
        />
      </section>
    </>
  );
}

interface LeftOutProps {
  leftOut: readonly SelectedWork[];
  waiting: ReadonlyMap<string, QueuedWork>;
  path: string;
}

/** Selected work that is left out because it changed after it was shown or no longer waits. */
function SkippedWork({ leftOut, waiting, path }: LeftOutProps): VNode | null {
  if (leftOut.length === 0) return null;
  return (
    <section class="summary" role="alert" aria-labelledby="left-out">
      <h2 id="left-out">Left out</h2>
      <ul>
        {leftOut.map(({ kind, id }) => {
          const work = waiting.get(id);
          return (
            <li key={id}>
              <a href={`${path}/${kind}/${id}`}>{work ? workText(work) : `A ${KINDS[kind].toLowerCase()}`}</a>
              {work ? ' has changed since you selected it' : ' no longer waits for a review'}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Each piece has its own operation id, so that they are approved independently. */
function Confirmation({ works, path }: { works: readonly QueuedWork[]; path: string }): VNode {
  return (
    <Form action={`${path}/approve`}>
      {works.map((work) => (
        <input key={work.id} type="hidden" name="piece" value={choiceOf(work, newId())} />
      ))}
      <div class="actions">
        <Button>Approve {pieces(works.length)}</Button>
        <a href={path}>Back to the queue</a>
      </div>
    </Form>
  );
}
