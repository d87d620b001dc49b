import { escapeHtml } from '@payroll/runtime';
import { Marked } from 'marked';
import type { VNode } from 'preact';
import type { Example } from './document.js';

const ROOT = '/v1/docs';

/** Where a page of the reference stands, or a part of it. */
export function pathOf(page: string, part?: string): string {
  return `${ROOT}${page === '' ? '' : `/${page}`}${part === undefined ? '' : `#${part}`}`;
}

interface Entry {
  title: string;
  href: string;
  method?: string;
}

export interface Chapter {
  title: string;
  entries: readonly Entry[];
}

interface LayoutProps {
  contents: readonly Chapter[];
  /** The address of the page that this is. */
  here: string;
  asked?: string;
  /** The content of the page. */
  html: string;
}

/** The body of every page. */
export function Layout({ contents, here, asked, html }: LayoutProps): VNode {
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="banner">
        <a class="brand" href={pathOf('')}>
          Payroll API
        </a>
        <form role="search" action={pathOf('search')}>
          <input type="search" name="q" aria-label="Search the reference" placeholder="Search" value={asked} />
          <button>Search</button>
        </form>
      </header>
      <Contents of={contents} here={here} />
      <main id="main" tabIndex={-1} dangerouslySetInnerHTML={{ __html: html }} />
    </>
  );
}

/** Beside the page where there is room, above it on a phone. */
function Contents({ of, here }: { of: readonly Chapter[]; here: string }): VNode {
  return (
    <details class="contents">
      <summary>Contents</summary>
      <nav aria-label="Contents" tabIndex={0}>
        {of.map(({ title, entries }) => (
          <section key={title}>
            <h2>{title}</h2>
            <ul>
              {entries.map((entry) => (
                <li key={entry.href}>
                  <a href={entry.href} aria-current={entry.href === here ? 'page' : undefined}>
                    {entry.method && <Method of={entry.method} />}
                    {entry.title}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
    </details>
  );
}

export const Method = ({ of }: { of: string }): VNode => <span class={`method ${of.toLowerCase()}`}>{of}</span>;

/** Our Markdown as HTML: headings have anchors, and scrollable blocks can be reached with the keyboard. */
const marked = new Marked({
  renderer: {
    heading({ tokens, depth }) {
      const title = this.parser.parseInline(tokens);
      return `<h${depth} id="${anchorOf(title)}">${title}</h${depth}>\n`;
    },
    code: ({ text, lang }) => codeBlock(text, lang === 'sh' ? 'Commands' : 'Code'),
    table(token) {
      const cells = (row: typeof token.header, name: string): string =>
        `<tr>${row.map(({ tokens }) => `<${name}>${this.parser.parseInline(tokens)}</${name}>`).join('')}</tr>`;
      const rows = token.rows.map((row) => cells(row, 'td')).join('');
      return `<div class="table" tabindex="0"><table><thead>${cells(token.header, 'th')}</thead><tbody>${rows}</tbody></table></div>\n`;
    },
  },
});

const toHtml = (markdown: string): string => marked.parse(markdown, { async: false });

const inlineHtml = (markdown: string): string => marked.parseInline(markdown, { async: false });

function anchorOf(title: string): string {
  return title
    .replaceAll(/<[^>]+>|&\w+;/g, '')
    .toLowerCase()
    .replaceAll(/\W+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

function codeBlock(text: string, name: string): string {
  return `<pre tabindex="0" aria-label="${name}"><code>${escapeHtml(text)}</code></pre>\n`;
}

/** A text with paragraphs, lists and headings. */
export const Prose = ({ of }: { of: string }): VNode => (
  // Only Markdown of this repository gets here, never a user's text.
  <div dangerouslySetInnerHTML={{ __html: toHtml(of) }} />
);

/** A sentence or two. */
export const Text = ({ of }: { of: string }): VNode => <span dangerouslySetInnerHTML={{ __html: inlineHtml(of) }} />;

export function Code({ name, children }: { name: string; children: string }): VNode {
  return (
    <pre tabIndex={0} aria-label={name}>
      <code>{children}</code>
    </pre>
  );
}

/** Examples under one another; the first is open. */
export function Examples({ of }: { of: Readonly<Record<string, Example>> }): VNode {
  return (
    <>
      {Object.values(of).map(({ summary, value }, n) => (
        <details key={summary} class="example" open={n === 0}>
          <summary>{summary}</summary>
          <Code name={summary}>{JSON.stringify(value, null, 2)}</Code>
        </details>
      ))}
    </>
  );
}
