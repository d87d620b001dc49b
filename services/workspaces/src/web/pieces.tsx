import type { ComponentChildren, VNode } from 'preact';

/** What is said where there is nothing yet, with what to do about it. */
export function Empty({ title, children }: { title: string; children: ComponentChildren }): VNode {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

export function Tag({
  look = 'plain',
  children,
}: {
  look?: 'good' | 'bad' | 'plain';
  children: ComponentChildren;
}): VNode {
  return <span class={`tag tag-${look}`}>{children}</span>;
}

/** A link that looks like what it is: the way to the next step. */
export function LinkButton({ href, children }: { href: string; children: ComponentChildren }): VNode {
  return (
    <a class="button button-main" href={href}>
      {children}
    </a>
  );
}

/** One cell of a table; on a narrow screen, where there are no columns, its label stands before it. */
export function Cell({ label, children }: { label: string; children: ComponentChildren }): VNode {
  return (
    <td>
      <span class="cell-label" aria-hidden="true">
        {label}
      </span>
      <div class="cell">{children}</div>
    </td>
  );
}

export function Head({ columns }: { columns: readonly string[] }): VNode {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column} scope="col">
            {column}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/**
 * A secret that is shown this once, ready to be copied: reached with the tab key, or touched for long, all of it is
 * selected.
 */
export function Once({ label, value, hint }: { label: string; value: string; hint: string }): VNode {
  return (
    <div class="field once">
      <label for="once">{label}</label>
      <p class="hint" id="once-hint">
        {hint}
      </p>
      <input id="once" type="text" value={value} readOnly spellcheck={false} aria-describedby="once-hint" />
    </div>
  );
}

/** The way to the rest of a list. */
export function Older({ cursor }: { cursor: string | null }): VNode | null {
  return cursor === null ? null : (
    <p>
      <a href={`?${new URLSearchParams({ cursor }).toString()}`}>Show older ones</a>
    </p>
  );
}
