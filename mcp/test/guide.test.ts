import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMcpForTest, type McpForTest } from './support/mcp.js';

// The page for people, at the origin of the MCP address.

const URL_OF_MCP = 'http://127.0.0.1:4003/mcp';
const CONFIRMING = ['Visual Studio Code', 'Cursor', 'Claude Code', 'Codex'];

let mcp: McpForTest;
let response: Response;
let page: string;
beforeAll(async () => {
  mcp = await startMcpForTest();
  response = await fetch(`${mcp.origin}/`);
  page = await response.text();
});
afterAll(() => mcp[Symbol.asyncDispose]());

test('may load and run nothing', () => {
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
  expect(page).not.toMatch(/<(?:script|img|link|iframe)|\sstyle="|\son\w+="/);
});

test('names first the hosts that can confirm a write, and says of the others that they read', () => {
  const [, confirming, reading] = page.split(/<h2>Applications[^<]*<\/h2>/);
  const namesIn = (part: string): string[] => [...part.matchAll(/<h3>([^<]+)/g)].map(([, name]) => name!);
  expect(namesIn(confirming!)).toEqual(CONFIRMING);
  expect(reading).toContain('CONFIRMATION_UNSUPPORTED');
  expect(namesIn(reading!)).toEqual(expect.arrayContaining(['ChatGPT', 'Gemini CLI']));
});

test('has the links by which hosts add a server, each with its address', () => {
  const links = [...page.matchAll(/class="button" href="([^"]+)"/g)].map(([, to]) => to!.replaceAll('&amp;', '&'));
  const [vscode, cursor] = links.map((link) => new URL(link));
  expect(`${vscode!.protocol}${vscode!.pathname}`).toBe('vscode:mcp/install');
  expect(JSON.parse(decodeURIComponent(vscode!.search.slice(1)))).toEqual({
    name: 'payroll',
    type: 'http',
    url: URL_OF_MCP,
  });
  expect(cursor!.href).toMatch(/^cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?/);
  expect(cursor!.searchParams.get('name')).toBe('payroll');
  expect(JSON.parse(atob(cursor!.searchParams.get('config')!))).toEqual({ url: URL_OF_MCP });
});

test('leads back to the workspace', () => {
  expect(page).toContain('<a href="http://127.0.0.1:4002/workspaces">');
});

test('has the colours of all other pages, in light and dark', () => {
  const colours = (css: string): string[] => [...css.matchAll(/--[\w-]+: #[\da-f]{6}/g)].map(([each]) => each);
  const site = readFileSync(new URL('../../packages/pages/assets/site.css', import.meta.url), 'utf8');
  const [light, dark] = site.split('@media (prefers-color-scheme: dark)');
  const [own, ownDark] = page.split('@media (prefers-color-scheme: dark)');
  expect(colours(light!)).toEqual(expect.arrayContaining(colours(own!)));
  expect(colours(dark!)).toEqual(expect.arrayContaining(colours(ownDark!)));
  expect(colours(own!).length).toBeGreaterThan(8);
});

test('shows what a person is asked by each tool that writes', () => {
  for (const name of [
    'create_contract_draft',
    'approve_timesheet',
    'reject_timesheet',
    'approve_milestone',
    'reject_milestone',
  ])
    expect(page).toContain(`<code>${name}</code>`);
  const asked = [...page.matchAll(/class="asked">([^<]+)/g)].map(([, text]) => text!);
  expect(asked).toHaveLength(5);
  expect(asked[1]).toMatch(/^Approve this timesheet[^]*Amount: 12920\.00 EUR[^]*Automatic payment: on/);
  expect(asked[4]).toContain('Reason: “Frames 9 to 12 are missing.”');
});
