import { DomainError, type ErrorCode, isId, notFound } from '@payroll/kernel';
import { type PageResponse, OPERATION_FIELD, problemsOf, textOf, type FieldMessages } from '@payroll/pages';
import type { VNode } from 'preact';
import { type WorkspaceContext, idIn, requireRole } from '../../workspace-context.js';
import type { SelectedWork } from './selected-work.js';
import { APPROVE, REJECT, type Kind } from './operations.js';
import { type WorkItem, readPiece } from './work-item.js';
import type { ConsoleContext } from '../../console-context.js';
import { ChangeNotice, changesSince } from '../../snapshot.js';
import { piecePage } from './work-item-page.js';
import { decisionText, KINDS } from './words.js';

/** The result of a decision. Only `decided` has changed anything. */
export type DecisionResult =
  | { came: 'decided'; paymentId: string | null }
  /** Another person, or the same one in another window, decided first. */
  | { came: 'late'; piece: WorkItem }
  /** The current version is not the one that was shown. */
  | { came: 'changed'; piece: WorkItem }
  | { came: 'gone' }
  | { came: 'refused'; error: DomainError };

/** Idempotent by its operation id. @throws Error anything but a DomainError */
export async function decide(visit: WorkspaceContext, chosen: SelectedWork, reason?: string): Promise<DecisionResult> {
  const { kind, id, version: expectedVersion, operationId } = chosen;
  if (!isId(operationId)) return { came: 'refused', error: new DomainError('INVALID_STATE', INCOMPLETE) };
  try {
    const { decided } =
      reason === undefined
        ? await visit.mutate(APPROVE[kind], { id, expectedVersion }, operationId)
        : await visit.mutate(REJECT[kind], { id, expectedVersion, reason }, operationId);
    return { came: 'decided', paymentId: decided.paymentId };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.code === 'NOT_FOUND') return { came: 'gone' };
    return NOT_AS_SEEN.has(error.code) ? await whatItIsNow(visit, chosen, error) : { came: 'refused', error };
  }
}

const INCOMPLETE = 'The form was not complete, so nothing was done. Look at the work once more, then decide.';

const NOT_AS_SEEN: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['STALE_RESOURCE_VERSION', 'INVALID_STATE']);

async function whatItIsNow(
  visit: WorkspaceContext,
  { kind, id, version }: SelectedWork,
  error: DomainError,
): Promise<DecisionResult> {
  const piece = await readPiece(visit, kind, id);
  if (piece === null) return { came: 'gone' };
  if (piece.status !== 'submitted') return { came: 'late', piece };
  return piece.version === version ? { came: 'refused', error } : { came: 'changed', piece };
}

const WORDING: FieldMessages = {
  'reason too_short': 'Write why it is rejected',
  'reason too_long': 'The reason must be 2,000 characters or fewer',
  'reason invalid_characters': 'The reason contains characters that are not allowed',
  total: 'No bank can pay this total. Reject it, or have it corrected',
  amount: 'No bank can pay this amount. Reject it, or have it corrected',
};

/** Handles the form of a single piece. Every result shows the piece's current page. */
export function decideOne(kind: Kind, what: 'approve' | 'reject') {
  return async (ctx: ConsoleContext): Promise<PageResponse> => {
    const visited = await requireRole(ctx, ['admin']);
    const id = idIn(ctx);
    const chosen = { kind, id, version: textOf(ctx, 'version'), operationId: textOf(ctx, OPERATION_FIELD) };
    const outcome = await decide(visited, chosen, what === 'reject' ? textOf(ctx, 'reason') : undefined);
    switch (outcome.came) {
      case 'decided':
        return {
          to: `${visited.path}/${nextOf(ctx) ?? `${kind}/${id}`}`,
          notice: noticeOf(what, nextOf(ctx) !== null),
        };
      case 'gone':
        throw notFound('What this address names');
      case 'refused': {
        const problems = problemsOf(outcome.error, WORDING);
        const piece = await readPiece(visited, kind, id);
        if (piece === null) throw notFound('What this address names');
        return { ...(await piecePage(visited, ctx, piece)), problems };
      }
      case 'late':
      case 'changed':
        return {
          ...(await piecePage(visited, ctx, outcome.piece, <Why outcome={outcome} ctx={ctx} />)),
          status: 409,
        };
    }
  };
}

/** The piece that the form asks to show next, if any. */
function nextOf(ctx: ConsoleContext): string | null {
  const [kind = '', id = ''] = textOf(ctx, 'next').split('/');
  return Object.hasOwn(KINDS, kind) && isId(id) ? `${kind}/${id}` : null;
}

function noticeOf(what: 'approve' | 'reject', goesOn: boolean): string {
  if (what === 'reject') return goesOn ? 'Rejected. This is the next one.' : 'Rejected.';
  if (goesOn) return 'Approved. This creates its payment. Here is the next one.';
  return 'Approved. This creates its payment: how far that is stands below.';
}

interface WhyProps {
  outcome: Extract<DecisionResult, { piece: WorkItem }>;
  ctx: ConsoleContext;
}

/** Why nothing was done, and the differences from the values that were shown. */
function Why({ outcome: { came, piece }, ctx }: WhyProps): VNode {
  const changes = changesSince(ctx, piece.facts);
  if (came === 'late') {
    const decision = decisionText(piece.status, piece.reviews);
    return (
      <ChangeNotice changes={changes} title="It was decided already">
        {`${decision}. What you decided after that changed nothing.`}
      </ChangeNotice>
    );
  }
  const what =
    changes.length > 0
      ? 'It has changed since you opened it.'
      : 'It was rejected and submitted again since you opened it, with nothing changed.';
  return (
    <ChangeNotice changes={changes}>{`${what} Look at it once more, and decide about what it is now.`}</ChangeNotice>
  );
}
