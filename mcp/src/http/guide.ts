import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { guideStyle } from './guide-style.js';

interface Host {
  name: string;
  steps: (url: string) => string;
}

const hosts: readonly Host[] = [
  {
    name: 'Claude, on the web and on the desktop',
    steps: (url) => `<p>Settings → Connectors → <em>Add custom connector</em>. Enter the address:</p>${code(url)}`,
  },
  { name: 'Claude Code', steps: (url) => code(`claude mcp add --transport http payroll ${url}`) },
  {
    name: 'ChatGPT',
    steps: (url) =>
      `<p>Settings → Connectors → <em>Create</em> (developer mode), authentication OAuth. Address:</p>${code(url)}`,
  },
  {
    name: 'Visual Studio Code',
    steps: (url) =>
      `<p>In <code>.vscode/mcp.json</code>:</p>${code(json({ servers: { payroll: { type: 'http', url } } }))}`,
  },
  {
    name: 'Cursor',
    steps: (url) => `<p>In <code>~/.cursor/mcp.json</code>:</p>${code(json({ mcpServers: { payroll: { url } } }))}`,
  },
  { name: 'Codex', steps: (url) => code(`codex mcp add payroll --url ${url}`) },
  { name: 'Gemini CLI', steps: (url) => code(`gemini mcp add --transport http payroll ${url}`) },
  {
    name: 'A host that only starts local servers',
    steps: (url) => `<p>Let <code>mcp-remote</code> stand between:</p>${code(`npx mcp-remote ${url}`)}`,
  },
];

/** How to connect an assistant, for the person who has been given this server's address. */
export function serveGuide(app: FastifyInstance, publicUrl: string): void {
  const page = guideOf(publicUrl);
  const styleHash = createHash('sha256').update(guideStyle).digest('base64');
  app.get('/', async (_request, reply) => {
    void reply.headers({
      'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'referrer-policy': 'no-referrer',
      'cache-control': 'public, max-age=300',
    });
    return await reply.type('text/html; charset=utf-8').send(page);
  });
}

function guideOf(url: string): string {
  const sections = hosts.map(({ name, steps }) => `<section><h3>${name}</h3>${steps(url)}</section>`).join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Connect an assistant · Contracts and payroll</title>
<style>${guideStyle}</style>
</head>
<body>
<main>
<h1>Connect an assistant</h1>
<p>This is a server of the Model Context Protocol. It lets an assistant read the contracts, timesheets, milestones, payments and balances of your workspace, and propose changes that <strong>you</strong> confirm one by one.</p>
<h2>The address</h2>
${code(url)}
<ol>
<li>An admin of the workspace connects a host first, which allows it for the workspace.</li>
<li>Add the address in your host as shown below. It opens a page where you sign in and choose the workspace.</li>
<li>Ask it, for example: “Which timesheets wait for approval, and what would they cost?”</li>
</ol>
<h2>Your host</h2>
${sections}
<h2>What to expect</h2>
<ul>
<li>The assistant can do what your role allows and no more; a change of your role holds at once.</li>
<li>Every write is shown to you first, with the worker, amount and date. A host that cannot show this can read, and not write.</li>
<li>API keys are not entered here, and the address is not one for programs: they use <code>/v1</code>.</li>
<li>A connection is ended on the page <em>Connections</em> of the workspace settings.</li>
</ul>
</main>
</body>
</html>
`;
}

function code(text: string): string {
  return `<pre tabindex="0"><code>${escaped(text)}</code></pre>`;
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
