import { DomainError, type Role } from '@payroll/kernel';
import { Button, Form, OperationId, textOf, type Answer, type Page, type Problem, type SentForm } from '@payroll/pages';
import type { VNode } from 'preact';
import type { ConsoleExchange } from '../../../exchange.js';
import { idIn, visitAs, type Visit } from '../../../visit.js';
import { sentBy } from '../acts/sent.js';
import { changesSince, Changed, type Change, seenText } from '../../../seen.js';
import { DraftFormFields, type Filled } from './fields.js';
import { contentOf, draftWith, updateDraft, type Draft } from './operations.js';
import { rowsIn } from './read-form.js';
import { changesOf, problemsIn } from './save.js';
import { DRAFT_FORM, labelOf, valuesOf, type Values } from './table.js';

export const DRAFTERS: readonly Role[] = ['admin', 'member'];

export async function showDraft(at: ConsoleExchange): Promise<Page> {
  const visited = await visitAs(at, 'contracts', DRAFTERS);
  const draft = await draftWith(visited, idIn(at));
  return isDraft(draft) ? editPage(visited, draft) : noDraft(visited, draft);
}

export async function saveDraft(at: ConsoleExchange): Promise<Answer> {
  const visited = await visitAs(at, 'contracts', DRAFTERS);
  const draft = await draftWith(visited, idIn(at));
  if (!isDraft(draft)) return noDraft(visited, draft);
  const further = textOf(at, 'add');
  const { operationId, expectedRevision } = sentBy(at);
  if (further !== '')
    return { ...editPage(visited, draft, { typed: at, further, revision: expectedRevision }), status: 200 };
  const { input, read } = changesOf(at, draft);
  const again = (problems: Problem[]): Page => ({ ...editPage(visited, draft, { typed: at }), problems });
  if (read.problems.length > 0) return again(problemsIn({ details: read.problems }, { rows: {} }));
  try {
    await visited.tell(updateDraft, { id: draft.id, expectedRevision, input }, operationId);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.code === 'VALIDATION_FAILED') return again(problemsIn(error, read));
    if (error.code !== 'STALE_RESOURCE_VERSION' && error.code !== 'IDEMPOTENCY_KEY_REUSED') throw error;
    return { ...editPage(visited, draft, { typed: at, changes: changesOfDraft(at, draft) }), status: 409 };
  }
  const address = `${visited.path}/${draft.id}`;
  return textOf(at, 'then') === 'worker' ? { to: `${address}/worker` } : { to: `${address}/edit`, notice: 'Saved.' };
}

const isDraft = ({ status, deletedAt }: Draft): boolean => status === 'draft' && deletedAt === null;

/** By the names of its fields, as people read them. */
function seenOf(draft: Draft): Values {
  const values = Object.entries(valuesOf(DRAFT_FORM, contentOf(draft)));
  return Object.fromEntries(values.map(([path, text]) => [labelOf(path), text]));
}

function changesOfDraft(form: SentForm, draft: Draft): Change[] {
  return changesSince(form, seenOf(draft));
}

interface Drawn {
  /** The form that is filled in again. */
  typed?: SentForm;
  /** The list that gets one more row. */
  further?: string;
  /** That was seen, where nothing was compared yet. */
  revision?: number;
  changes?: Change[];
}

function editPage({ path }: Visit, draft: Draft, { typed, further, revision, changes }: Drawn = {}): Page {
  const address = `${path}/${draft.id}`;
  const seen = further !== undefined && typed ? textOf(typed, 'seen') : seenText(seenOf(draft));
  const body = (
    <>
      {changes && <Changed changes={changes}>{CHANGED}</Changed>}
      <Missing draft={draft} address={address} />
      <Form>
        <OperationId />
        <input type="hidden" name="revision" value={revision ?? draft.revision} />
        <input type="hidden" name="seen" value={seen} />
        {/* The first button is what the Enter key sends. */}
        <Button>Save</Button>
        <section class="field" aria-labelledby="worker">
          <h2 id="worker" tabIndex={-1}>
            Worker
          </h2>
          <p>{draft.worker.name ?? 'Nobody is chosen yet.'}</p>
          <button type="submit" class="button button-plain" name="then" value="worker">
            Save, then choose the worker
          </button>
        </section>
        <DraftFormFields filled={filledBy(draft, typed, further)} missing={draft.missing.map((each) => each.path)} />
        <Button>Save</Button>
      </Form>
      <p class="actions">
        <a href={address}>Back to the contract</a>
      </p>
    </>
  );
  return { title: `Edit ${draft.title}`, body };
}

const CHANGED = 'The draft has changed since you opened it. What you typed is still in the form: compare, then save.';

function filledBy(draft: Draft, typed?: SentForm, further?: string): Filled {
  const content = contentOf(draft);
  const known = valuesOf(DRAFT_FORM, content);
  const ids = content.milestones.map(({ id }) => id);
  const lists = ['milestones', 'creatorDeliverables'];
  if (!typed) {
    const rows = lists.map((list) => [list, ((content[list] ?? []) as object[]).length]);
    return { values: known, rows: Object.fromEntries(rows) as Filled['rows'], ids };
  }
  const sent = typed.body as Record<string, unknown>;
  const values = Object.fromEntries(Object.keys(sent).map((name) => [name, textOf(typed, name)]));
  const rows = lists.map((list) => [list, rowsIn(typed, list) + (list === further ? 1 : 0)]);
  return { values, rows: Object.fromEntries(rows) as Filled['rows'], ids };
}

function Missing({ draft: { missing, details }, address }: { draft: Draft; address: string }): VNode {
  return (
    <>
      {details.returnReason !== null && (
        <p>
          It came back to be corrected: <span class="written">{details.returnReason}</span>
        </p>
      )}
      {missing.length === 0 ? (
        <p>
          Nothing is missing. <a href={`${address}/submit`}>Submit it for verification</a>
        </p>
      ) : (
        <section aria-labelledby="missing">
          <h2 id="missing">Still missing</h2>
          <ul>
            {missing.map(({ path, message }) => (
              <li key={path}>
                <a href={`#${path}`}>{message}</a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function noDraft({ path }: Visit, { id, title }: Draft): Page {
  const body = (
    <p>
      Only drafts are edited, and this is none any more. <a href={`${path}/${id}`}>Open the contract</a>
    </p>
  );
  return { title: 'This cannot be edited', lead: title, body, status: 409 };
}
