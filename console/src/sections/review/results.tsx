import { errorForLog } from '@payroll/kernel';
import { type PageResponse, Table, Tag, type TagLook } from '@payroll/pages';
import type { ComponentChildren } from 'preact';
import { atMost } from '../../at-most.js';
import type { ConsoleContext } from '../../console-context.js';
import { WorkStatus } from '../../pieces.js';
import { requireRole, type WorkspaceContext } from '../../workspace-context.js';
import { type SelectedWork, readChoices } from './selected-work.js';
import { decide, type DecisionResult } from './decide.js';
import { type WorkItem, readPiece } from './work-item.js';
import { decisionText, KINDS, pieces, STATUSES } from './words.js';

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
  if (outcome.came === 'decided' && piece) return <WorkStatus of={piece} words={STATUSES[piece.kind]} />;
  const [label, look] = OUTCOMES[isOpen(outcome) ? 'unknown' : outcome.came];
  return <Tag look={look}>{label}</Tag>;
}

function detailsOf({ outcome, chosen }: Result, { workspaceId, path }: WorkspaceContext): ComponentChildren {
  switch (outcome.came) {
    case 'decided':
      return <a href={`/workspaces/${workspaceId}/payments/${outcome.paymentId}`}>See the payment</a>;
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

const NOT_APPROVED = 'Nothing was done about those that are not approved.';
const TRY_AGAIN = 'Reload this page to find out: it is never approved twice.';

/** It may have been applied: a service was down or answered too late. */
function isOpen(outcome: Result['outcome']): boolean {
  if (outcome.came !== 'refused') return outcome.came === 'unknown';
  return outcome.error.code === 'SERVICE_UNAVAILABLE' || outcome.error.code === 'INTERNAL_ERROR';
}
