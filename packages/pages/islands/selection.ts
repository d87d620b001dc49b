/** Says what is selected adds up to; and keys do, in a list of checkboxes that has the focus, what pointers do. */
export function selectByKeys(): void {
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.form === null) return;
    const isGroup = target.dataset['group'] !== undefined;
    if (isGroup) for (const choice of choicesBeside(target)) choice.checked = target.checked;
    else if (isChoice(target)) tellGroup(target);
    if (isGroup || isChoice(target)) showSum(target.form);
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
  for (const form of document.forms) if (choicesOf(form).length > 0) showSum(form);
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

/** The choices of the same group. */
function choicesBeside(element: Element): Choice[] {
  return [...(element.closest('section')?.querySelectorAll('input') ?? [])].filter(isChoice);
}

/** A group's checkbox is sent for all its pieces: left checked, it would approve one that was unchecked afterwards. */
function tellGroup(choice: Choice): void {
  const group = choice.closest('section')?.querySelector<HTMLInputElement>('input[data-group]');
  if (group) group.checked = choicesBeside(choice).every(({ checked }) => checked);
}

function showSum(form: HTMLFormElement): void {
  const chosen = choicesOf(form).filter(({ checked }) => checked);
  const amounts = chosen.map(({ dataset }) => ({ amount: dataset['amount']!, currency: dataset['currency']! }));
  const text = chosen.length === 0 ? '' : `${chosen.length} selected: ${sumsOf(amounts).join(', ')}`;
  form.querySelector('[role=status]')!.textContent = text;
}

/** An exact decimal, such as "1500.00". */
interface Amount {
  amount: string;
  currency: string;
}

/** "1,500.00 EUR", one for each currency in the order of their codes, exact. */
export function sumsOf(amounts: readonly Amount[]): string[] {
  const byCurrency = Map.groupBy(amounts, ({ currency }) => currency);
  return [...byCurrency.keys()]
    .toSorted()
    .map((currency) => `${sumOf(byCurrency.get(currency)!.map(({ amount }) => amount))} ${currency}`);
}

/** In whole smallest units: a floating-point number would round. */
function sumOf(amounts: readonly string[]): string {
  const scale = Math.max(...amounts.map((amount) => decimalsOf(amount).length));
  const units = amounts.map((amount) =>
    BigInt(amount.replace('.', '') + '0'.repeat(scale - decimalsOf(amount).length)),
  );
  const digits = String(units.reduce((sum, each) => sum + each)).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  return scale === 0 ? whole : `${whole}.${digits.slice(-scale)}`;
}

function decimalsOf(amount: string): string {
  return amount.split('.')[1] ?? '';
}
