import { sumsOf } from './sums.js';

/** Says what is selected adds up to; and keys do, in a list of checkboxes that has the focus, what pointers do. */
export function selectByKeys(): void {
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.form === null) return;
    const isGroup = target.dataset['group'] !== undefined;
    if (isGroup) for (const choice of choicesBeside(target)) choice.checked = target.checked;
    else if (isChoice(target)) tellGroup(target);
    if (isGroup || isChoice(target)) tellSum(target.form);
  });
  document.addEventListener('keydown', (event) => {
    const { target, key, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey || !(target instanceof HTMLElement)) return;
    const row = target.closest('tr');
    const choice = row?.querySelector('input');
    if (row && isChoice(choice) && Object.hasOwn(KEYS, key)) {
      event.preventDefault();
      KEYS[key]!(choice, row);
    } else if (key === 'j' && !isTypedInto(target)) {
      // From anywhere on the page, without tabbing through everything before the list.
      firstChoice()?.focus();
    }
  });
  // What was selected before somebody came back.
  for (const form of document.forms) if (choicesOf(form).length > 0) tellSum(form);
}

type Choice = HTMLInputElement & { form: HTMLFormElement };

const KEYS: Readonly<Record<string, (choice: Choice, row: Element) => void>> = {
  j: (choice) => neighbour(choice, 1)?.focus(),
  k: (choice) => neighbour(choice, -1)?.focus(),
  x: (choice) => {
    choice.focus();
    choice.click();
  },
  a: ({ form }) => form.requestSubmit(),
  // Focuses the reason, which is typed next.
  r: (_, row) => location.assign(`${row.querySelector('a')!.href}#reason`),
};

function isChoice(element: unknown): element is Choice {
  return element instanceof HTMLInputElement && element.form !== null && element.dataset['amount'] !== undefined;
}

function firstChoice(): Choice | undefined {
  return [...document.forms].flatMap(choicesOf)[0];
}

function isTypedInto(element: HTMLElement): boolean {
  return element instanceof HTMLSelectElement || element.matches('textarea, input:not([type=checkbox], [type=radio])');
}

function choicesOf(form: HTMLFormElement): Choice[] {
  return [...form.elements].filter(isChoice);
}

function neighbour(choice: Choice, step: 1 | -1): Choice | undefined {
  const choices = choicesOf(choice.form);
  return choices[choices.indexOf(choice) + step];
}

/** Of the same group. */
function choicesBeside(element: Element): Choice[] {
  return [...(element.closest('section')?.querySelectorAll('input') ?? [])].filter(isChoice);
}

/** A group's checkbox is sent for all its pieces: left checked, it would approve one that was unchecked afterwards. */
function tellGroup(choice: Choice): void {
  const group = choice.closest('section')?.querySelector<HTMLInputElement>('input[data-group]');
  if (group) group.checked = choicesBeside(choice).every(({ checked }) => checked);
}

function tellSum(form: HTMLFormElement): void {
  const chosen = choicesOf(form).filter(({ checked }) => checked);
  const amounts = chosen.map(({ dataset }) => ({ amount: dataset['amount']!, currency: dataset['currency']! }));
  const text = chosen.length === 0 ? '' : `${chosen.length} selected: ${sumsOf(amounts).join(', ')}`;
  form.querySelector('[role=status]')!.textContent = text;
}
