import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as kit from '@payroll/pages';
import { createLog, type Deployment } from '@payroll/runtime';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApp } from '../../../console/src/app.js';
import { LOOKS, startChromium, type Look } from '@payroll/tools/browser/chromium';
import { repositoryRoot } from '@payroll/infra/processes';
import { faultsOf, overflowOf } from './faults.js';
import { describeInChromium } from './in-chromium.js';

/** The layout of the page itself, and a hidden field. */
const NOT_SHOWN = ['Layout', 'OperationId'];

/** The components that the pages' kit and the console's own modules export. */
async function components(): Promise<string[]> {
  const folder = join(repositoryRoot, 'console/src');
  const files = readdirSync(folder).filter((file) => file.endsWith('.tsx'));
  const modules = await Promise.all(files.map((file) => import(join(folder, file)) as Promise<object>));
  const exported = [kit, ...modules].flatMap((module) => Object.entries(module) as [string, unknown][]);
  return exported.filter(isComponent).map(([name]) => name);
}

function isComponent([name, value]: [string, unknown]): boolean {
  const isFunction = typeof value === 'function' && value.name === name && !String(value).startsWith('class');
  return isFunction && /^[A-Z][a-z]/.test(name) && !NOT_SHOWN.includes(name);
}

/** The page reads no data, so no service has to run. */
const consoleOf = (deployment: Deployment) => {
  const none = {} as never;
  const parts = { admission: none, gateway: { prepare: () => none } as never, log: createLog('kit', 'silent') };
  const settings = { origin: 'http://127.0.0.1', trustedProxies: [], waitingFor: () => Promise.resolve([]) };
  return createApp({ ...parts, ...settings, deployment });
};

it('a live deployment returns 404 for /kit', async () => {
  await using app = await consoleOf('live');
  expect((await app.inject('/kit')).statusCode).toBe(404);
});

describeInChromium('the kit', { timeout: 60_000 }, (executable) => {
  let address: string;
  let browser: Browser;
  const started = new AsyncDisposableStack();
  beforeAll(async () => {
    const app = started.use(await consoleOf('test'));
    address = `${await app.listen({ host: '127.0.0.1', port: 0 })}/kit`;
    browser = started.adopt(await startChromium(executable), (open) => open.close());
  });
  afterAll(async () => await started.disposeAsync());

  it.each(Object.keys(LOOKS) as Look[])(
    'shows every exported component on %s, none of them blank, and axe finds nothing',
    async (look) => {
      const page = await (await browser.newContext(LOOKS[look])).newPage();
      await page.goto(address);
      const shown = await page.locator('main > section').evaluateAll((all) => all.map(({ id }) => id));
      expect(shown.toSorted()).toEqual((await components()).toSorted());
      expect(await faultsOf(page)).toEqual([]);
      const boxes = await page.locator('main > section > figure').evaluateAll(boxesOf);
      const picture = await page.screenshot({ fullPage: true });
      const colours = await coloursIn(await browser.newPage(), picture, boxes);
      expect(shown.filter((_, n) => colours[n] === 1)).toEqual([]);
    },
  );

  it('stays as wide as a phone with titles and names of one long word', async () => {
    const page = await (await browser.newContext(LOOKS.phone)).newPage();
    await page.goto(address);
    expect(await page.locator(NAMED).evaluateAll(lengthen)).toBeGreaterThan(20);
    expect(await overflowOf(page)).toBe(0);
  });
});

/** Where pages show what people typed. */
const NAMED = ['.crumbs a', ...['h1', 'p', 'li', 'dd', 'td', 'button'].map((name) => `main ${name}`)].join(', ');

/** Runs in the browser. */
function lengthen(all: unknown[]): number {
  const leaves = (all as { childElementCount: number; textContent: string }[]).filter(
    (each) => each.childElementCount === 0,
  );
  for (const leaf of leaves) leaf.textContent = 'Wm'.repeat(75);
  return leaves.length;
}

type Box = Record<'x' | 'y' | 'width' | 'height', number>;

/** Runs in the browser. */
function boxesOf(figures: unknown[]): Box[] {
  return (figures as { getBoundingClientRect: () => { toJSON: () => Box } }[]).map((each) =>
    each.getBoundingClientRect().toJSON(),
  );
}

/** The number of colours in each part of a picture. A blank part has one. */
async function coloursIn(canvas: Page, picture: Buffer, boxes: readonly Box[]): Promise<number[]> {
  const given = JSON.stringify({ png: picture.toString('base64'), boxes });
  return await canvas.evaluate<number[]>(`(${COUNT_COLOURS})(${given})`);
}

/** Runs in the browser. */
const COUNT_COLOURS = `async ({ png, boxes }) => {
  const image = new Image();
  image.src = 'data:image/png;base64,' + png;
  await image.decode();
  const drawn = new OffscreenCanvas(image.width, image.height).getContext('2d');
  drawn.drawImage(image, 0, 0);
  return boxes.map(({ x, y, width, height }) => {
    const { data } = drawn.getImageData(x, y, width, height);
    return new Set(new Uint32Array(data.buffer)).size;
  });
}`;
