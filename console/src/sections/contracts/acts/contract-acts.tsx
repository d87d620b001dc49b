import type { VNode } from 'preact';
import type { Visit } from '../../../visit.js';
import { DRAFTERS } from '../draft/edit.js';
import { openActs, type Standing } from './acts.js';

interface ContractActsProps {
  visited: Visit;
  contract: Standing & { id: string };
  /** Whether the client submits the work of this contract. */
  maySubmit: boolean;
}

/** The actions open to this person: the next step as a button, the others in a menu, irreversible ones last. */
export function ContractActs({ visited: { path, role }, contract, maySubmit }: ContractActsProps): VNode {
  const address = `${path}/${contract.id}`;
  const isDraft = contract.status === 'draft' && contract.deletedAt === null;
  const edit = isDraft && DRAFTERS.includes(role) ? [{ slug: 'edit', label: 'Edit the draft' }] : [];
  const acts = openActs(role, contract);
  const [first, ...others] = [...acts.filter(({ look = 'main' }) => look === 'main'), ...edit];
  const more = [...others, ...acts.filter(({ look }) => look === 'plain')];
  const dangers = acts.filter(({ look }) => look === 'danger');
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
