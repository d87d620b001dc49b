import { Facts, Layout } from '@payroll/pages';
import { renderToString } from 'preact-render-to-string';
import type { Configuration, Provider } from 'oidc-provider';
import { hostOf } from '../domain/oauth-client.js';
import { ROUTES, WELL_KNOWN } from './settings.js';

interface AuthorizationError {
  error: string;
  why: string | null;
  /** The client's own address with the error in it, where the client and the address are known to belong together. */
  backTo: string | null;
}

/** For a person whose browser was sent here by a client with a request that cannot be answered. */
function sendError(ctx: { type: string; body: unknown }, { error, why, backTo }: AuthorizationError): void {
  ctx.type = 'html';
  const lead = 'The application that you came from asked for something that is not possible here.';
  const page = (
    <Layout title="This cannot be connected" lead={lead}>
      <p>Start again in the application. If it happens again, tell its maker:</p>
      <Facts of={{ Error: <code>{error}</code>, Why: why ?? 'No reason was given.' }} />
      {backTo !== null && (
        <p>
          <a href={backTo}>Tell the application and go to {hostOf(backTo)}</a>
          <span class="hint"> Go there only if you came from there.</span>
        </p>
      )}
    </Layout>
  );
  ctx.body = `<!doctype html>${renderToString(page)}`;
}

/** For errors that the library does not redirect, since neither client nor address can be trusted. */
export const renderError: NonNullable<Configuration['renderError']> = (ctx, { error, error_description: why }) => {
  sendError(ctx, { error, why: why ?? null, backTo: null });
};

/** Not `form_post`: a page with a script that sends itself, which no page of ours may be. */
const RESPONSE_MODES = ['query', 'fragment'];

/**
 * Anybody may register a client, so an address of ours that leads on by itself would lead anywhere: the person decides
 * (RFC 9700 §4.11.2). What they have decided is another address (`…/authorize/:uid`), which goes on.
 */
export function stayUntilDecided(provider: Provider): void {
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
