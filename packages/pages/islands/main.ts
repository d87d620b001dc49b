import { askBeforeLeaving } from './leaving.js';
import { addRowsInPlace, searchAsTyped } from './redraw.js';
import { selectByKeys } from './selection.js';

// What a page can do besides where scripts run. All of it works without: each island does what a form or a link does too.
document.documentElement.classList.add('live');
askBeforeLeaving();
copyByButton();
addRowsInPlace();
searchAsTyped();
selectByKeys();
closeMenuLeft();

/** A menu over the page would cover what the keyboard goes on to. */
function closeMenuLeft(): void {
  const menu = document.querySelector<HTMLElement>('#menu');
  menu?.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !menu.contains(relatedTarget) && menu.matches(':popover-open'))
      menu.hidePopover();
  });
}

/** Shows the copy buttons, which do nothing without a script. */
function copyByButton(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) button.hidden = false;
  document.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>('button[data-copy]') : null;
    if (!button) return;
    void navigator.clipboard.writeText(button.dataset['copy']!).then(() => {
      button.nextElementSibling!.textContent = 'Copied';
    });
  });
}
