import { Table } from '@payroll/pages';
import type { VNode } from 'preact';

/** What somebody had before them, by its name; in a form it is for showing alone. */
export type Seen = Readonly<Record<string, string>>;

export interface Change {
  id: string;
  seen: string;
  now: string;
}

/** What a form says was seen: whatever it is, it becomes text or nothing. */
export function readSeen(text: string): Seen {
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read !== 'object' || read === null) return {};
    return Object.fromEntries(Object.entries(read).filter(([, value]) => typeof value === 'string')) as Seen;
  } catch {
    return {};
  }
}

export function changesSince(seen: Seen, now: Seen): Change[] {
  return Object.entries(now)
    .filter(([name, value]) => seen[name] !== undefined && seen[name] !== value)
    .map(([name, value]) => ({ id: name, seen: seen[name]!, now: value }));
}

/** Above a form that was not carried out because somebody else was faster. */
export function Changed({ changes, children }: { changes: readonly Change[]; children: string }): VNode {
  return (
    <section class="summary" role="alert" aria-labelledby="changed">
      <h2 id="changed">Nothing was done</h2>
      <p>{children}</p>
      {changes.length > 0 && (
        <Table
          caption="What has changed"
          rows={changes}
          columns={{
            'What has changed': ({ id }) => id,
            'You saw': ({ seen }) => seen,
            'It is now': ({ now }) => now,
          }}
        />
      )}
    </section>
  );
}
