import { isId, notFound } from '@payroll/kernel';
import { type Answer, OPERATION_FIELD, problemsOf, textOf, type Wording } from '@payroll/pages';
import type { VNode } from 'preact';
import { today } from '../../calendar.js';
import type { ConsoleExchange } from '../../exchange.js';
import { Changed, changesSince } from '../../seen.js';
import { idIn, visitAs, type Visit } from '../../visit.js';
import { decide, type Outcome } from './decide.js';
import type { Kind } from './operations.js';
import { type Piece, readPiece } from './piece.js';
import { piecePage } from './piece-page.js';
import { decisionText, KINDS } from './words.js';

const WORDING: Wording = {
  'reason too_short': 'Write why it is rejected',
  'reason too_long': 'The reason must be 2,000 characters or fewer',
  'reason invalid_characters': 'The reason contains characters that are not allowed',
  total: 'No bank can pay this total. Reject it, or have it corrected',
  amount: 'No bank can pay this amount. Reject it, or have it corrected',
};

/** Handles the form of a single piece. Every result shows the piece's current page. */
export function decideOne(kind: Kind, what: 'approve' | 'reject') {
  return async (at: ConsoleExchange): Promise<Answer> => {
    const visited = await visitAs(at, ['admin']);
    const id = idIn(at);
    const chosen = { kind, id, version: textOf(at, 'version'), operationId: textOf(at, OPERATION_FIELD) };
    const outcome = await decide(visited, chosen, what === 'reject' ? textOf(at, 'reason') : undefined);
    switch (outcome.came) {
      case 'decided':
        return { to: `${visited.path}/${nextOf(at) ?? `${kind}/${id}`}`, notice: noticeOf(what, nextOf(at) !== null) };
      case 'gone':
        throw notFound('What this address names');
      case 'refused':
        return await refusedPage(visited, at, chosen, outcome);
      case 'late':
      case 'changed':
        return {
          ...(await piecePage(visited, outcome.piece, {
            above: <Why {...{ outcome, at }} />,
            typed: at,
            today: await today(at),
          })),
          status: 409,
        };
    }
  };
}

/** The piece that the form asks to show next, if any. */
function nextOf(at: ConsoleExchange): string | null {
  const [kind = '', id = ''] = textOf(at, 'next').split('/');
  return Object.hasOwn(KINDS, kind) && isId(id) ? `${kind}/${id}` : null;
}

function noticeOf(what: 'approve' | 'reject', goesOn: boolean): string {
  if (what === 'reject') return goesOn ? 'Rejected. This is the next one.' : 'Rejected.';
  if (goesOn) return 'Approved. Its payment has been created. This is the next one.';
  return 'Approved. Its payment has been created; how far that is stands below.';
}

/** Shows the form again with its input, for example when the reason is missing. */
async function refusedPage(
  visited: Visit,
  at: ConsoleExchange,
  { kind, id }: { kind: Kind; id: string },
  { error }: Outcome & { came: 'refused' },
): Promise<Answer> {
  const problems = problemsOf(error, WORDING);
  const piece = await readPiece(visited, kind, id);
  if (piece === null) throw notFound('What this address names');
  return { ...(await piecePage(visited, piece, { typed: at, today: await today(at) })), problems };
}

interface WhyProps {
  outcome: Extract<Outcome, { piece: Piece }>;
  at: ConsoleExchange;
}

/** Why nothing was done, and the differences from the values that were shown. */
function Why({ outcome: { came, piece }, at }: WhyProps): VNode {
  const changes = changesSince(at, piece.facts);
  return (
    <Changed changes={changes} title={came === 'late' ? 'It was decided already' : 'Nothing was done'}>
      {reasonText(came, piece, changes.length > 0)}
    </Changed>
  );
}

function reasonText(came: WhyProps['outcome']['came'], { status, reviews }: Piece, isVisible: boolean): string {
  switch (came) {
    case 'late':
      return `${decisionText(status, reviews)}. What you decided after that changed nothing.`;
    case 'changed':
      return isVisible
        ? `It has changed since you opened it. ${AGAIN}`
        : `It was rejected and submitted again since you opened it, with nothing changed. ${AGAIN}`;
  }
}

const AGAIN = 'Look at it once more, and decide about what it is now.';
