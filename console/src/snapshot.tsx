import { hash } from 'node:crypto';
import { parseJson } from '@payroll/kernel';
import { type SentForm, Table, textOf } from '@payroll/pages';
import type { VNode } from 'preact';

/** The values that a page showed, by name. A form carries them only to show what has changed since; nothing else trusts them. */
export type Snapshot = Readonly<Record<string, string>>;

export interface Change {
  id: string;
  seen: string;
  now: string;
  /** The sender's text, where they changed it to something else. */
  typed?: string;
}

/** Characters kept of a long text: enough to recognize it. */
const LONGEST_SEEN = 500;

/** The value of a form's field `seen`. */
export function seenText(seen: Snapshot): string {
  return JSON.stringify(seen, (_name, value: unknown) => (typeof value === 'string' ? shortened(value) : value));
}

/** All differences from what the sender saw, including values that were added or removed. */
export function changesSince(form: SentForm, now: Snapshot): Change[] {
  const seen = seenIn(form);
  if (seen === null) return [];
  return [...new Set([...Object.keys(seen), ...Object.keys(now)])].flatMap((id) => {
    // A name such as `__proto__`, which none of our pages writes, is not looked up beyond the own values.
    const [before, after] = [seen[id] ?? '', Object.hasOwn(now, id) ? shortened(now[id]!) : ''];
    return before === after ? [] : [{ id, seen: before, now: after }];
  });
}

/** The values that the sender of a form saw, with long texts shortened; null if the form does not carry them. */
export function seenIn(form: SentForm): Snapshot | null {
  const seen = parseJson(textOf(form, 'seen'));
  const isSeen =
    typeof seen === 'object' && seen !== null && Object.values(seen).every((each) => typeof each === 'string');
  return isSeen && !Array.isArray(seen) ? (seen as Snapshot) : null;
}

/** A long text is its beginning and a digest, so different texts stay different. */
export function shortened(text: string): string {
  if (text.length <= LONGEST_SEEN) return text;
  const digest = hash('sha256', text, 'hex').slice(0, 16);
  return `${text.slice(0, LONGEST_SEEN)}… (${text.length} characters, SHA-256 ${digest}…)`;
}

interface ChangedProps {
  changes: readonly Change[];
  title?: string;
  children: string;
}

/** Shown above a form that was refused because another person's change came first. */
export function ChangeNotice({ changes, title = 'Nothing was done', children }: ChangedProps): VNode {
  const isContested = changes.some(({ typed }) => typed !== undefined);
  return (
    <section class="summary" role="alert" tabIndex={-1} autofocus aria-labelledby="changed">
      <h2 id="changed">{title}</h2>
      <p>{children}</p>
      {changes.length > 0 && (
        <Table
          caption="What has changed"
          rows={changes}
          columns={{
            'What has changed': ({ id }) => id,
            'You saw': ({ seen }) => <Text of={seen} />,
            'It is now': ({ now }) => <Text of={now} />,
            ...(isContested && {
              'You typed': ({ typed }: Change) => (typed === undefined ? null : <Text of={typed} />),
            }),
          }}
        />
      )}
    </section>
  );
}

function Text({ of }: { of: string }): VNode {
  return of === '' ? <span class="hint">Empty</span> : <span class="written">{of}</span>;
}
