import type { VNode } from 'preact';
import type { Visit } from '../../../visit.js';
import { DRAFTERS } from '../draft/edit.js';
import { openActs, type Standing } from './acts.js';

interface ContractActsProps {
  visited: Visit;
  contract: Standing & { id: string };
}

/** What this person may do with the contract now, and the way to its text. */
export function ContractActs({ visited: { path, role }, contract }: ContractActsProps): VNode {
  const address = `${path}/${contract.id}`;
  const isDraft = contract.status === 'draft' && contract.deletedAt === null;
  return (
    <nav class="acts" aria-label="What can be done">
      <ul>
        {isDraft && DRAFTERS.includes(role) && (
          <li>
            <a class="button button-main" href={`${address}/edit`}>
              Edit the draft
            </a>
          </li>
        )}
        {openActs(role, contract).map(({ slug, label, look = 'main' }) => (
          <li key={slug}>
            <a class={`button button-${look}`} href={`${address}/${slug}`}>
              {label}
            </a>
          </li>
        ))}
        <li>
          <a href={`${address}/agreement`}>Read the agreement</a>
        </li>
      </ul>
    </nav>
  );
}
