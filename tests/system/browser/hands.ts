import type { Locator, Page } from 'playwright-core';

/** How a person operates a page. */
export interface Hand {
  /** A link or a button. */
  press: (target: Locator) => Promise<void>;
  fill: (field: Locator, text: string) => Promise<void>;
  /** The option of a list, by its text. */
  select: (list: Locator, option: string) => Promise<void>;
}

export const pointer = (): Hand => ({
  press: async (target) => await target.click(),
  fill: async (field, text) => await field.fill(text),
  select: async (list, label) => void (await list.selectOption({ label })),
});

/** Uses keys only: "Skip to the content" on a new page, then Tab from control to control. */
export function keyboard(page: Page): Hand & { reach: (target: Locator) => Promise<void> } {
  const { keyboard: keys } = page;
  const reach = async (target: Locator): Promise<void> => {
    await target.waitFor();
    if (await target.evaluate(isAheadInContent)) {
      await keys.press('Tab');
      await keys.press('Enter');
    }
    for (let presses = 0; presses < 150; presses += 1) {
      if (await target.evaluate(hasFocus)) return;
      await keys.press('Tab');
    }
    throw new Error(`The keyboard does not reach ${String(target)} on ${page.url()}`);
  };
  const arrowUntil = async (isThere: () => Promise<boolean>): Promise<void> => {
    for (let presses = 0; presses < 60 && !(await isThere()); presses += 1) await keys.press('ArrowDown');
    if (!(await isThere())) throw new Error(`The arrow keys do not lead there on ${page.url()}`);
  };
  return {
    reach,
    press: async (target) => {
      await reach(target);
      const arrived = page.waitForEvent('load');
      await keys.press('Enter');
      await arrived;
    },
    fill: async (field, text) => {
      await reach(field);
      const isDay = (await field.getAttribute('type')) === 'date';
      if (!isDay) await keys.press('ControlOrMeta+A');
      await keys.type(isDay ? asTypedDay(text) : text);
    },
    select: async (list, label) => {
      await reach(list);
      // Start from the first: the arrow keys do not wrap around.
      await keys.press('Home');
      await arrowUntil(async () => (await list.evaluate(selectedText)) === label);
    },
  };
}

/** A date field takes month, day and year in this browser's American locale. */
function asTypedDay(day: string): string {
  const [year = '', month = '', dayOfMonth = ''] = day.split('-');
  return month + dayOfMonth + year;
}

// These run in the browser.

interface Field {
  ownerDocument: { activeElement: unknown; body: unknown };
  closest: (selector: string) => unknown;
}

export const hasFocus = (element: unknown): boolean => (element as Field).ownerDocument.activeElement === element;

function isAheadInContent(element: unknown): boolean {
  const { closest, ownerDocument } = element as Field;
  return ownerDocument.activeElement === ownerDocument.body && closest.call(element, 'main') !== null;
}

const selectedText = (element: unknown): string =>
  (element as { selectedOptions: readonly { text: string }[] }).selectedOptions[0]!.text;
