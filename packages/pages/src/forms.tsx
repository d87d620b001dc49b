import { newId } from '@payroll/kernel';
import { createContext, createElement, type AllHTMLAttributes, type ComponentChildren, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { OPERATION_FIELD, PERSON_FIELD, type Problem, type SecretField, TOKEN_FIELD } from './sent-form.js';

export const FormContext = createContext({
  /** Makes a form ours. */
  token: '',
  /** The mark of the person for whom it is drawn; empty without one. */
  person: '',
  /** Where forms are sent that do not say. */
  path: '',
  /** With the form that was sent. */
  problems: [] as readonly Problem[],
  /** Set when a secret or a password field is rendered: the page then runs no script. */
  secrets: { isShown: false },
});

export function useProblem(name: string): string | undefined {
  return useContext(FormContext).problems.find(({ field }) => field === name)?.message;
}

interface FormProps {
  action?: string;
  /** For controls that stand outside of it, such as checkboxes of a table. */
  id?: string;
  /** Takes minutes to fill in: leaving it unsent asks first, where scripts run. */
  isLong?: boolean;
  /** Drawn again with what was typed, which is not saved: leaving it asks first too. */
  isUnsent?: boolean;
  children: ComponentChildren;
}

/** The only way to make a form that this server takes; sent to its page unless it says otherwise. */
export function Form({ action, id, isLong = false, isUnsent = false, children }: FormProps): VNode {
  const { token, path, person } = useContext(FormContext);
  return (
    <form
      method="post"
      id={id}
      action={action ?? path}
      novalidate
      data-long={isLong ? '' : undefined}
      data-unsent={isUnsent ? '' : undefined}
    >
      <input type="hidden" name={TOKEN_FIELD} value={token} />
      {person !== '' && <input type="hidden" name={PERSON_FIELD} value={person} />}
      {children}
    </form>
  );
}

/** New with every form that is drawn: sent twice, by a double click or after going back, it is done once. */
export function OperationId(): VNode {
  return <input type="hidden" name={OPERATION_FIELD} value={newId()} />;
}

interface FieldOfAnyType {
  label: string;
  value?: string;
  hint?: string;
  autocomplete?: string;
  min?: string;
  inputMode?: 'decimal';
}

/** Only fields of these names are of type `password`: those are never shown again, and never kept. `lines` is for longer texts. */
export type FieldProps = FieldOfAnyType &
  ({ type: 'password'; name: SecretField } | { type?: 'text' | 'email' | 'date' | 'lines'; name: string });

/** A labelled input; its hint and what is wrong with it are read out together with it. */
export function Field({ name, label, value = '', type = 'text', hint, ...rest }: FieldProps): VNode {
  const wrong = useProblem(name);
  const { secrets } = useContext(FormContext);
  if (type === 'password') secrets.isShown = true;
  const about = {
    id: name,
    name,
    ...rest,
    'aria-describedby': describedBy(name, hint, wrong),
    'aria-invalid': wrong ? 'true' : undefined,
  } as const;
  return (
    <div class={wrong ? 'field field-wrong' : 'field'}>
      <label for={name}>{label}</label>
      <Hint of={name} text={hint} />
      <Wrong of={name} text={wrong} />
      {type === 'lines' ? (
        <textarea rows={4} {...about} value={value} />
      ) : (
        <Input type={type} value={type === 'password' ? undefined : value} {...about} />
      )}
    </div>
  );
}

export function Options({ of, value }: { of: Readonly<Record<string, string>>; value: string }): VNode {
  return (
    <>
      {Object.entries(of).map(([each, text]) => (
        <option key={each} value={each} selected={each === value}>
          {text}
        </option>
      ))}
    </>
  );
}

interface MoneyFieldProps extends Pick<FieldOfAnyType, 'label' | 'value' | 'hint'> {
  /** The name of the amount's field. */
  name: string;
  /** A list to choose from, or the currency itself if it cannot be changed. */
  currency: string | { name: string; value: string; options: Readonly<Record<string, string>> };
}

/** An amount and its currency under one label; errors in either are shown in one place. */
export function MoneyField({ name, label, value = '', hint, currency }: MoneyFieldProps): VNode {
  const { problems } = useContext(FormContext);
  const chosen = typeof currency === 'string' ? null : currency;
  const wrong = problems.find(({ field }) => field !== null && [name, chosen?.name].includes(field))?.message;
  const about = {
    'aria-describedby': describedBy(name, hint, wrong),
    'aria-invalid': wrong ? 'true' : undefined,
  } as const;
  return (
    <div class={wrong ? 'field field-wrong' : 'field'}>
      <label for={name}>{label}</label>
      <Hint of={name} text={hint} />
      <Wrong of={name} text={wrong} />
      <div class="money">
        <Input id={name} name={name} value={value} {...about} inputMode="decimal" />
        {chosen ? (
          <select id={chosen.name} name={chosen.name} {...about} aria-label="Currency">
            <Options of={chosen.options} value={chosen.value} />
          </select>
        ) : (
          <span>{currency}</span>
        )}
      </div>
    </div>
  );
}

interface ChoicesProps {
  name: string;
  legend: string;
  type: 'radio' | 'checkbox';
  /** Labelled by their values if they do not say. */
  choices: readonly { value: string; label?: string; hint?: string }[];
  chosen?: readonly string[];
}

/** A group of radio buttons or checkboxes. The first bears the group's name, for a summary of errors to link to. */
export function ChoiceGroup({ name, legend, type, choices, chosen = [] }: ChoicesProps): VNode {
  const wrong = useProblem(name);
  return (
    <fieldset class={wrong ? 'field field-wrong' : 'field'} aria-describedby={describedBy(name, undefined, wrong)}>
      <legend>{legend}</legend>
      <Wrong of={name} text={wrong} />
      {choices.map(({ value, label = value, hint }, n) => {
        const id = n === 0 ? name : `${name}-${n}`;
        const input = { id, name, type, value, checked: chosen.includes(value) };
        return (
          <div key={value} class="choice">
            <Input {...input} aria-describedby={describedBy(id, hint)} />
            <div>
              <label for={id}>{label}</label>
              <Hint of={id} text={hint} />
            </div>
          </div>
        );
      })}
    </fieldset>
  );
}

export interface ButtonProps {
  children: ComponentChildren;
  look?: 'main' | 'quiet' | 'plain' | 'danger';
  /** Sent with the form that it submits, where a form has several buttons. */
  name?: string;
  value?: string;
}

export function Button({ children, look = 'main', ...sent }: ButtonProps): VNode {
  return (
    <button type="submit" class={`button button-${look}`} {...sent}>
      {children}
    </button>
  );
}

interface DecisionProps extends Pick<ButtonProps, 'look'> {
  label: string;
  back: string;
  keep: string;
}

export function ConfirmButtons({ label, look = 'main', back, keep }: DecisionProps): VNode {
  return (
    <div class="actions">
      <Button look={look}>{label}</Button>
      <a href={back}>{keep}</a>
    </div>
  );
}

/** `createElement` takes a type that is only known when the page is rendered. */
function Input(attributes: AllHTMLAttributes<HTMLInputElement>): VNode {
  return createElement('input', attributes);
}

export function Hint({ of, text }: { of: string; text: string | undefined }): VNode | null {
  return text === undefined ? null : (
    <p class="hint" id={`${of}-hint`}>
      {text}
    </p>
  );
}

export function Wrong({ of, text }: { of: string; text: string | undefined }): VNode | null {
  return text === undefined ? null : (
    <p class="wrong" id={`${of}-wrong`}>
      <span class="hidden">Error: </span>
      {text}
    </p>
  );
}

export function describedBy(name: string, hint?: string, wrong?: string): string | undefined {
  return [hint && `${name}-hint`, wrong && `${name}-wrong`].filter(Boolean).join(' ') || undefined;
}
