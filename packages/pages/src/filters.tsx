import type { ComponentChildren, VNode } from 'preact';
import { Button } from './forms.js';

/**
 * Narrows the list that follows it. What is chosen stands in the address, so that it can be kept, sent on and gone back to.
 * An island sends it while somebody types.
 */
export function Filters({ children }: { children: ComponentChildren }): VNode {
  return (
    <form method="get" class="filters" role="search">
      {children}
      <Button look="plain">Show</Button>
      <p class="hidden" role="status" />
    </form>
  );
}

export interface SelectProps {
  name: string;
  label: string;
  /** Label by value, in the order in which they are shown; the empty value is for all, or for none. */
  options: Readonly<Record<string, string>>;
  value: string;
}

export function Select({ name, label, options, value }: SelectProps): VNode {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <select id={name} name={name}>
        {Object.entries(options).map(([each, text]) => (
          <option key={each} value={each} selected={each === value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
