import { recordOf, DomainError, type ErrorDetail } from '@payroll/kernel';
import { Button, Form, OperationId, textOf, type PageResponse, type PageView, type SentForm } from '@payroll/pages';
import type { VNode } from 'preact';
import type { ConsoleContext } from '../../../console-context.js';
import { EDITORS, idIn, requireRole, type WorkspaceContext, sentBy } from '../../../workspace-context.js';
import {
  changesSince,
  ChangeNotice,
  type Change,
  type Snapshot,
  seenIn,
  seenText,
  shortened,
} from '../../../snapshot.js';
import {
  byKey,
  changedIn,
  type Content,
  contentIn,
  contentOf,
  type Draft,
  draftWith,
  labelOfKey,
  merged,
  pathAgain,
  withItsPay,
} from './content.js';
import { DraftFormFields } from './fields.js';
import { asInForm, problemsIn, saveOf, updateDraft } from './save.js';
import { isNeeded, type List, LISTS } from './table.js';

export async function showDraft(ctx: ConsoleContext): Promise<PageView> {
  const visited = await requireRole(ctx, EDITORS);
  const draft = await draftWith(visited, idIn(ctx));
  return isDraft(draft) || ctx.typed ? editPage(visited, draft, { typed: ctx.typed }) : noDraft(visited, draft);
}

export async function saveDraft(ctx: ConsoleContext): Promise<PageResponse> {
  const visited = await requireRole(ctx, EDITORS);
  const draft = await draftWith(visited, idIn(ctx));
  // A colleague has submitted or cancelled it: the typed text stays in the form.
  if (!isDraft(draft)) return editPage(visited, draft, { typed: ctx });
  const [further, show] = [textOf(ctx, 'add'), textOf(ctx, 'show')];
  if (further + show !== '') return { ...editPage(visited, draft, { typed: ctx, further, show }), status: 200 };
  const { operationId, expectedRevision } = sentBy(ctx);
  const seen = seenIn(ctx) ?? {};
  const typed = withItsPay(contentIn(ctx), seen);
  const { input, problems } = saveOf(typed, seen);
  if (problems.length > 0) return editPage(visited, draft, { typed: ctx, problems });
  const isChanged = Object.keys(input).length > 0;
  let missing: readonly { path: string }[] = draft.missing;
  try {
    const given = { id: draft.id, expectedRevision, input };
    if (isChanged) ({ missing } = (await visited.mutate(updateDraft, given, operationId)).draft);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.code === 'STALE_RESOURCE_VERSION') return { ...editPage(visited, draft, { typed: ctx }), status: 409 };
    if (error.code !== 'VALIDATION_FAILED') throw error;
    const details = asInForm(error.details ?? [], typed, seen, contentOf(draft));
    return editPage(visited, draft, { typed: ctx, problems: details });
  }
  const notice = isChanged ? `Saved at ${clock()} UTC.` : UNCHANGED;
  switch (textOf(ctx, 'go')) {
    case 'worker':
      return { to: `${visited.path}/${draft.id}/worker` };
    case 'next':
      return { to: afterDraft(visited, draft.id, missing), notice };
    default:
      return { to: `${visited.path}/${draft.id}/edit`, notice };
  }
}

/** The page of the first thing that is missing, or of the step after the draft. */
export function afterDraft({ path, role }: WorkspaceContext, id: string, missing: readonly { path: string }[]): string {
  const [first] = missing;
  if (first === undefined) return `${path}/${id}/${role === 'admin' ? 'send' : 'submit'}`;
  return `${path}/${id}/${first.path === 'worker' ? 'worker' : `edit#${first.path}`}`;
}

const UNCHANGED = 'You changed nothing, so nothing was saved.';
const clock = (): string => new Date().toISOString().slice(11, 16);

export const isDraft = ({ status, deletedAt }: Draft): boolean => status === 'draft' && deletedAt === null;

interface Drawn {
  /** The form that is filled in again. */
  typed: SentForm | null;
  /** The list that gets one more row. */
  further?: string;
  show?: string;
  problems?: readonly ErrorDetail[];
}

/**
 * The current draft and, if the form is shown again, the editor's changes on top. Changes of other people since then are
 * listed, so that none is overwritten unnoticed: the next save is compared with the values shown here.
 */
function editPage(
  visited: WorkspaceContext,
  draft: Draft,
  { typed, further, show = '', problems = [] }: Drawn,
): PageView {
  const address = `${visited.path}/${draft.id}`;
  const now = contentOf(draft);
  const sent = typed === null ? null : withItsPay(contentIn(typed), seenIn(typed) ?? {});
  const content = typed === null || sent === null ? now : merged(now, sent, seenIn(typed) ?? {});
  const isOver = !isDraft(draft);
  const isStale = typed !== null && !isOver && textOf(typed, 'revision') !== String(draft.revision);
  const isFirst = (list: List): boolean => content.rows[list].length === 0 && isNeeded(list, content.values);
  const isUnsent = Object.entries(content.values).some(([path, text]) => text !== (now.values[path] ?? ''));
  const rows = recordOf(LISTS, (list) => [...content.rows[list], ...(list === further || isFirst(list) ? [''] : [])]);
  const body = (
    <>
      {isStale && <ChangeNotice changes={changesOf(typed, draft, now)}>{CHANGED}</ChangeNotice>}
      {!isOver && <Missing draft={draft} next={afterDraft(visited, draft.id, [])} />}
      <Form isLong isUnsent={isUnsent}>
        <OperationId />
        <input type="hidden" name="revision" value={draft.revision} />
        <input type="hidden" name="seen" value={seenText(seenOf(draft, now))} />
        {/* The Enter key activates the first button. */}
        <Button look="quiet">Save</Button>
        <section class="field" aria-labelledby="worker">
          <h2 id="worker" tabIndex={-1}>
            Worker
          </h2>
          <p>{draft.worker.name ?? 'No worker is chosen yet.'}</p>
          <button type="submit" class="button button-plain" name="go" value="worker">
            Save, then choose the worker
          </button>
        </section>
        <DraftFormFields
          filled={{ ...content, rows }}
          missing={draft.missing.map((each) => each.path)}
          show={show}
          usualCurrencies={draft.usualCurrencies}
        />
        <div class="actions">
          <Button name="go" value="next">
            Save and continue
          </Button>
          <a href={address}>Back to the contract</a>
        </div>
      </Form>
    </>
  );
  const shown = problems.map(({ path: at, code }) => ({ path: sent ? pathAgain(at, sent, content) : at, code }));
  const crumbs = [{ label: draft.title, path: address }];
  const page = { title: `Edit ${draft.title}`, crumbs, body };
  return isOver ? { ...page, problems: [NO_DRAFT], status: 409 } : { ...page, problems: problemsIn(shown) };
}

const NO_DRAFT = {
  field: null,
  message: 'Nothing was saved, because the contract is no longer a draft. What you typed is still in the form',
};

/** Links to the fields that are still missing, or to the next step. */
function Missing({ draft: { missing, details }, next }: { draft: Draft; next: string }): VNode {
  return (
    <>
      {details.returnReason !== null && (
        <p>
          It came back to be corrected: <span class="written">{details.returnReason}</span>
        </p>
      )}
      {missing.length === 0 ? (
        <p>
          Nothing is missing. <a href={next}>Continue</a>
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

const CHANGED =
  'The draft has changed since you opened it. The form has what it is now, with what you changed: compare, then save.';

function seenOf(draft: Draft, now: Content): Snapshot {
  return { ...byKey(now), [WORKER]: draft.worker.name ?? '' };
}

/** Not a field: the worker is chosen on a page of its own. */
const WORKER = 'Worker';

function changesOf(form: SentForm, draft: Draft, now: Content): Change[] {
  const mine = changedIn(contentIn(form), seenIn(form) ?? {});
  return changesSince(form, seenOf(draft, now)).map((change) => {
    const typed = mine[change.id] === undefined ? undefined : shortened(mine[change.id]!);
    const id = change.id === WORKER ? WORKER : labelOfKey(change.id, now);
    return { ...change, id, ...(typed !== undefined && typed !== change.now && { typed }) };
  });
}

export function noDraft({ path }: WorkspaceContext, { id, title }: Draft): PageView {
  const body = (
    <p>
      Only drafts can be edited, and this is no longer one. <a href={`${path}/${id}`}>Open the contract</a>
    </p>
  );
  return { title: 'This cannot be edited', lead: title, body, status: 409 };
}
