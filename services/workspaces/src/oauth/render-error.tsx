import { renderToString } from 'preact-render-to-string';
import type { Configuration } from 'oidc-provider';
import { Layout } from '../web/layout.js';

/**
 * For a person whose browser was sent here by a client with a request that cannot be answered: sending them back would
 * hand the error, or the person, to whoever made the request up.
 */
export const renderError: NonNullable<Configuration['renderError']> = (ctx, { error, error_description: why }) => {
  ctx.type = 'html';
  const page = (
    <Layout title="This cannot be connected" account={null} place={null} problems={[]} notice={null}>
      <p class="lead">The application that you came from asked for something that is not possible here.</p>
      <p>Start again in the application. If it happens again, tell its maker:</p>
      <dl class="facts">
        <dt>Error</dt>
        <dd>
          <code>{error}</code>
        </dd>
        <dt>Why</dt>
        <dd>{why ?? 'It was not said.'}</dd>
      </dl>
    </Layout>
  );
  ctx.body = `<!doctype html>${renderToString(page)}`;
};
