import type { BrowserContextOptions } from 'playwright-core';

const DESKTOP = { width: 1200, height: 900 };
const PHONE = { width: 360, height: 740 };

/** How people may see the pages. */
export const LOOKS = {
  light: { viewport: DESKTOP, colorScheme: 'light' },
  dark: { viewport: DESKTOP, colorScheme: 'dark' },
  phone: { viewport: PHONE, colorScheme: 'light', isMobile: true, hasTouch: true },
} as const satisfies Record<string, BrowserContextOptions>;

export type Look = keyof typeof LOOKS;
