import type { Browser } from '../pages/browser.js';

/** Path and query of one of our URLs. */
export function pathOf(location: string | null): string {
  if (location === null) throw new Error('There is no redirect');
  const { pathname, search } = new URL(location, 'http://here');
  return pathname + search;
}

/** Follows a client's request to the consent page. */
export async function openRequest(browser: Browser, url: URL | string) {
  const begun = await browser.get(pathOf(String(url)));
  if (begun.status !== 303) throw new Error(`Not asked: ${begun.status} ${begun.text}`);
  return { page: await browser.get(pathOf(begun.location)), path: pathOf(begun.location) };
}

/** Lets a person decide a client's request; returns the URL of the final redirect. */
export async function decide(browser: Browser, url: URL | string, decision: 'approve' | 'deny'): Promise<URL> {
  const { page, path } = await openRequest(browser, url);
  const decided = await browser.submit(page, `${path}/${decision}`);
  if (decided.location === null) throw new Error(`Not decided: ${decided.status} ${decided.text}`);
  const resumed = await browser.get(pathOf(decided.location));
  if (resumed.location === null) throw new Error(`Not sent back: ${resumed.status} ${resumed.text}`);
  return new URL(resumed.location);
}
