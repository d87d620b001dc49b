import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { renderHtmlPage, PAGE_STYLE, refuseUnknownRoute } from '@payroll/runtime';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { QueryText } from '../read-request.js';
import { endpointsOf, type ApiDocument } from './document.js';
import { Layout, pathOf, Prose, type Chapter } from './layout.js';
import { ErrorsPage, HeadersPage, ObjectsPage, OperationPage } from './pages.js';
import { find, SearchPage, sectionsOf, type Section } from './search.js';

interface Page {
  path: string;
  chapter: string;
  title: string;
  method?: string;
  content: VNode;
}

const GUIDES = [
  'first-sync',
  'approve-safely',
  'idempotency',
  'money',
  'test-your-integration',
  'go-live',
  'connect-an-assistant',
];

/** In the guides, in place of the address of `/mcp`. */
const MCP_URL = '{mcp_url}';

const textOf = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

/** In the page itself, which loads nothing. */
const STYLE = `${PAGE_STYLE}${textOf('reference/page.css')}`;

/** The pages of the reference, made once of the OpenAPI document and the guides, and looked up by their address. */
export class ReferenceSite {
  private readonly contents: readonly Chapter[];
  private readonly written: ReadonlyMap<string, string>;
  private readonly sections: readonly Section[];

  /** Without `mcpUrl`, the guide for assistants shows the name `{mcp_url}` in its place. */
  constructor(document: ApiDocument, mcpUrl: string) {
    const pages = pagesOf(document, mcpUrl || MCP_URL);
    this.contents = contentsOf(pages);
    const contents = pages.map(({ path, title, content }) => ({ path, title, html: renderToString(content) }));
    this.sections = contents.flatMap(({ path, title, html }) => sectionsOf(title, path, html));
    this.written = new Map(contents.map(({ path, title, html }) => [path, this.write(title, path, html)]));
  }

  page(path: string): string | undefined {
    return this.written.get(path);
  }

  search(asked: string): string {
    const found = find(this.sections, asked);
    const html = renderToString(<SearchPage asked={asked} found={found} />);
    return this.write('Search', pathOf('search'), html, asked);
  }

  missing(): string {
    const html = renderToString(
      <>
        <h1>There is no such page</h1>
        <p>
          Search for it above, or begin with the <a href={pathOf('')}>introduction</a>.
        </p>
      </>,
    );
    return this.write('There is no such page', '', html);
  }

  private write(title: string, here: string, html: string, asked?: string): string {
    const body = renderToString(
      <Layout contents={this.contents} here={here} html={html} {...(asked !== undefined && { asked })} />,
    );
    return renderHtmlPage({ title: `${title} – Payroll API`, style: STYLE, body });
  }
}

function pagesOf(document: ApiDocument, mcpUrl: string): Page[] {
  const introduction = (
    <>
      <h1>{document.info.title}</h1>
      <Prose of={document.info.description} />
    </>
  );
  return [
    { path: pathOf(''), chapter: 'Begin', title: 'Introduction', content: introduction },
    ...GUIDES.map((name) => guide(name, mcpUrl)),
    ...document.tags.flatMap(({ name }) => operationPages(document, name)),
    { path: pathOf('objects'), chapter: 'Look up', title: 'Objects', content: <ObjectsPage document={document} /> },
    { path: pathOf('errors'), chapter: 'Look up', title: 'Errors', content: <ErrorsPage document={document} /> },
    { path: pathOf('headers'), chapter: 'Look up', title: 'Headers', content: <HeadersPage document={document} /> },
  ];
}

function guide(name: string, mcpUrl: string): Page {
  const text = textOf(`guides/${name}.md`).replaceAll(MCP_URL, mcpUrl);
  const title = /^# (.+)$/m.exec(text)![1]!;
  return { path: pathOf(`guides/${name}`), chapter: 'Guides', title, content: <Prose of={text} /> };
}

function operationPages(document: ApiDocument, tag: string): Page[] {
  return endpointsOf(document)
    .filter(({ tags }) => tags[0] === tag)
    .map((endpoint) => ({
      path: pathOf(`operations/${endpoint.operationId}`),
      chapter: tag,
      title: endpoint.summary,
      method: endpoint.method,
      content: <OperationPage document={document} endpoint={endpoint} />,
    }));
}

function contentsOf(pages: readonly Page[]): Chapter[] {
  return Object.entries(Object.groupBy(pages, ({ chapter }) => chapter)).map(([title, own = []]) => ({
    title,
    entries: own.map(({ title: name, path: href, method }) => ({ title: name, href, ...(method && { method }) })),
  }));
}

/** Pages load nothing and run nothing; the one form is the search. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'Cache-Control': 'public, max-age=300',
  'Content-Security-Policy': POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
};

/** `GET /v1/docs`: the OpenAPI document and the guides as pages to read, for everybody, without internet or script (ADR 21). */
export function serveReference(app: FastifyInstance, document: object, mcpUrl: string): void {
  const site = new ReferenceSite(document as ApiDocument, mcpUrl);
  const answer = (reply: FastifyReply, html: string | undefined): FastifyReply =>
    reply
      .code(html === undefined ? 404 : 200)
      .headers(HEADERS)
      .type('text/html; charset=utf-8')
      .send(html ?? site.missing());

  // For people who open the address of the API: browsers ask for HTML by name, programs do not.
  app.get('/', async ({ headers }, reply) => {
    if (!headers.accept?.includes('text/html')) refuseUnknownRoute();
    return await reply.header('Vary', 'Accept').redirect(pathOf(''));
  });
  app.get(pathOf(''), (_request, reply) => answer(reply, site.page(pathOf(''))));
  app.get(pathOf('search'), ({ query }, reply) =>
    answer(reply, site.search((query as QueryText).parameters['q'] ?? '')),
  );
  app.get<{ Params: { '*': string } }>(pathOf('*'), async ({ params }, reply) => {
    if (params['*'] === '') return await reply.redirect('../docs', 308);
    return answer(reply, site.page(pathOf(params['*'])));
  });
}
