import { readdirSync } from 'node:fs';
import { operations } from '@payroll/public-api';
import { afterAll, expect, test } from 'vitest';
import { ERROR_TABLE } from '../src/errors.js';
import { openApiDocument } from '../src/openapi/document.js';
import type { ApiDocument } from '../src/reference/document.js';
import { ReferenceSite } from '../src/reference/site.js';
import { startFacade } from './support/facade.js';

const facade = await startFacade('facade_reference');
afterAll(() => facade[Symbol.asyncDispose]());

const get = (url: string, headers: Record<string, string> = {}) => facade.app.inject({ method: 'GET', url, headers });

/** Every page reachable from this one, itself included, by address. */
async function everyPage(): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  const toRead = ['/v1/docs'];
  for (let path = toRead.pop(); path !== undefined; path = toRead.pop()) {
    if (pages.has(path)) continue;
    const { statusCode, body } = await get(path);
    expect([path, statusCode]).toEqual([path, 200]);
    pages.set(path, body);
    toRead.push(...[...body.matchAll(/href="(\/[^"#]*)/g)].map(([, href]) => href!));
  }
  return pages;
}

const guides = readdirSync(new URL('../guides', import.meta.url)).map((file) => file.replace('.md', ''));

test('the reference is public, and its pages load and run nothing', async () => {
  const page = await get('/v1/docs');
  expect(page.statusCode).toBe(200);
  expect(page.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': expect.stringMatching(/^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none';/),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'public, max-age=300',
  });
  for (const html of (await everyPage()).values()) expect(html).not.toMatch(/<script|<link|<img|\sstyle=|\son\w+=/);
  expect(facade.admission.asked).toEqual([]);
});

test('every operation, guide and error has a page, and every link resolves', async () => {
  const pages = await everyPage();
  const expected = [...Object.keys(operations), 'getOpenApi'].map((name) => `/v1/docs/operations/${name}`);
  expected.push(...guides.map((name) => `/v1/docs/guides/${name}`));
  expect([...pages.keys()]).toEqual(expect.arrayContaining(expected));
  for (const code of Object.keys(ERROR_TABLE))
    expect(pages.get('/v1/docs/errors')!.split(`id="${code}"`).length).toBe(2);
  for (const [path, html] of pages) {
    for (const [, page, part] of html.matchAll(/href="([^"#]*)#([^"]+)"/g)) {
      expect([path, page, part, pages.get(page || path)?.includes(`id="${part}"`)]).toEqual([path, page, part, true]);
    }
  }
});

test.each(guides)('the guide %s is found by the words of its title', async (name) => {
  const { body } = await get(`/v1/docs/guides/${name}`);
  const title = /<h1[^>]*>(.+?)<\/h1>/.exec(body)![1]!;
  const { body: found } = await get(`/v1/docs/search?q=${encodeURIComponent(title)}`);
  expect(found.slice(found.indexOf('class="hits"'))).toContain(`href="/v1/docs/guides/${name}`);
});

test('the guide for assistants names the address of /mcp, or a placeholder if it is unknown', async () => {
  const path = '/v1/docs/guides/connect-an-assistant';
  expect((await get(path)).body).toContain('claude mcp add --transport http payroll {mcp_url}');
  const mcpUrl = 'https://assistants.example/mcp';
  const page = new ReferenceSite(openApiDocument('/v1') as unknown as ApiDocument, mcpUrl).page(path)!;
  expect(page).toContain(`claude mcp add --transport http payroll ${mcpUrl}`);
  expect(page).not.toContain('{mcp_url}');
});

test('a search finds codes, fields and headings, and gives advice if it finds nothing', async () => {
  const hits = async (asked: string): Promise<string> => {
    const { statusCode, body } = await get(`/v1/docs/search?q=${encodeURIComponent(asked)}`);
    expect(statusCode).toBe(200);
    return body.slice(body.indexOf('id="main"'));
  };
  expect(await hits('stale_resource_version')).toContain('href="/v1/docs/errors#STALE_RESOURCE_VERSION"');
  expect(await hits('paymentScheduledDate')).toContain('href="/v1/docs/objects#Timesheet"');
  expect(await hits('Rate limits')).toContain('href="/v1/docs#rate-limits"');
  expect(await hits('zebra crossing')).toContain('Nothing has all of these words');
  expect(await hits('')).not.toContain('<li>');
  expect(await hits('<img src=x onerror=alert(1)>')).not.toContain('<img');
  expect((await hits('x '.repeat(5000))).length).toBeLessThan(20_000);
});

test('an unknown page is a 404 page, and a trailing slash is redirected', async () => {
  const missing = await get('/v1/docs/operations/signContract');
  expect([missing.statusCode, missing.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  expect(missing.body).toContain('There is no such page');
  expect((await get('/v1/docs/')).statusCode).toBe(308);
});

test('the origin redirects a browser to the reference, and is 404 for a program', async () => {
  const toBrowser = await get('/', { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' });
  expect([toBrowser.statusCode, toBrowser.headers.location]).toEqual([302, '/v1/docs']);
  const toProgram = await get('/', { accept: '*/*' });
  expect([toProgram.statusCode, toProgram.json()['error'].code]).toEqual([404, 'NOT_FOUND']);
});

test.each(['..%2fpackage.json', '../../package.json', '%00', 'constructor', '__proto__'])(
  '%s is not a page',
  async (name) => {
    expect((await get(`/v1/docs/${name}`)).statusCode).toBeGreaterThanOrEqual(400);
  },
);
