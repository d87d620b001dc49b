import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { repositoryRoot } from '@payroll/infra/processes';
import { runningStack, type StackEndpoints } from '../local/stack-file.js';
import { flag, options, runCommand } from '../cli.js';
import { findChromium, LOOKS, startChromium, type Look } from './chromium.js';
import { signIn, tour, type Tour } from './tour.js';

const USAGE = `Usage: npm run screenshots [-- --readme]

Takes a picture of every page of the running system (npm start) in light, in dark and on a phone, with the Chromium of
this machine, into .local/screenshots.

  --readme  takes those that the README shows instead, into docs/pictures
`;

async function takeAll(browser: Browser, stack: StackEndpoints, folder: string): Promise<number> {
  let count = 0;
  for (const look of Object.keys(LOOKS) as Look[]) {
    mkdirSync(join(folder, look), { recursive: true });
    await tour({
      ...plan(stack),
      newPage: async () => await (await browser.newContext(LOOKS[look])).newPage(),
      stop: async (name, page) => {
        await page.screenshot({ path: join(folder, look, `${name}.png`), fullPage: true });
        count += 1;
      },
    });
  }
  return count;
}

/** The pages that the README shows, by the names of their pictures. */
const SHOWN = { review: '/review', money: '/money' };

/** The largest size that is still legible at half its width. */
const VIEWPORT = { width: 1200, height: 1000 };

type Where = Pick<Tour, 'authUrl' | 'workspaceId' | 'admin'>;

/** Each page in light and dark. */
async function takeForReadme(browser: Browser, where: Where, folder: string): Promise<number> {
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

function plan({ auth, workspaces: [workspace] = [] }: StackEndpoints) {
  const userOf = (role: string) => workspace?.users?.find((user) => user.role === role);
  const [admin, viewer] = [userOf('admin'), userOf('viewer')];
  if (!auth || !workspace || !admin || !viewer) {
    throw new Error('The running system has no people who sign in: start it with  npm start');
  }
  return { authUrl: auth.url, workspaceId: workspace.id, admin, viewer };
}

async function main({ readme }: { readme: boolean }): Promise<void> {
  const stack = runningStack();
  if (!stack) throw new Error('Nothing runs here: start it in another terminal with  npm start');
  const executable = findChromium();
  if (!executable)
    throw new Error('There is no Chromium on the PATH: install it, for example with  apt install chromium');
  const folder = join(repositoryRoot, readme ? 'docs/pictures' : '.local/screenshots');
  const browser = await startChromium(executable);
  try {
    const count = readme ? await takeForReadme(browser, plan(stack), folder) : await takeAll(browser, stack, folder);
    process.stdout.write(`${count} screenshots in ${folder}\n`);
  } finally {
    await browser.close();
  }
}

await runCommand('screenshots', { usage: USAGE, read: options({ readme: flag }), run: main });
