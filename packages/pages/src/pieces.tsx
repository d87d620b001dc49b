import type { Instant } from '@payroll/kernel';
import type { ComponentChildren, VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { Button, Form, FormContext, type ButtonProps } from './forms.js';

export type TagLook = 'good' | 'bad' | 'wait' | 'plain';

export function EmptyState({ title, children }: { title: string; children: ComponentChildren }): VNode {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      <p>{children}</p>
    </div>
  );
}

export function Tag({ look = 'plain', children }: { look?: TagLook; children: ComponentChildren }): VNode {
  return <span class={`tag tag-${look}`}>{children}</span>;
}

type LinkButtonProps = { href: string; children: ComponentChildren } & Pick<ButtonProps, 'look'>;

export function LinkButton({ href, look = 'main', children }: LinkButtonProps): VNode {
  return (
    <a class={`button button-${look}`} href={href}>
      {children}
    </a>
  );
}

/** A link in a row. Screen readers can list links without their rows, so `about` names the row. */
export function RowLink({ href, label, about = '' }: { href: string; label: string; about?: string }): VNode {
  return (
    <a href={href}>
      {label}
      {about !== '' && <span class="hidden"> {about}</span>}
    </a>
  );
}

type RowFormProps = Record<'action' | 'name' | 'value' | 'label' | 'about', string> &
  Required<Pick<ButtonProps, 'look'>>;

/** A row's button, which sends one value; heard like a row's link. */
export function RowForm({ action, name, value, look, label, about }: RowFormProps): VNode {
  return (
    <Form action={action}>
      <input type="hidden" name={name} value={value} />
      <Button look={look}>
        {label}
        <span class="hidden"> {about}</span>
      </Button>
    </Form>
  );
}

/** Names and values. A value that is null or empty is left out together with its name. */
export function DefinitionList({ of }: { of: Readonly<Record<string, ComponentChildren>> }): VNode {
  return (
    <dl class="facts">
      {Object.entries(of)
        .filter(([, value]) => value != null && value !== false && value !== '')
        .map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        ))}
    </dl>
  );
}

export function Codes({ of }: { of: readonly string[] }): VNode {
  return (
    <>
      {of.map((text) => (
        <code key={text}>{text} </code>
      ))}
    </>
  );
}

/** Text with a copy button, which the islands show. */
export function Copyable({ text }: { text: string }): VNode {
  return (
    <>
      <code>{text}</code>{' '}
      <button type="button" class="button button-plain" data-copy={text} hidden>
        Copy
      </button>{' '}
      <span class="hint" role="status" />
    </>
  );
}

/** A secret, or one a line, shown this once; with the tab key, or a long touch, all of it is selected. */
export function OneTimeSecret({ label, value, hint }: { label: string; value: string; hint: string }): VNode {
  useContext(FormContext).secrets.isShown = true;
  const shown = { value, readOnly: true, spellcheck: false, 'aria-describedby': 'once-hint' };
  return (
    <div class="field once">
      <label for="once">{label}</label>
      <p class="hint" id="once-hint">
        {hint}
      </p>
      {value.includes('\n') ? (
        <textarea id="once" rows={value.split('\n').length} {...shown} />
      ) : (
        <input id="once" type="text" {...shown} />
      )}
    </div>
  );
}

const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** A moment in UTC: readers sit in several zones, and the API says it the same way. */
export function Time({ at, never = 'Never' }: { at: Instant | null; never?: string }): VNode {
  return at === null ? <>{never}</> : <time dateTime={at}>{MOMENT.format(new Date(at))} UTC</time>;
}

/** Things are counted, and their amounts added up, to this many. */
export const MAX_COUNTED = 100;

export function capped(n: number): string {
  return n >= MAX_COUNTED ? '99+' : String(n);
}
