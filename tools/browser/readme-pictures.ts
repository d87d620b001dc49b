import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { LOOKS } from './chromium.js';
import { signIn, type Tour } from './tour.js';

/** The pages that the README shows, by the names of their pictures. */
const SHOWN = { review: '/review', money: '/money' };

/** The largest size that is still legible at half its width. */
const VIEWPORT = { width: 1200, height: 1000 };

type Where = Pick<Tour, 'authUrl' | 'workspaceId' | 'admin'>;

/** Each page in light and dark. */
export async function takeForReadme(browser: Browser, where: Where, folder: string): Promise<number> {
  mkdirSync(folder, { recursive: true });
  for (const look of ['light', 'dark'] as const) {
    const page = await (await browser.newContext({ ...LOOKS[look], viewport: VIEWPORT })).newPage();
    await signIn(where, page, where.admin);
    for (const [name, path] of Object.entries(SHOWN)) {
      await page.goto(`${where.authUrl}/workspaces/${where.workspaceId}${path}`);
      await page.screenshot({ path: join(folder, `${name}-${look}.png`) });
    }
  }
  return 2 * Object.keys(SHOWN).length;
}
