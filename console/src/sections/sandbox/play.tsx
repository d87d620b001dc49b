import { Button, Form, OperationId, Select, type SentForm, textOf } from '@payroll/pages';
import { createContext, type ComponentChildren, type VNode } from 'preact';
import { useContext } from 'preact/hooks';

/** The restored form: one of those on this page. */
export const TypedForm = createContext<SentForm | null>(null);

/** The typed text of a field, or its initial value. */
export function useTyped(): (name: string, first: string) => string {
  const typed = useContext(TypedForm);
  return (name, first) => (typed === null ? first : textOf(typed, name) || first);
}

export type Options = Readonly<Record<string, string>>;

interface PlayProps {
  path: string;
  act: string;
  label: string;
  children?: ComponentChildren;
}

export function Play({ path, act, label, children }: PlayProps): VNode {
  return (
    <Form action={`${path}/${act}`}>
      <OperationId />
      {children}
      <Button>{label}</Button>
    </Form>
  );
}

interface ChooseProps extends Omit<PlayProps, 'children'> {
  name: string;
  what: string;
  options: Options;
  none: string;
}

/** A choice from a list; an empty list says what is missing. */
export function Choose({ name, what, options, none, ...play }: ChooseProps): VNode {
  const typed = useTyped();
  const first = Object.keys(options)[0];
  if (first === undefined) return <p class="hint">{none}</p>;
  return (
    <Play {...play}>
      <Select name={name} label={what} options={options} value={typed(name, first)} />
    </Play>
  );
}
