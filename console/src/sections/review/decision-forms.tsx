import { Button, Field, Form, OperationId, type SentForm, textOf } from '@payroll/pages';
import type { VNode } from 'preact';
import type { Visit } from '../../visit.js';
import { seenText } from '../../seen.js';
import type { Neighbour, Piece } from './piece.js';

interface DecisionFormsProps {
  today: string;
  visited: Visit;
  piece: Piece;
  /** The form that is filled in again; null for new ones. */
  typed: SentForm | null;
  /** The piece after it in the queue, if any. */
  next: Neighbour | null;
}

/** For members who may decide. Each form is one operation; both decide about the version shown above them. */
export function DecisionForms({ visited, piece, typed, today, next }: DecisionFormsProps): VNode {
  const address = `${visited.path}/${piece.kind}/${piece.id}`;
  return (
    <>
      <section aria-labelledby="approve">
        <h2 id="approve">Approve</h2>
        <p>{piece.consequence(today)}</p>
        <Form action={`${address}/approve`}>
          <About piece={piece} />
          <div class="actions">
            <Button>Approve</Button>
            {next && <ThenNext label="Approve, then the next" next={next} />}
          </div>
        </Form>
      </section>
      <section aria-labelledby="reject">
        <h2 id="reject">Reject</h2>
        <Form action={`${address}/reject`}>
          <About piece={piece} />
          <Field
            name="reason"
            label="Reason"
            hint="Whoever did the work reads it. At most 2,000 characters."
            type="lines"
            value={typed === null ? '' : textOf(typed, 'reason')}
          />
          <div class="actions">
            <Button look="danger">Reject</Button>
            {next && <ThenNext label="Reject, then the next" next={next} />}
          </div>
        </Form>
      </section>
    </>
  );
}

/** Submits the same form, and then shows the next piece. */
function ThenNext({ label, next: { kind, id } }: { label: string; next: Neighbour }): VNode {
  return (
    <button type="submit" class="button button-quiet" name="next" value={`${kind}/${id}`}>
      {label}
    </button>
  );
}

/** The hidden fields: operation id, version and the values that were shown. */
function About({ piece }: { piece: Piece }): VNode {
  return (
    <>
      <OperationId />
      <input type="hidden" name="version" value={piece.version} />
      <input type="hidden" name="seen" value={seenText(piece.facts)} />
    </>
  );
}
