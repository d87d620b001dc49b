import { Time } from '@payroll/pages';
import type { VNode } from 'preact';
import type { WorkspaceContext } from '../../workspace-context.js';
import type { Contract } from './operations.js';
import { DRAFTERS } from './draft/edit.js';
import { openActions, type Standing } from './actions/actions.js';

/** The steps of a contract, each with its statuses. */
const STEPS: readonly (readonly [label: string, ...states: string[]])[] = [
  ['Draft', 'draft'],
  ['Verification', 'pending_verification'],
  ['Signatures', 'ready_for_signature', 'pending_signature'],
  ['Activation', 'signed'],
  ['Active', 'active'],
  ['Ending', 'offboarding'],
  ['Completed', 'completed'],
];

/** The current step of a contract, and who acts next. Nothing for one that is cancelled or deleted. */
export function Way({ of: contract }: { of: Contract }): VNode | null {
  const here = STEPS.findIndex(([, ...states]) => states.includes(contract.status));
  if (here < 0 || contract.deletedAt !== null) return null;
  const { businessSignedAt, workerSignedAt } = contract.details;
  const signedAt = businessSignedAt && workerSignedAt && [businessSignedAt, workerSignedAt].toSorted()[1]!;
  const dates: Readonly<Record<string, string | null>> = { Draft: contract.createdAt, Signatures: signedAt };
  return (
    <>
      <ol class="way">
        {STEPS.map(([label], n) => (
          <li key={label} class={n < here ? 'step-done' : undefined} aria-current={n === here ? 'step' : undefined}>
            {label}
            {n < here && <span class="hidden">: done</span>}
            {n <= here && dates[label] && (
              <span class="hint">
                {' '}
                <Time at={dates[label]} />
              </span>
            )}
          </li>
        ))}
      </ol>
      <p>{nextText(contract)}</p>
    </>
  );
}

function nextText({ status, details: { businessSignedAt, workerSignedAt } }: Contract): string {
  if (status !== 'pending_signature') return NEXT[status] ?? '';
  if (businessSignedAt === null && workerSignedAt === null)
    return 'Next: an admin signs for the business, and the worker.';
  return businessSignedAt === null ? 'Next: an admin signs for the business.' : 'Next: the worker signs.';
}

const NEXT: Readonly<Record<string, string>> = {
  draft: 'Next: an admin or a member completes it and submits it for verification.',
  pending_verification: 'Next: an admin verifies it.',
  ready_for_signature: 'Next: an admin sends it for signature.',
  signed: 'Next: an admin activates it.',
  active: 'Work can be submitted, approved and paid.',
  offboarding: 'Next: an admin marks it as completed.',
};

interface ContractActsProps {
  visited: WorkspaceContext;
  contract: Standing & { id: string };
  /** Whether the client submits the work of this contract. */
  maySubmit: boolean;
}

/** The actions open to this person: the next step as a button, the others in a menu, irreversible ones last. */
export function ContractActs({ visited: { path, role }, contract, maySubmit }: ContractActsProps): VNode {
  const address = `${path}/${contract.id}`;
  const isDraft = contract.status === 'draft' && contract.deletedAt === null;
  const edit = isDraft && DRAFTERS.includes(role) ? [{ slug: 'edit', label: 'Edit the draft' }] : [];
  const actions = openActions(role, contract);
  const [first, ...others] = [...actions.filter(({ look = 'main' }) => look === 'main'), ...edit];
  const more = [...others, ...actions.filter(({ look }) => look === 'plain')];
  const dangers = actions.filter(({ look }) => look === 'danger');
  return (
    <nav class="acts" aria-label="What can be done">
      {first && (
        <a class="button button-main" href={`${address}/${first.slug}`}>
          {first.label}
        </a>
      )}
      {maySubmit && <a href={`${address}/timesheet`}>Submit a timesheet</a>}
      <a href={`${address}/agreement`}>Read the agreement</a>
      {more.length + dangers.length > 0 && (
        <details class="more">
          <summary>More actions</summary>
          <ul>
            {more.map(({ slug, label }) => (
              <li key={slug}>
                <a href={`${address}/${slug}`}>{label}</a>
              </li>
            ))}
            {dangers.map(({ slug, label }) => (
              <li key={slug} class="danger">
                <a href={`${address}/${slug}`}>{label}</a>
              </li>
            ))}
          </ul>
        </details>
      )}
    </nav>
  );
}
