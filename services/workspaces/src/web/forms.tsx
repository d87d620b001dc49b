import { createContext, createElement, type ComponentChildren, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { SecretField } from '../domain/draft.js';
import { TOKEN_FIELD } from './form-guard.js';
import type { Problems } from './problems.js';

/** Set by `sendPage`: the token that makes a form ours. */
export const FormTokenContext = createContext('');

/** The only way to make a form that this server takes. */
export function Form({ action, children }: { action: string; children: ComponentChildren }): VNode {
  return (
    <form method="post" action={action} novalidate>
      <input type="hidden" name={TOKEN_FIELD} value={useContext(FormTokenContext)} />
      {children}
    </form>
  );
}

interface FieldOfAnyType {
  label: string;
  problems: Problems;
  value?: string;
  hint?: string;
  autocomplete?: string;
  min?: string;
  max?: string;
}

/** What is typed into a field of type `password` is shown again and kept nowhere, by its name. */
export type FieldProps = FieldOfAnyType &
  ({ type: 'password'; name: SecretField } | { type?: 'text' | 'email' | 'date'; name: string });

/** A labelled input; its hint and what is wrong with it are read out together with it. */
export function Field({ name, label, problems, value = '', type = 'text', hint, ...rest }: FieldProps): VNode {
  const problem = problems.find(({ field }) => field === name);
  return (
    <div class={problem ? 'field field-wrong' : 'field'}>
      <label for={name}>{label}</label>
      <Hint of={name} text={hint} />
      <Wrong of={name} text={problem?.message} />
      <Input
        id={name}
        name={name}
        type={type}
        value={type === 'password' ? undefined : value}
        aria-describedby={describedBy(name, hint, problem?.message)}
        aria-invalid={problem ? 'true' : undefined}
        {...rest}
      />
    </div>
  );
}

export interface Choice {
  value: string;
  label: string;
  hint?: string;
  isChosen: boolean;
}

interface ChoicesProps {
  name: string;
  legend: string;
  problems: Problems;
  /** One of them, or any number. */
  type: 'radio' | 'checkbox';
  choices: readonly Choice[];
  hint?: string;
}

/** A group of radio buttons or checkboxes. The first bears the group's name, for a summary of errors to link to. */
export function Choices({ name, legend, problems, type, choices, hint }: ChoicesProps): VNode {
  const problem = problems.find(({ field }) => field === name);
  return (
    <fieldset
      class={problem ? 'field field-wrong' : 'field'}
      aria-describedby={describedBy(name, hint, problem?.message)}
    >
      <legend>{legend}</legend>
      <Hint of={name} text={hint} />
      <Wrong of={name} text={problem?.message} />
      {choices.map((choice, n) => (
        <Option key={choice.value} id={n === 0 ? name : `${name}-${n}`} name={name} type={type} {...choice} />
      ))}
    </fieldset>
  );
}

function Option({ id, label, hint, isChosen, ...input }: Choice & { id: string; name: string; type: string }): VNode {
  return (
    <div class="choice">
      <Input id={id} checked={isChosen} aria-describedby={hint ? `${id}-hint` : undefined} {...input} />
      <div>
        <label for={id}>{label}</label>
        <Hint of={id} text={hint} />
      </div>
    </div>
  );
}

export interface ButtonProps {
  children: ComponentChildren;
  look?: 'main' | 'plain' | 'danger';
  name?: string;
  value?: string;
}

export function Button({ children, look = 'main', ...rest }: ButtonProps): VNode {
  return (
    <button type="submit" class={`button button-${look}`} {...rest}>
      {children}
    </button>
  );
}

/** What is left of an input's type when it is only known when the page is rendered. */
interface InputAttributes {
  id: string;
  name: string;
  type: string;
  value: string | undefined;
  checked?: boolean;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: 'true' | undefined;
}

function Input(attributes: InputAttributes & Pick<FieldProps, 'autocomplete' | 'min' | 'max'>): VNode<InputAttributes> {
  return createElement<InputAttributes>('input', attributes);
}

function Hint({ of, text }: { of: string; text: string | undefined }): VNode | null {
  return text === undefined ? null : (
    <p class="hint" id={`${of}-hint`}>
      {text}
    </p>
  );
}

function Wrong({ of, text }: { of: string; text: string | undefined }): VNode | null {
  return text === undefined ? null : (
    <p class="wrong" id={`${of}-wrong`}>
      <span class="hidden">Error: </span>
      {text}
    </p>
  );
}

function describedBy(name: string, hint: string | undefined, problem: string | undefined): string | undefined {
  return [hint && `${name}-hint`, problem && `${name}-wrong`].filter(Boolean).join(' ') || undefined;
}
