import { newId, errorForLog } from '@payroll/kernel';
import { type PageResponse, Button, DefinitionList, Form, Table, Tag, type TagLook } from '@payroll/pages';
import type { VNode, ComponentChildren } from 'preact';
import { today } from '../../deployment.js';
import type { ConsoleContext } from '../../console-context.js';
import { Amount, Status } from '../../pieces.js';
import { requireRole, type WorkspaceContext } from '../../workspace-context.js';
import { type SelectedWork, choiceOf, readChoices } from './selected-work.js';
import { totalsOf } from '../../words.js';
import { obstaclesOf } from './obstacles.js';
import {
  decisionText,
  FAILS_WITHOUT_DETAILS,
  isPaidAtOnce,
  KINDS,
  paidWhen,
  pieces,
  STATUSES,
  workText,
} from './words.js';
import { FAILURES } from '../payments/words.js';
import { type QueuedWork, readChosen } from './operations.js';
import { atMost } from '../../at-most.js';
import { decide, type DecisionResult } from './decide.js';
import { type WorkItem, readPiece } from './work-item.js';

/** Lists all selected work for confirmation before anything is approved. */
export async function confirmChosen(ctx: ConsoleContext): Promise<PageResponse> {
  const { run, path } = await requireRole(ctx, ['admin']);
  const chosen = readChoices(ctx);
  if (chosen.length === 0) return { to: path, notice: 'Nothing is selected. Select what you want to approve first.' };
  const { reviewQueue } = await run(readChosen, { ids: chosen.map(({ id }) => id) });
  const waiting = new Map(reviewQueue.nodes.map((work) => [work.id, work]));
  const isAsSeen = ({ id, version }: SelectedWork): boolean => waiting.get(id)?.version === version;
  const works = chosen.filter(isAsSeen).map(({ id }) => waiting.get(id)!);
  const [day, obstacles] = await Promise.all([today(ctx), obstaclesOf(run, works)]);
  const leftOut = chosen.filter((each) => !isAsSeen(each));
  const body = (
    <>
      {obstacles.size > 0 && <p class="notice notice-wait">{FAILS_WITHOUT_DETAILS}</p>}
      {works.length > 0 && <Works of={works} today={day} obstacles={obstacles} />}
      <SkippedWork leftOut={leftOut} waiting={waiting} path={path} />
      {works.length > 0 ? (
        <Confirmation works={works} path={path} />
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

interface WorksProps {
  of: readonly QueuedWork[];
  today: string;
  obstacles: Awaited<ReturnType<typeof obstaclesOf>>;
}

function Works({ of: works, today, obstacles }: WorksProps): VNode {
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
          Worker: ({ contract }) => contract.worker.name ?? 'No worker yet',
          Contract: ({ contract }) => contract.title,
          Payout: (work) => {
            const obstacle = obstacles.get(work.contract.worker.id);
            return (
              <>
                {paidWhen(work, today)} {obstacle && <Tag look="wait">{FAILURES[obstacle].short}</Tag>}
              </>
            );
          },
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

/** Concurrent approvals; each may wait a second for payments to confirm its event. */
const AT_ONCE = 25;

interface Result {
  id: string;
  chosen: SelectedWork;
  outcome: DecisionResult | { came: 'unknown' };
  /** Its current state; null if that cannot be read. */
  piece: WorkItem | null;
}

/** Approves each piece by itself. Reloaded or sent twice, the page says the same: each is approved once. */
export async function approveChosen(ctx: ConsoleContext): Promise<PageResponse> {
  const visited = await requireRole(ctx, ['admin']);
  const chosen = readChoices(ctx);
  if (chosen.length === 0) return { to: visited.path, notice: 'Nothing was selected, and nothing is approved.' };
  const results = await atMost(AT_ONCE, chosen, (each) => approveOne(ctx, visited, each));
  const approved = results.filter(({ outcome }) => outcome.came === 'decided').length;
  const others = results.length - approved;
  const body = (
    <>
      <Table
        caption="What came of each piece"
        plain={['Worker', 'Outcome', 'Details']}
        rows={results}
        columns={{
          Work: ({ chosen: { kind, id }, piece }) => (
            <a href={`${visited.path}/${kind}/${id}`}>{piece?.title ?? KINDS[kind]}</a>
          ),
          Worker: ({ piece }) => piece?.contract.worker.name ?? null,
          Outcome: (result) => <OutcomeTag of={result} />,
          Details: (result) => detailsOf(result, visited),
        }}
      />
      <p>
        <a href={visited.path}>Back to the queue</a>
      </p>
    </>
  );
  const title = others === 0 ? `${pieces(approved)} approved` : `${approved} approved, ${others} not`;
  const lead = results.some(({ outcome }) => isOpen(outcome)) ? TRY_AGAIN : NOT_APPROVED;
  return { title, lead: others === 0 ? undefined : lead, body };
}

async function approveOne(ctx: ConsoleContext, visited: WorkspaceContext, chosen: SelectedWork): Promise<Result> {
  const outcome = await decide(visited, chosen).catch((error: unknown) => unknownFor(ctx, chosen, error));
  const piece = 'piece' in outcome ? outcome.piece : await readPiece(visited, chosen.kind, chosen.id).catch(() => null);
  return { id: chosen.id, chosen, outcome, piece };
}

/** Continue with the other items. Whether this one was approved is unknown; sending the same form again shows it. */
function unknownFor(ctx: ConsoleContext, { kind, id }: SelectedWork, error: unknown): { came: 'unknown' } {
  ctx.application.log.error({ requestId: ctx.request.id, kind, id, error: errorForLog(error) }, 'an approval failed');
  return { came: 'unknown' };
}

const OUTCOMES: Readonly<Record<Result['outcome']['came'], [label: string, look: TagLook]>> = {
  decided: ['Approved', 'good'],
  late: ['Decided before', 'plain'],
  changed: ['Changed meanwhile', 'plain'],
  gone: ['Not found', 'bad'],
  refused: ['Refused', 'bad'],
  unknown: ['Not known', 'bad'],
};

/** For approved work, with the state of its payment, which may have failed since. */
function OutcomeTag({ of: { outcome, piece } }: { of: Result }) {
  if (outcome.came === 'decided' && piece) {
    return <Status of={piece.status} payment={piece.payment} words={STATUSES[piece.kind]} />;
  }
  const [label, look] = OUTCOMES[isOpen(outcome) ? 'unknown' : outcome.came];
  return <Tag look={look}>{label}</Tag>;
}

function detailsOf({ outcome, chosen }: Result, { home, path }: WorkspaceContext): ComponentChildren {
  switch (outcome.came) {
    case 'decided':
      return <a href={`${home}/payments/${outcome.paymentId}`}>See the payment</a>;
    case 'late':
      return decisionText(outcome.piece.status, outcome.piece.reviews);
    case 'changed':
      return <a href={`${path}/${chosen.kind}/${chosen.id}`}>Look at it again</a>;
    case 'gone':
      return 'There is no such work in this workspace.';
    case 'refused':
      return isOpen(outcome) ? TRY_AGAIN : outcome.error.message;
    case 'unknown':
      return TRY_AGAIN;
  }
}

const NOT_APPROVED = 'Items that are not marked as approved were not changed.';
const TRY_AGAIN = 'Reload this page to find out: it is never approved twice.';

/** It may have been applied: a service was down or answered too late. */
function isOpen(outcome: Result['outcome']): boolean {
  if (outcome.came !== 'refused') return outcome.came === 'unknown';
  return outcome.error.code === 'SERVICE_UNAVAILABLE' || outcome.error.code === 'INTERNAL_ERROR';
}
