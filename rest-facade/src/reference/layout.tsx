import type { VNode } from 'preact';
import type { Example } from './document.js';
import { inlineHtml, toHtml } from './markdown.js';
import { pathOf } from './paths.js';

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
  /** Of the page itself. */
  html: string;
}

/** What stands between `<body>` and its end, on every page. */
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

/** A text with paragraphs, lists and headings. */
export const Prose = ({ of }: { of: string }): VNode => (
  // Markdown of this repository, as which nobody else's text gets here.
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
