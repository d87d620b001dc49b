import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Configuration } from 'oidc-provider';
import { hostOf } from '../domain/oauth-client.js';
import { Layout } from '../web/layout.js';

/** As much of a request to the library as pages need. */
interface Answering {
  type: string;
  body: unknown;
}

export interface AuthorizationError {
  error: string;
  why: string | null;
  /** The client's own address with the error in it, where the client and the address are known to belong together. */
  backTo: string | null;
}

/** For a person whose browser was sent here by a client with a request that cannot be answered. */
export function sendError(ctx: Answering, problem: AuthorizationError): void {
  ctx.type = 'html';
  const page = (
    <Layout title="This cannot be connected" account={null} place={null} problems={[]} notice={null}>
      <ErrorPage {...problem} />
    </Layout>
  );
  ctx.body = `<!doctype html>${renderToString(page)}`;
}

/** Where the library itself sends nobody on: whoever made the request up would be handed the error, or the person. */
export const renderError: NonNullable<Configuration['renderError']> = (ctx, { error, error_description: why }) => {
  sendError(ctx, { error, why: why ?? null, backTo: null });
};

function ErrorPage({ error, why, backTo }: AuthorizationError): VNode {
  return (
    <>
      <p class="lead">The application that you came from asked for something that is not possible here.</p>
      <p>Start again in the application. If it happens again, tell its maker:</p>
      <dl class="facts">
        <dt>Error</dt>
        <dd>
          <code>{error}</code>
        </dd>
        <dt>Why</dt>
        <dd>{why ?? 'No reason was given.'}</dd>
      </dl>
      {backTo !== null && (
        <p>
          <a href={backTo}>Tell the application and go to {hostOf(backTo)}</a>
          <span class="hint"> Go there only if you came from there.</span>
        </p>
      )}
    </>
  );
}
