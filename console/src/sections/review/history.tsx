import { Table, Time } from '@payroll/pages';
import type { VNode } from 'preact';
import type { ReviewStep } from './operations.js';
import { byText, stepText } from './words.js';

/** The history of a piece of work, newest first. */
export function History({ of }: { of: readonly ReviewStep[] }): VNode | null {
  if (of.length === 0) return null;
  return (
    <section aria-labelledby="history">
      <h2 id="history">History</h2>
      <Table
        caption="What was done, newest first"
        plain={['By', 'When']}
        rows={of}
        columns={{
          What: (step) => stepText(step),
          By: (step) => byText(step),
          When: ({ at }) => <Time at={at} />,
          Reason: ({ reason }) => (reason === null ? null : <span class="written">{reason}</span>),
        }}
      />
    </section>
  );
}
