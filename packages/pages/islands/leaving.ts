/** Leaving a page with something typed asks first: a link beside a long form would drop what took minutes. */
export function askBeforeLeaving(): void {
  let isSending = false;
  addEventListener('pageshow', () => (isSending = false));
  document.addEventListener('submit', ({ target }) => (isSending = target instanceof Element && target.matches(LONG)));
  addEventListener('beforeunload', (event) => {
    const forms = [...document.querySelectorAll<HTMLFormElement>(LONG)];
    if (!isSending && forms.some(hasUnsent)) event.preventDefault();
  });
}

const LONG = 'form[data-long]';

function hasUnsent(form: HTMLFormElement): boolean {
  // A form that is drawn again, as one that is refused, has what was typed, which is not saved.
  const isAgain = form.matches('[data-unsent]') || form.querySelector('[aria-invalid]') !== null;
  return isAgain || [...form.elements].some(isChanged);
}

function isChanged(element: Element): boolean {
  if (element instanceof HTMLSelectElement) {
    const drawn = [...element.options].findIndex(({ defaultSelected }) => defaultSelected);
    return element.selectedIndex !== Math.max(drawn, 0);
  }
  if (element instanceof HTMLTextAreaElement) return element.value !== element.defaultValue;
  if (!(element instanceof HTMLInputElement)) return false;
  return element.value !== element.defaultValue || element.checked !== element.defaultChecked;
}
