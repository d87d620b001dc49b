import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Discovery } from './discovery.js';
import { confirmingHosts, HOSTS_SEEN, readingHosts } from './guide-hosts.js';
import { guideStyle } from './guide-style.js';

/** How to connect an assistant, for the person who has been given this server's address. */
export function serveGuide(app: FastifyInstance, discovery: Discovery): void {
  const page = guideOf(discovery);
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

const STEPS = `<ol>
<li>An admin of the workspace connects an application first; that allows it for everyone in the workspace.</li>
<li>Add the address to your application, as shown below. A page opens where you sign in and choose the workspace.</li>
<li>Then ask, for example: “Which timesheets are waiting for approval, and what would they cost?”</li>
</ol>`;

function guideOf({ publicUrl: url, authUrl }: Discovery): string {
  const workspaces = escaped(new URL('/workspaces', authUrl).href);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Connect an assistant – Payroll</title>
<style>${guideStyle}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="banner"><div class="wide">
<a class="brand" href="${escaped(new URL('/', authUrl).href)}">Payroll</a>
<nav aria-label="Payroll"><a href="${workspaces}">Your workspaces</a></nav>
</div></header>
<main id="main" tabindex="-1">
<h1>Connect an assistant</h1>
<p class="lead">Let an AI assistant read the contracts, timesheets, milestones, payments and balances of your workspace, and propose changes that <strong>you</strong> confirm one by one.</p>
<h2>The address</h2>
${code(url)}
${STEPS}
<h2>Applications that can also make changes</h2>
<p>They can show you a form in which you confirm a change before it is made.</p>
${confirmingHosts.map((host) => sectionOf(host, url)).join('\n')}
<h2>Applications that only read</h2>
<p>As far as we know, they cannot show such a form yet. They read everything that you may read; an attempt to change something ends with <code>CONFIRMATION_UNSUPPORTED</code>, and nothing happens. Once an application can show forms it can make changes, with nothing to set up again.</p>
${readingHosts.map((host) => sectionOf(host, url)).join('\n')}
<p class="hint">What each application can do, and how it is set up: as of ${HOSTS_SEEN}.</p>
${expectations(workspaces)}
</main>
</body>
</html>
`;
}

function expectations(workspaces: string): string {
  return `<h2>What to expect</h2>
<ul>
<li>The assistant can do what your role allows and no more. A change of your role takes effect at once.</li>
<li>Before any change you are shown the worker, the amount and the date. Only your yes makes it happen.</li>
<li>API keys are not needed here. This address is for assistants; programs use the REST API.</li>
<li>To end a connection, open <em>Connections</em> in <a href="${workspaces}">your workspace</a>. Admins find the addresses of the REST API and its reference there as well, under <em>Integration</em>.</li>
</ul>`;
}

function sectionOf({ name, install, steps, copy }: (typeof confirmingHosts)[number], url: string): string {
  const button = install
    ? `<p><a class="button" href="${escaped(install(url))}">Add to ${escaped(name)}</a></p>\n`
    : '';
  return `<section><h3>${escaped(name)}</h3>\n${button}<p>${steps}</p>${code(copy(url))}</section>`;
}

function code(text: string): string {
  return `<pre tabindex="0"><code>${escaped(text)}</code></pre>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
