import { pageAt } from './page-at.js';

/** "Add a row" draws the form anew on the server, as ever; the page is not left, and the new row has the focus. */
export function addRowsInPlace(): void {
  document.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest('button') : null;
    if (button?.name !== 'add' || !button.form || button.dataset['plain'] !== undefined) return;
    event.preventDefault();
    void addRow(button, button.form);
  });
}

async function addRow(button: HTMLButtonElement, form: HTMLFormElement): Promise<void> {
  const list = button.value;
  // No form of ours has files.
  const fields = [...new FormData(form, button)] as [string, string][];
  // Pressed twice, it is one row.
  button.disabled = true;
  const page = await pageAt(form.action, { method: 'POST', body: new URLSearchParams(fields) });
  const main = page?.querySelector('main');
  const rows = main?.querySelectorAll<HTMLElement>(`#${CSS.escape(list)} .row`);
  if (!main || !rows || rows.length === 0) {
    button.dataset['plain'] = '';
    button.disabled = false;
    button.click();
    return;
  }
  document.querySelector('main')!.replaceWith(main);
  rows
    .item(rows.length - 1)
    .querySelector<HTMLElement>('input:not([type=hidden]), select, textarea')
    ?.focus();
}
