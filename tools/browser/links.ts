import type { Page } from 'playwright-core';

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** Pages visited of one kind: the available actions depend on the state of the page's subject. */
const MAX_OF_A_KIND = 12;

interface Walk {
  authUrl: string;
  workspaceId: string;
  stop: (name: string, page: Page) => Promise<void>;
}

/** Visits every kind of page that a workspace links to, each once; then the forms for new entries, left empty. */
export async function seeLinked({ authUrl, workspaceId, stop }: Walk, page: Page): Promise<void> {
  const within = `${authUrl}/workspaces/${workspaceId}/`;
  await page.goto(within.slice(0, -1));
  if (await openMenu(page)) await stop('menu', page);
  const navigation = page.getByRole('navigation', { name: 'Workspace' }).getByRole('link');
  const ahead = (await navigation.evaluateAll(addressesOf)).filter((link) => link.startsWith(within));
  const visits = new Map<string, number>();
  for (let address = ahead.shift(); address !== undefined; address = ahead.shift()) {
    const kind = kindOf(address, within);
    const visit = (visits.get(kind) ?? 0) + 1;
    if (visit > MAX_OF_A_KIND) continue;
    visits.set(kind, visit);
    await page.goto(address);
    if (visit === 1) await stop(kind, page);
    if (visit === 1 && kind.endsWith('-new')) await sendEmpty(page, () => stop(`${kind}-wrong`, page));
    const found = await page.getByRole('main').getByRole('link').evaluateAll(addressesOf);
    const pages = found.map((link) => link.replace(/[?#].*/, ''));
    ahead.push(...new Set(pages.filter((link) => isPage(link, within) && !ahead.includes(link))));
  }
}

/** On a narrow screen the navigation is in a menu. */
export async function openMenu(page: Page): Promise<boolean> {
  const menu = page.getByRole('button', { name: 'Menu', exact: true });
  const isNarrow = await menu.isVisible();
  if (isNarrow) await menu.click();
  return isNarrow;
}

/** Runs in the browser. */
const addressesOf = (links: unknown[]): string[] => links.map((link) => (link as { href: string }).href);

function isPage(link: string, within: string): boolean {
  return link.startsWith(within) && !link.endsWith('.csv');
}

/** For example `contracts-edit` for any contract. */
function kindOf(address: string, within: string): string {
  return address.slice(within.length).replaceAll(ID, 'one').replaceAll('/', '-');
}

async function sendEmpty(page: Page, stop: () => Promise<void>): Promise<void> {
  const form = page.getByRole('main').locator('form[method=post]').first();
  for (const field of await form.getByRole('textbox').all()) await field.fill('');
  await form.getByRole('button').last().click();
  await stop();
}
