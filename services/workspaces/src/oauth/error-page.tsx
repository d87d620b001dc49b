import { DefinitionList, Layout } from '@payroll/pages';
import { cellHint } from '@payroll/runtime';
import { renderToString } from 'preact-render-to-string';
import type { Configuration, Provider } from 'oidc-provider';
import { hostOf } from '../domain/connection.js';
import { ROUTES, WELL_KNOWN } from './settings.js';

interface AuthorizationError {
  error: string;
  why: string | null;
  /** The client's redirect URI with the error, if client and URI are known to belong together. */
  backTo: string | null;
}

/** The page for a person whose browser was sent here with a request that cannot be answered. */
function sendError(ctx: { type: string; body: unknown }, { error, why, backTo }: AuthorizationError): void {
  ctx.type = 'html';
  const lead = 'The application that sent you here made a request that is not possible.';
  const page = (
    <Layout title="This cannot be connected" lead={lead}>
      <p>Start again in the application. If the problem persists, tell its developer:</p>
      <DefinitionList of={{ Error: <code>{error}</code>, Why: (why ?? 'No reason was given.') + cellHint() }} />
      {backTo !== null && (
        <p>
          <a href={backTo}>Report this to the application and go to {hostOf(backTo)}</a>
          <span class="hint"> Only continue if you came from there.</span>
        </p>
      )}
    </Layout>
  );
  ctx.body = `<!doctype html>${renderToString(page)}`;
}

/** For errors that the library does not redirect, since neither client nor redirect URI can be trusted. */
export const renderError: NonNullable<Configuration['renderError']> = (ctx, { error, error_description: why }) => {
  sendError(ctx, { error, why: why ?? null, backTo: null });
};

/** Not `form_post`: it needs a page with a script that submits itself, which our content security policy forbids. */
const RESPONSE_MODES = ['query', 'fragment'];

/**
 * Prevents an open redirect: anyone can register a client, so a redirect before the user has decided could lead
 * anywhere (RFC 9700 §4.11.2). After the decision the flow continues at `…/authorize/:uid`, which may redirect.
 */
export function blockUnconfirmedRedirects(provider: Provider): void {
  provider.use(async (ctx, next) => {
    const asks = ctx.path === ROUTES.authorization;
    const mode = ctx.query['response_mode'];
    if (asks && mode !== undefined && !RESPONSE_MODES.includes(String(mode))) {
      ctx.status = 400;
      return sendError(ctx, { error: 'unsupported_response_mode', why: 'answers are redirects', backTo: null });
    }
    await next();
    const target = asks ? URL.parse(ctx.response.get('Location')) : null;
    if (target && target.origin !== new URL(provider.issuer).origin) {
      const answer = new URLSearchParams(target.search || target.hash.slice(1));
      ctx.remove('Location');
      ctx.status = 400;
      sendError(ctx, { error: answer.get('error') ?? '', why: answer.get('error_description'), backTo: target.href });
    }
    if (ctx.method === 'GET' && (WELL_KNOWN as readonly string[]).includes(ctx.path)) {
      Object.assign(ctx.body as object, { response_modes_supported: RESPONSE_MODES });
    }
  });
}
