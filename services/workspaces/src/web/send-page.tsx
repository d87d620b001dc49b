import type { FastifyReply, FastifyRequest } from 'fastify';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { Cookies } from './cookies.js';
import { formToken } from './form-guard.js';
import { FormTokenContext } from './forms.js';
import { Layout, type Place } from './layout.js';
import { takeNotice } from './notice.js';
import type { Problems } from './problems.js';
import { contentPolicy, type PagePolicy } from './security-headers.js';
import { signedIn } from './visitor.js';
import type { Web } from './web.js';

export interface Page extends PagePolicy {
  /** The page's first heading too, unless `heading` says otherwise. */
  title: string;
  body: VNode;
  status?: number;
  /** What is wrong with the form that was sent; listed above it, linked to its fields. */
  problems?: Problems;
  /** Where in a workspace the page is; none for pages outside of any. */
  place?: Place;
}

/** Renders a page for the browser that asks, with who is signed in, what was just done, and a token for its forms. */
export async function sendPage(
  web: Web,
  request: FastifyRequest,
  reply: FastifyReply,
  page: Page,
): Promise<FastifyReply> {
  const cookies = new Cookies(web.settings.origin);
  const visitor = await signedIn(web, request);
  const { title, body, problems = [], place, status = problems.length > 0 ? 422 : 200 } = page;
  const html = renderToString(
    <FormTokenContext.Provider value={formToken(cookies, request, reply)}>
      <Layout
        title={title}
        account={visitor?.account ?? null}
        place={place ?? null}
        problems={problems}
        notice={takeNotice(cookies, request, reply)}
      >
        {body}
      </Layout>
    </FormTokenContext.Provider>,
  );
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('Content-Security-Policy', contentPolicy(page))
    .send(`<!doctype html>${html}`);
}
