import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { parseInternalToken } from '@payroll/admission';
import { isId } from '@payroll/kernel';
import { getDistDirectory, renderAltair } from 'altair-static';
import type { FastifyInstance } from 'fastify';
import { doorPage } from './explorer-door.js';
import type { Visit } from './visit.js';

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
 * A page to write queries in, with the schema's documentation beside them. It needs no internet, and sees nothing that the
 * token does not open (ADR 0006). Who comes is asked for a token first, unless `preset` knows one.
 */
export async function serveExplorer(server: FastifyInstance, preset: () => Visit | null): Promise<void> {
  const root = getDistDirectory();
  await server.register(async (pages) => {
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 4_096 },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    await pages.register(fastifyStatic, { root, prefix: PATH, index: false, cacheControl: false });
    pages.get(PATH, (_request, reply) => {
      const visit = preset();
      return reply.type('text/html; charset=utf-8').send(visit ? explorerPage(visit) : doorPage());
    });
    // What is typed at the door comes in a body: addresses are kept in histories.
    pages.post<{ Body: Partial<Visit> | undefined }>(PATH, (request, reply) => {
      const visit = readVisit(request.body ?? {});
      reply.type('text/html; charset=utf-8');
      return visit ? reply.send(explorerPage(visit)) : reply.code(400).send(doorPage(request.body));
    });
    const words = wordsOf(root);
    pages.get(PATH + WORDS, (_request, reply) => reply.type('application/json').send(words));
  });
  server.get('/', (_request, reply) => reply.redirect(PATH));
}

/** What it becomes a part of is a script: only what has the form of a token, an id and a plain sentence. */
function readVisit({ token = '', workspaceId = '', reason = '' }: Partial<Visit>): Visit | null {
  const isPlain = /^[^<>\\`$\p{Cc}]{0,200}$/u.test(reason);
  return parseInternalToken(`Bearer ${token}`) && isId(workspaceId) && isPlain ? { token, workspaceId, reason } : null;
}

function explorerPage({ token, workspaceId, reason }: Visit): string {
  return renderAltair({
    baseURL: PATH,
    endpointURL: '/graphql',
    initialHeaders: { Authorization: `Bearer ${token}`, 'x-workspace-id': workspaceId, 'x-reason': reason },
    initialQuery: QUERY,
    // A token stays in this window and is nowhere when it is closed.
    preserveState: false,
    disableAccount: true,
    // No adverts and no news from outside; the colours of the system.
    initialSettings: {
      theme: 'light',
      'theme.dark': 'dark',
      'banners.disable': true,
      'alert.disableUpdateNotification': true,
      disablePushNotification: true,
    },
  });
}

/** Altair greets a person of its own. */
function wordsOf(root: string): string {
  const words = JSON.parse(readFileSync(join(root, WORDS), 'utf8')) as Record<string, unknown>;
  return JSON.stringify({ ...words, QUERY_RESULT_NO_RESULT_TEXT: 'The answer will be here.' });
}
