import type { Provider } from 'oidc-provider';
import { sendError } from './render-error.js';
import { ROUTES, WELL_KNOWN } from './settings.js';

/**
 * How an answer travels to a client: by a redirect. `form_post` is a page with a script that sends itself, which no page of
 * ours may be.
 */
const RESPONSE_MODES = ['query', 'fragment'];

/**
 * Anybody may register a client, so an address of ours that leads on by itself would lead anywhere. A request that cannot
 * be answered ends on a page that says where the client is, and the person decides (RFC 9700 §4.11.2). What they have
 * decided is another address (`…/authorize/:uid`), which goes on.
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
