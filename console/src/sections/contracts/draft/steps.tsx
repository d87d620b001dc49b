import type { VNode } from 'preact';
import { type Content, isFilled } from './content.js';
import type { Draft } from './operations.js';
import { DRAFT_FORM, isIn, isPart, labelOf } from './table.js';

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
export function Steps({ draft: { missing, details }, filled, address }: StepsProps): VNode {
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
