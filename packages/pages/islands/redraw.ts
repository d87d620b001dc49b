/** The server draws the form with the new row, as without a script; only that row is taken over, so that nothing typed meanwhile is lost. */
export function addRowsInPlace(): void {
  document.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest('button') : null;
    if (button?.name !== 'add' || !button.form || button.dataset['plain'] !== undefined) return;
    event.preventDefault();
    void addRow(button, button.form);
  });
}

async function addRow(button: HTMLButtonElement, form: HTMLFormElement): Promise<void> {
  // No form of ours has files.
  const fields = [...new FormData(form, button)] as [string, string][];
  // Pressed twice, it is one row.
  button.disabled = true;
  const page = await fetchPage(form.action, { method: 'POST', body: new URLSearchParams(fields) });
  button.disabled = false;
  const rows = `#${CSS.escape(button.value)} .row`;
  const present = document.querySelectorAll<HTMLElement>(rows);
  const drawn = [...(page?.querySelectorAll<HTMLElement>(rows) ?? [])];
  // The last one: where a colleague has saved rows meanwhile, theirs and the new ones of this page stand before it.
  const added = drawn.length > present.length ? drawn.at(-1) : undefined;
  if (added === undefined) {
    button.dataset['plain'] = '';
    button.click();
    return;
  }
  const isFocusFree = document.activeElement === document.body || document.activeElement === button;
  if (present.length > 0) present[present.length - 1]!.after(added);
  else button.before(added);
  if (isFocusFree) added.querySelector<HTMLElement>('input:not([type=hidden]), select, textarea')?.focus();
}

/** Between two letters of somebody who types. */
const PAUSE_MS = 250;

/** A list is narrowed while somebody types: what follows the filters is replaced, and the address says it, as if they were sent. */
export function searchAsTyped(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = new AbortController();
  document.addEventListener('input', (event) => {
    const form = event.target instanceof Element ? event.target.closest<HTMLFormElement>('form.filters') : null;
    if (!form || isComposing(event)) return;
    clearTimeout(timer);
    running.abort();
    running = new AbortController();
    const { signal } = running;
    timer = setTimeout(() => void narrow(form, signal), PAUSE_MS);
  });
}

async function narrow(form: HTMLFormElement, signal: AbortSignal): Promise<void> {
  const fields = ([...new FormData(form)] as [string, string][]).filter(([, value]) => value !== '');
  const query = new URLSearchParams(fields).toString();
  const address = query === '' ? location.pathname : `${location.pathname}?${query}`;
  const page = await fetchPage(address, { signal });
  if (signal.aborted) return;
  const filters = page?.querySelector('main form.filters');
  if (!filters) return location.assign(address);
  while (form.nextSibling) form.nextSibling.remove();
  while (filters.nextSibling) form.parentNode!.append(filters.nextSibling);
  history.replaceState(null, '', address);
  form.querySelector('[role=status]')!.textContent = countText(form.parentElement!);
}

/** For who hears the page and does not see that the list has changed. */
function countText(list: HTMLElement): string {
  const rows = list.querySelectorAll('tbody tr').length;
  if (rows === 0) return list.querySelector('.empty-title')?.textContent ?? 'Nothing is shown.';
  return rows === 1 ? 'One is shown.' : `${rows} are shown.`;
}

/** Somebody is choosing a character of a script that has more of them than keys. */
function isComposing(event: Event): boolean {
  return event instanceof InputEvent && event.isComposing;
}

/** Fetches a page. Null if the server fails or redirects, for example to the sign-in page. */
async function fetchPage(address: string, request: RequestInit): Promise<Document | null> {
  try {
    const answer = await fetch(address, request);
    if (answer.redirected || answer.status >= 500) return null;
    return new DOMParser().parseFromString(await answer.text(), 'text/html');
  } catch {
    return null;
  }
}
