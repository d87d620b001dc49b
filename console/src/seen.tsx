import { hash } from 'node:crypto';
import { type SentForm, Table, textOf } from '@payroll/pages';
import type { VNode } from 'preact';

/** What somebody had before them, by its name. A form carries it so that a change can be shown; it is believed for nothing else. */
export type Seen = Readonly<Record<string, string>>;

export interface Change {
  id: string;
  seen: string;
  now: string;
  /** The sender's text, where they changed it to something else. */
  typed?: string;
}

/** What is kept of a long text: enough to see what it was. */
const LONGEST_SEEN = 500;

/** The value of a form's field `seen`. */
export function seenText(seen: Seen): string {
  return JSON.stringify(seen, (_name, value: unknown) => (typeof value === 'string' ? shortened(value) : value));
}

/** All differences from what the sender saw, including values that were added or removed. */
export function changesSince(form: SentForm, now: Seen): Change[] {
  const seen = seenIn(form);
  if (seen === null) return [];
  return [...new Set([...Object.keys(seen), ...Object.keys(now)])].flatMap((id) => {
    const [before, after] = [seen[id] ?? '', shortened(now[id] ?? '')];
    return before === after ? [] : [{ id, seen: before, now: after }];
  });
}

/** What the sender of a form saw, with long texts shortened; null if the form does not carry it. */
export function seenIn(form: SentForm): Seen | null {
  try {
    const seen: unknown = JSON.parse(textOf(form, 'seen'));
    const isSeen =
      typeof seen === 'object' && seen !== null && Object.values(seen).every((each) => typeof each === 'string');
    return isSeen && !Array.isArray(seen) ? (seen as Seen) : null;
  } catch {
    return null;
  }
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

/** Above a form that was not carried out because somebody else was faster. */
export function Changed({ changes, title = 'Nothing was done', children }: ChangedProps): VNode {
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
