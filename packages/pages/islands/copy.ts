/** Shows the copy buttons, which do nothing without a script. */
export function copyByButton(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) button.hidden = false;
  document.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>('button[data-copy]') : null;
    if (!button) return;
    void navigator.clipboard.writeText(button.dataset['copy']!).then(() => {
      button.nextElementSibling!.textContent = 'Copied';
    });
  });
}
