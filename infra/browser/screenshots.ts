import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { repositoryRoot } from '../local/processes.js';
import { runningStack, type StackDoors } from '../local/stack-file.js';
import { noOptions, runCommand } from '../local/run-command.js';
import { findChromium, LOOKS, startChromium, type Look } from './chromium.js';
import { tour } from './tour.js';

const USAGE = `Usage: npm run screenshots

Takes a picture of every page of the running system (npm start) in light, in dark and on a phone, with the Chromium of
this machine, into .local/screenshots.
`;

async function takeAll(browser: Browser, stack: StackDoors, folder: string): Promise<number> {
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

function plan({ auth, workspaces: [workspace] = [] }: StackDoors) {
  const userOf = (role: string) => workspace?.users?.find((user) => user.role === role);
  const [admin, viewer] = [userOf('admin'), userOf('viewer')];
  if (!auth || !workspace || !admin || !viewer) {
    throw new Error('The running system has no people who sign in: start it with  npm start');
  }
  return { authUrl: auth.url, workspaceId: workspace.id, admin, viewer };
}

async function main(): Promise<void> {
  const stack = runningStack();
  if (!stack) throw new Error('Nothing runs here: start it in another terminal with  npm start');
  const executable = findChromium();
  if (!executable)
    throw new Error('There is no Chromium on the PATH: install it, for example with  apt install chromium');
  const folder = join(repositoryRoot, '.local', 'screenshots');
  const browser = await startChromium(executable);
  try {
    process.stdout.write(`${await takeAll(browser, stack, folder)} screenshots in ${folder}\n`);
  } finally {
    await browser.close();
  }
}

await runCommand('screenshots', { usage: USAGE, read: noOptions, run: main });
