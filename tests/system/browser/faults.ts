import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** One line for each element that axe reports, and one if the page is wider than the screen. */
export async function faultsOf(page: Page): Promise<string[]> {
  const wide = await overflowOf(page);
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>(
    "axe.run({ resultTypes: ['violations'], preload: false })",
  );
  return [
    ...(wide > 0 ? [`wider than the screen by ${wide} px`] : []),
    ...violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    ),
  ];
}

/** By how many pixels the page is wider than the screen. */
export async function overflowOf(page: Page): Promise<number> {
  // A click returns as soon as the next document is committed, which is before that document has a root element.
  await page.waitForLoadState();
  return await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/** The visible links, buttons and fields that Tab does not reach. In a group of radio buttons it reaches only one. */
export async function unreachable(page: Page): Promise<string[]> {
  const presses = await page.evaluate<number>(WATCH_FOCUS);
  for (let n = 0; n < presses; n += 1) await page.keyboard.press('Tab');
  return await page.evaluate<string[]>(NOT_REACHED);
}

/** Runs in the browser. A date field takes one press for each of its parts. */
const WATCH_FOCUS = `(() => {
  globalThis.controls = [...document.querySelectorAll('a[href], button, input, select, textarea, summary')].filter(
    (it) => it.checkVisibility() && !it.disabled && it.type !== 'hidden',
  );
  globalThis.reached = new Set([document.activeElement]);
  document.addEventListener('focusin', ({ target }) => reached.add(target));
  return controls.length + 4 * document.querySelectorAll('input[type=date]').length + 3;
})()`;

const NOT_REACHED = `(() => {
  const groupOf = ({ type, form, name }) => [...reached].some((it) => type === 'radio' && it.form === form && it.name === name);
  return controls.filter((it) => !reached.has(it) && !groupOf(it)).map(({ outerHTML }) => 'not reached by Tab: ' + outerHTML);
})()`;
