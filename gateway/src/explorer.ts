import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { parseInternalToken } from '@payroll/admission';
import { isId } from '@payroll/kernel';
import { escapeHtml, PAGE_STYLE, renderHtmlPage } from '@payroll/runtime';
import { getDistDirectory, renderAltair } from 'altair-static';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** The token, workspace and reason that the explorer sends with every request. */
interface ExplorerPreset {
  token: string;
  workspaceId: string;
  reason: string;
}

const PATH = '/explorer/';
const WORDS = 'assets/i18n/en-US.json';

const QUERY = `# Ctrl+Enter sends it. "Docs" shows every field, and which teams may ask it.
{
  contracts(limit: 10) {
    nodes { title status worker { name } }
  }
}
`;

/**
 * A page to write queries in, with the schema's documentation beside them. It works offline and has no more access than
 * the token (ADR 12). Visitors must enter a token first, unless there is a stack file.
 */
export async function serveExplorer(server: FastifyInstance, stackFile: string | null): Promise<void> {
  const root = getDistDirectory();
  await server.register(async (pages) => {
    // JSON could have values other than texts, which a form cannot.
    pages.removeAllContentTypeParsers();
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 4_096 },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    pages.addHook('onRequest', (_request, reply, done) => {
      void reply.header('Content-Security-Policy', policyWith());
      done();
    });
    await pages.register(fastifyStatic, { root, prefix: PATH, index: false, cacheControl: false });
    pages.get(PATH, (_request, reply) => {
      const visit = stackFile === null ? null : presetFrom(stackFile);
      return visit ? sendExplorer(reply, visit) : reply.type('text/html; charset=utf-8').send(explorerLoginPage());
    });
    // In a body: URLs stay in the browser's history.
    pages.post<{ Body: Partial<ExplorerPreset> | undefined }>(PATH, (request, reply) => {
      const visit = readVisit(request.body ?? {});
      if (visit) return sendExplorer(reply, visit);
      return reply.type('text/html; charset=utf-8').code(400).send(explorerLoginPage(request.body));
    });
    const words = wordsOf(root);
    pages.get(PATH + WORDS, (_request, reply) => reply.type('application/json').send(words));
  });
  server.get('/', (_request, reply) => reply.redirect(PATH));
}

/** The values become part of a script: nothing but a token, an id and a plain sentence passes. */
function readVisit({ token = '', workspaceId = '', reason = '' }: Partial<ExplorerPreset>): ExplorerPreset | null {
  const isPlain = /^[^<>\\`$\p{Cc}]{0,200}$/u.test(reason);
  return parseInternalToken(`Bearer ${token}`) && isId(workspaceId) && isPlain ? { token, workspaceId, reason } : null;
}

/** Only our own scripts run, and the one that holds the token; what they send goes nowhere but here. Altair writes its styles itself. */
function policyWith(nonce?: string): string {
  return [
    "default-src 'none'",
    `script-src 'self'${nonce === undefined ? '' : ` 'nonce-${nonce}'`}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'self'",
    "frame-ancestors 'self'",
  ].join('; ');
}

function sendExplorer(reply: FastifyReply, visit: ExplorerPreset): FastifyReply {
  const nonce = randomBytes(16).toString('base64url');
  return reply
    .header('Content-Security-Policy', policyWith(nonce))
    .type('text/html; charset=utf-8')
    .send(explorerPage(visit, nonce));
}

function explorerPage({ token, workspaceId, reason }: ExplorerPreset, cspNonce: string): string {
  return renderAltair({
    baseURL: PATH,
    cspNonce,
    endpointURL: '/graphql',
    initialHeaders: { Authorization: `Bearer ${token}`, 'x-workspace-id': workspaceId, 'x-reason': reason },
    initialQuery: QUERY,
    // The token is gone when the window is closed.
    preserveState: false,
    disableAccount: true,
    // No adverts, no update notices; light or dark as the system.
    initialSettings: {
      theme: 'light',
      'theme.dark': 'dark',
      'banners.disable': true,
      'alert.disableUpdateNotification': true,
      disablePushNotification: true,
    },
  });
}

/** Altair's own texts, without its greeting in place of an answer. */
function wordsOf(root: string): string {
  const words = JSON.parse(readFileSync(join(root, WORDS), 'utf8')) as Record<string, unknown>;
  return JSON.stringify({ ...words, QUERY_RESULT_NO_RESULT_TEXT: 'The answer will be here.' });
}

const DOOR_STYLE = `${PAGE_STYLE}
main { max-width: 34rem; margin: 0 auto; padding: 2rem 1rem }
label { display: block; margin-top: 1.25rem; font-weight: 600 }
.hint { margin: 0 }
.bad { color: var(--bad); font-weight: 600 }
input { width: 100%; padding: .5rem; border: 1px solid var(--edge); border-radius: 4px; background: transparent; color: inherit; font: inherit }
button { margin-top: 1.5rem; padding: .5rem 1.25rem; border: 0; border-radius: 4px; background: var(--accent); color: var(--accent-ink); font: inherit; font-weight: 600 }`;

/** Asks for token, workspace and reason; filled in with what was typed when that was not valid. */
function explorerLoginPage(typed?: Partial<ExplorerPreset>): string {
  const { workspaceId = '', reason = '' } = typed ?? {};
  const body = `<main>
<h1>Explorer</h1>
<p>Write GraphQL for one workspace, with every field explained beside it. You see what your team may see.</p>
${typed ? '<p class="bad" role="alert">Enter a whole token, the id of a workspace, and a reason in plain words.</p>' : ''}
<form method="post" action="/explorer/" autocomplete="off">
<label for="token">Token</label>
<p class="hint" id="token-hint">It begins with <code>it_</code>. An operator makes it: <code>docker-compose run --rm operator create-token --help</code></p>
<input id="token" name="token" type="password" required aria-describedby="token-hint">
<label for="workspace">Workspace</label>
<p class="hint" id="workspace-hint">Its id, a UUID.</p>
<input id="workspace" name="workspaceId" required value="${escapeHtml(workspaceId)}" aria-describedby="workspace-hint">
<label for="reason">Reason</label>
<p class="hint" id="reason-hint">Why you look, such as a ticket number. It is kept with what you ask.</p>
<input id="reason" name="reason" maxlength="200" value="${escapeHtml(reason)}" aria-describedby="reason-hint">
<button>Open the explorer</button>
</form>
</main>`;
  return renderHtmlPage({
    title: 'Explorer of the internal endpoint',
    style: DOOR_STYLE,
    body,
    head: '<link rel="icon" href="data:,">',
  });
}

/** The demo application's token and the first workspace, from the `stack.json` of `npm start`; null until it is written. */
function presetFrom(file: string): ExplorerPreset | null {
  try {
    const { graphql, workspaces } = JSON.parse(readFileSync(file, 'utf8')) as {
      graphql: { token?: string };
      workspaces?: { id: string }[];
    };
    const [workspace] = workspaces ?? [];
    return graphql.token && workspace
      ? { token: graphql.token, workspaceId: workspace.id, reason: 'trying it out' }
      : null;
  } catch {
    return null;
  }
}
