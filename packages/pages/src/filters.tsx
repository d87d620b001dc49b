import type { ComponentChildren, VNode } from 'preact';
import { Button, describedBy, Hint, Options, useProblem, Wrong } from './forms.js';

interface FiltersProps {
  children: ComponentChildren;
  /** Values without a field, such as the order. The form sends them along. */
  kept?: Readonly<Record<string, string | null>>;
}

/**
 * Filters the list below it. The filters are in the address, so that it can be bookmarked, shared and returned to.
 * A script submits it while the person types.
 */
export function Filters({ children, kept = {} }: FiltersProps): VNode {
  return (
    <form method="get" class="filters" role="search">
      {children}
      {Object.entries(kept).map(
        ([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />,
      )}
      <Button look="quiet">Show</Button>
      <p class="hidden" role="status" />
    </form>
  );
}

interface SelectProps {
  name: string;
  label: string;
  /** Label by value, in the order in which they are shown; the empty value is for all, or for none. */
  options: Readonly<Record<string, string>>;
  value: string;
  hint?: string;
  /** Where a page that is shown again goes on. */
  autofocus?: boolean;
}

export function Select({ name, label, options, value, hint, autofocus = false }: SelectProps): VNode {
  const wrong = useProblem(name);
  const about = {
    'aria-describedby': describedBy(name, hint, wrong),
    'aria-invalid': wrong ? 'true' : undefined,
  } as const;
  return (
    <div class={wrong ? 'field field-wrong' : 'field'}>
      <label for={name}>{label}</label>
      <Hint of={name} text={hint} />
      <Wrong of={name} text={wrong} />
      <select id={name} name={name} autofocus={autofocus} {...about}>
        <Options of={options} value={value} />
      </select>
    </div>
  );
}

/** The query string of these filters, without empty values. */
export function queryOf(given: Readonly<Record<string, string>>): string {
  return `?${new URLSearchParams(Object.entries(given).filter(([, value]) => value !== '')).toString()}`;
}

interface MarksProps {
  /** The filters in the address, by name; an empty value does not filter. */
  given: Readonly<Record<string, string>>;
  /** The text of each filter's mark. A filter without one gets no mark. */
  words: Readonly<Record<string, (value: string) => string>>;
  rows: readonly unknown[];
  /** Whether another page follows. */
  isMore: boolean;
}

/** The number of rows shown, and a removable mark for each filter. */
export function Marks({ given, words, rows, isMore }: MarksProps): VNode {
  const set = Object.entries(given).filter(([, value]) => value !== '');
  return (
    <p class="marks">
      <span class="hint">
        {rows.length} shown{isMore && ', more follow'}
      </span>
      {set.map(
        ([name, value]) =>
          words[name] && (
            <a key={name} class="tag mark" href={queryOf({ ...given, [name]: '' })}>
              {words[name](value)}
              <span class="hidden">: remove this filter</span>
            </a>
          ),
      )}
    </p>
  );
}
