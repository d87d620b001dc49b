import { chromium, type Browser, type BrowserContextOptions } from 'playwright-core';
import { findOnPath } from '../local/programs.js';

/** The headless shell first: the same engine for two thirds of the CPU. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** The machine's own browser; none is ever downloaded. */
export function findChromium(): string | undefined {
  return NAMES.map(findOnPath).find((found) => found !== undefined);
}

export async function startChromium(executablePath: string): Promise<Browser> {
  // Chromium's sandbox does not work for root; here it opens only our own pages.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return await chromium.launch({ executablePath, args });
}

const DESKTOP = { width: 1200, height: 900 };
const PHONE = { width: 360, height: 740 };

export const LOOKS = {
  light: { viewport: DESKTOP, colorScheme: 'light' },
  dark: { viewport: DESKTOP, colorScheme: 'dark' },
  phone: { viewport: PHONE, colorScheme: 'light', isMobile: true, hasTouch: true },
} as const satisfies Record<string, BrowserContextOptions>;

export type Look = keyof typeof LOOKS;
