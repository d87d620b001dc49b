import { type SentForm, Table, textOf } from '@payroll/pages';
import type { VNode } from 'preact';

/** What somebody had before them, by its name. A form carries it so that a change can be shown; it is believed for nothing else. */
export type Seen = Readonly<Record<string, string>>;

export interface Change {
  id: string;
  seen: string;
  now: string;
}

/** What is kept of a long text: enough to see what it was. */
const LONGEST_SEEN = 500;

/** The value of a form's field `seen`. */
export function seenText(seen: Seen): string {
  return JSON.stringify(seen, (_name, value: unknown) => (typeof value === 'string' ? shortened(value) : value));
}

/** What is different from what the sender of a form saw. What no form of ours carries was not seen. */
export function changesSince(form: SentForm, now: Seen): Change[] {
  const seen = readSeen(textOf(form, 'seen'));
  return Object.entries(now).flatMap(([id, text]) => {
    const [before, after] = [seen[id], shortened(text)];
    return typeof before === 'string' && before !== after ? [{ id, seen: before, now: after }] : [];
  });
}

function readSeen(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text)) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

function shortened(text: string): string {
  return text.length <= LONGEST_SEEN ? text : `${text.slice(0, LONGEST_SEEN)}… (${text.length} characters)`;
}

interface ChangedProps {
  changes: readonly Change[];
  title?: string;
  children: string;
}

/** Above a form that was not carried out because somebody else was faster. */
export function Changed({ changes, title = 'Nothing was done', children }: ChangedProps): VNode {
  return (
    <section class="summary" role="alert" aria-labelledby="changed">
      <h2 id="changed">{title}</h2>
      <p>{children}</p>
      {changes.length > 0 && (
        <Table
          caption="What has changed"
          rows={changes}
          columns={{
            'What has changed': ({ id }) => id,
            'You saw': ({ seen }) => <span class="written">{seen}</span>,
            'It is now': ({ now }) => <span class="written">{now}</span>,
          }}
        />
      )}
    </section>
  );
}
