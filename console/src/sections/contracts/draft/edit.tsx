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
  isFilled,
  labelOfKey,
  merged,
  pathAgain,
} from './content.js';
import { DraftFormFields } from './fields.js';
import { asInForm, problemsIn, saveOf, updateDraft } from './save.js';
import { DRAFT_FORM, isIn, isPart, labelOf, LISTS } from './table.js';

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
  const further = textOf(ctx, 'add');
  if (further !== '') return { ...editPage(visited, draft, { typed: ctx, further }), status: 200 };
  const { operationId, expectedRevision } = sentBy(ctx);
  const [typed, seen] = [contentIn(ctx), seenIn(ctx) ?? {}];
  const { input, problems } = saveOf(typed, seen);
  if (problems.length > 0) return editPage(visited, draft, { typed: ctx, problems });
  const isChanged = Object.keys(input).length > 0;
  try {
    if (isChanged) await visited.mutate(updateDraft, { id: draft.id, expectedRevision, input }, operationId);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.code === 'STALE_RESOURCE_VERSION') return { ...editPage(visited, draft, { typed: ctx }), status: 409 };
    if (error.code !== 'VALIDATION_FAILED') throw error;
    const details = asInForm(error.details ?? [], typed, seen, contentOf(draft));
    return editPage(visited, draft, { typed: ctx, problems: details });
  }
  const address = `${visited.path}/${draft.id}`;
  if (textOf(ctx, 'then') === 'worker') return { to: `${address}/worker` };
  return { to: `${address}/edit`, notice: isChanged ? `Saved at ${clock()} UTC.` : UNCHANGED };
}

const UNCHANGED = 'You changed nothing, so nothing was saved.';
const clock = (): string => new Date().toISOString().slice(11, 16);

export const isDraft = ({ status, deletedAt }: Draft): boolean => status === 'draft' && deletedAt === null;

interface Drawn {
  /** The form that is filled in again. */
  typed: SentForm | null;
  /** The list that gets one more row. */
  further?: string;
  problems?: readonly ErrorDetail[];
}

/**
 * The current draft and, if the form is shown again, the editor's changes on top. Changes of other people since then are
 * listed, so that none is overwritten unnoticed: the next save is compared with the values shown here.
 */
function editPage({ path }: WorkspaceContext, draft: Draft, { typed, further, problems = [] }: Drawn): PageView {
  const address = `${path}/${draft.id}`;
  const now = contentOf(draft);
  const sent = typed === null ? null : contentIn(typed);
  const content = typed === null || sent === null ? now : merged(now, sent, seenIn(typed) ?? {});
  const isOver = !isDraft(draft);
  const isStale = typed !== null && !isOver && textOf(typed, 'revision') !== String(draft.revision);
  const rows = recordOf(LISTS, (list) => [...content.rows[list], ...(list === further ? [''] : [])]);
  const body = (
    <>
      {isStale && <ChangeNotice changes={changesOf(typed, draft, now)}>{CHANGED}</ChangeNotice>}
      {!isOver && <Steps draft={draft} filled={now} address={address} />}
      <Form isLong>
        <OperationId />
        <input type="hidden" name="revision" value={draft.revision} />
        <input type="hidden" name="seen" value={seenText(seenOf(draft, now))} />
        {/* The Enter key activates the first button. */}
        <Button>Save</Button>
        <section class="field" aria-labelledby="worker">
          <h2 id="worker" tabIndex={-1}>
            Worker
          </h2>
          <p>{draft.worker.name ?? 'No worker is chosen yet.'}</p>
          <button type="submit" class="button button-plain" name="then" value="worker">
            Save, then choose the worker
          </button>
        </section>
        <DraftFormFields filled={{ ...content, rows }} missing={draft.missing.map((each) => each.path)} />
        <Button>Save</Button>
      </Form>
      <p class="actions">
        <a href={address}>Back to the contract</a>
      </p>
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

const PARTS = Object.keys(DRAFT_FORM).filter((name) => isPart(DRAFT_FORM[name]!));
const STEPS: Readonly<Record<string, string>> = {
  title: 'Basics',
  worker: 'Worker',
  ...Object.fromEntries(PARTS.map((name) => [name, labelOf(name)])),
};

interface StepsProps {
  draft: Draft;
  filled: Content;
  /** The path of the contract. */
  address: string;
}

/** Links to the sections of the form with the state of each, and to every field that is still missing. */
function Steps({ draft: { missing, details }, filled, address }: StepsProps): VNode {
  return (
    <>
      {details.returnReason !== null && (
        <p>
          It came back to be corrected: <span class="written">{details.returnReason}</span>
        </p>
      )}
      <ol class="way" aria-label="Sections of the draft">
        {Object.entries(STEPS).map(([id, label]) => {
          const lacking = missing.filter(({ path }) => stepOf(path) === id).length;
          const isOptional = PARTS.includes(id) && !isFilled(id, filled);
          return (
            <li key={id} class={lacking > 0 || isOptional ? undefined : 'step-done'}>
              <a href={`#${id}`}>{label}</a>{' '}
              <span class={lacking > 0 ? 'hint short' : 'hint'}>
                {lacking > 0 ? `${lacking} missing` : isOptional ? 'Optional' : 'Complete'}
              </span>
            </li>
          );
        })}
      </ol>
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

/** The section in which a missing field is filled in. */
function stepOf(path: string): string {
  return Object.keys(STEPS).find((id) => isIn(id, path)) ?? 'title';
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
