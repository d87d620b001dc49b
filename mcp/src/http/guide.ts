import { createHash } from 'node:crypto';
import { escaped, PAGE_STYLE, pageOf } from '@payroll/process';
import type { FastifyInstance } from 'fastify';
import type { Discovery } from './authenticate.js';
import { shownDialogues } from './shown-dialogues.js';

const STYLE = `${PAGE_STYLE}
.wide, main { width: min(100% - 2.5rem, 46rem); margin-inline: auto; }
main { padding-block: 2rem 4rem; }
.banner { background: var(--paper); border-bottom: 1px solid var(--line); }
.banner .wide { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .5rem 1.25rem; padding-block: .75rem; }
.brand { display: inline-flex; align-items: center; gap: .6rem; color: var(--ink); font-weight: 700; letter-spacing: -.01em; text-decoration: none; }
.brand::before { content: ''; width: .85rem; height: .85rem; border-radius: .25rem; background: var(--accent); }
h2 { font-size: 1.25rem; line-height: 1.3; letter-spacing: -.01em; margin: 2.5rem 0 .5rem; }
h3 { font-size: 1.0625rem; margin: 0 0 .5rem; }
p { margin: .5rem 0; }
.lead { font-size: 1.15rem; color: var(--soft); }
ul, ol { padding-left: 1.25rem; }
li { margin: .35rem 0; }
a { color: var(--accent); text-underline-offset: .2em; text-decoration-thickness: .08em; }
a:hover { color: var(--accent-hover); text-decoration-thickness: .16em; }
main section { background: var(--paper); border: 1px solid var(--line); border-radius: 8px; padding: 1rem 1.25rem; margin: 1rem 0; }
.button { display: inline-block; padding: .55rem 1.25rem; border-radius: 6px; background: var(--accent); color: var(--accent-ink); font-weight: 600; text-decoration: none; }
.button:hover { background: var(--accent-hover); color: var(--accent-ink); }
pre { background: var(--plain-ground); border-radius: 6px; padding: .75rem 1rem; overflow-x: auto; margin: .5rem 0; }
pre code { user-select: all; }
details { background: var(--paper); border: 1px solid var(--line); border-radius: 8px; padding: .625rem 1.25rem; margin: .5rem 0; }
summary { font-weight: 600; cursor: pointer; }
summary code { color: var(--soft); font-weight: 400; margin-left: .5rem; }
.asked { white-space: pre-line; overflow-wrap: anywhere; border-left: 3px solid var(--accent); padding-left: 1rem; }
main:focus { outline: none; box-shadow: none; }
.skip { position: absolute; left: 1rem; top: -4rem; padding: .5rem 1rem; background: var(--focus); color: var(--focus-ink); }
.skip:focus { top: .75rem; }
`;

/** How to connect an assistant, for the person who has been given this server's address. */
export function serveGuide(app: FastifyInstance, discovery: Discovery): void {
  const page = guideOf(discovery);
  const styleHash = createHash('sha256').update(STYLE).digest('base64');
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
  const body = `<a class="skip" href="#main">Skip to the content</a>
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
<p>As far as we know, they cannot show such a form yet. They read everything that you may read; an attempt to change something ends with <code>CONFIRMATION_UNSUPPORTED</code> and the address of the page on which you can do it yourself, and nothing happens. Once an application can show forms it can make changes, with nothing to set up again.</p>
${readingHosts.map((host) => sectionOf(host, url)).join('\n')}
<p class="hint">What each application can do, and how it is set up: as of ${HOSTS_SEEN}.</p>
<h2>What you are asked before a change</h2>
<p>An example for each. What is shown comes from the service, never from the assistant, but for a reason and what is in a draft.</p>
${shownDialogues(authUrl)}
${expectations(workspaces)}
</main>`;
  return pageOf({ title: 'Connect an assistant – Payroll', style: STYLE, body });
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

function sectionOf({ name, install, steps, copy = (address) => address }: Host, url: string): string {
  const button = install
    ? `<p><a class="button" href="${escaped(install(url))}">Add to ${escaped(name)}</a></p>\n`
    : '';
  return `<section><h3>${escaped(name)}</h3>\n${button}<p>${steps}</p>${code(copy(url))}</section>`;
}

function code(text: string): string {
  return `<pre tabindex="0"><code>${escaped(text)}</code></pre>`;
}

/** An application that assistants run in, and how this server is added to it. */
interface Host {
  name: string;
  install?: (url: string) => string;
  /** In words, before what is to be copied. */
  steps: string;
  /** The address alone where absent. */
  copy?: (url: string) => string;
}

/** When the hosts' own documents and reports of users were last read. */
const HOSTS_SEEN = 'November 2026';

const NAME = 'payroll';

/** They show forms (`elicitation`, mode `form`), so that a person can confirm writes. */
const confirmingHosts: readonly Host[] = [
  {
    name: 'Visual Studio Code',
    // https://code.visualstudio.com/api/extension-guides/ai/mcp#mcp-url-handler
    install: (url) => `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: NAME, type: 'http', url }))}`,
    steps: 'Or put this into <code>.vscode/mcp.json</code>:',
    copy: (url) => json({ servers: { [NAME]: { type: 'http', url } } }),
  },
  {
    name: 'Cursor',
    // https://cursor.com/docs/mcp/install-links
    install: (url) =>
      `cursor://anysphere.cursor-deeplink/mcp/install?name=${NAME}&config=${encodeURIComponent(btoa(JSON.stringify({ url })))}`,
    steps: 'Or put this into <code>~/.cursor/mcp.json</code>:',
    copy: (url) => json({ mcpServers: { [NAME]: { url } } }),
  },
  {
    name: 'Claude Code',
    steps: 'Run this, then sign in with <code>/mcp</code>:',
    copy: (url) => `claude mcp add --transport http ${NAME} ${url}`,
  },
  {
    name: 'Codex',
    steps: 'Run this. If no page opens to sign in, run <code>codex mcp login payroll</code>:',
    copy: (url) => `codex mcp add ${NAME} --url ${url}`,
  },
];

/** Not known to show forms: they can only read. */
const readingHosts: readonly Host[] = [
  {
    name: 'Claude, on the web and on the desktop',
    // https://support.claude.com/en/articles/11503834
    steps:
      'Customize → Connectors → <em>+</em> → <em>Add custom connector</em>, with this address. In a team or an enterprise its owner adds it first:',
  },
  {
    name: 'ChatGPT',
    steps:
      // https://developers.openai.com/api/docs/guides/developer-mode
      'Settings → Apps → Advanced settings: turn on developer mode. Then <em>Create app</em>, with OAuth and this address:',
  },
  {
    name: 'Gemini CLI',
    steps: 'Run this, then sign in with <code>/mcp auth payroll</code>:',
    copy: (url) => `gemini mcp add --transport http ${NAME} ${url}`,
  },
  {
    name: 'An application that only starts local servers',
    steps: 'Give it this command, which connects it to this server:',
    copy: (url) => `npx mcp-remote ${url}`,
  },
];

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
