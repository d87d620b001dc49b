import type { VNode } from 'preact';
import { pathOf } from './layout.js';

/** A part of a page that a search can lead to. */
export interface Section {
  href: string;
  page: string;
  title: string;
  text: string;
}

interface Hit extends Section {
  score: number;
}

const MAX_HITS = 30;
const LONGEST_QUESTION = 100;
const EXCERPT = 180;

/** The text under each heading of a page. */
export function sectionsOf(page: string, path: string, html: string): Section[] {
  const [top = '', ...rest] = html.split(/(?=<h[23] id=")/);
  return [
    { href: path, page, title: page, text: plain(top) },
    ...rest.map((part) => {
      const [, id, title, text] = /^<h[23] id="([^"]+)">(.*?)<\/h[23]>(.*)/s.exec(part)!;
      return { href: `${path}#${id}`, page, title: plain(title!), text: plain(text!) };
    }),
  ];
}

/** Sections that have every word, those first that have them in their heading. */
export function find(sections: readonly Section[], asked: string): Section[] {
  const words = wordsOf(asked);
  if (words.length === 0) return [];
  return sections
    .map((section): Hit => ({ ...section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, MAX_HITS);
}

function scoreOf({ page, title, text }: Section, words: readonly string[]): number {
  const [heading, top, body] = [title, page, text].map((each) => each.toLowerCase()) as [string, string, string];
  const each = words.map(
    (word) => (heading.includes(word) ? 4 : 0) + (top.includes(word) ? 2 : 0) + (body.includes(word) ? 1 : 0),
  );
  return each.includes(0) ? 0 : each.reduce((sum, score) => sum + score, 0);
}

const wordsOf = (asked: string): string[] =>
  asked
    .slice(0, LONGEST_QUESTION)
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');

interface SearchProps {
  asked: string;
  found: readonly Section[];
}

export function SearchPage({ asked, found }: SearchProps): VNode {
  const said = asked.slice(0, LONGEST_QUESTION).trim();
  return (
    <>
      <h1>{said === '' ? 'Search' : `Search: ${said}`}</h1>
      {said !== '' && found.length === 0 && (
        <p>
          Nothing has all of these words. Try fewer, or look at the <a href={pathOf('errors')}>errors</a> and the{' '}
          <a href={pathOf('objects')}>objects</a>.
        </p>
      )}
      <ol class="hits">
        {found.map(({ href, page, title, text }) => (
          <li key={href}>
            <a href={href}>{title === page ? page : `${page}: ${title}`}</a>
            <p>{excerptOf(text, said)}</p>
          </li>
        ))}
      </ol>
    </>
  );
}

/** Around the first word that was asked for. */
function excerptOf(text: string, asked: string): string {
  const at = Math.max(0, text.toLowerCase().indexOf(wordsOf(asked)[0]!));
  const from = Math.max(0, text.lastIndexOf(' ', Math.max(0, at - EXCERPT / 3)));
  const cut = text.slice(from, from + EXCERPT).trim();
  return `${from > 0 ? '… ' : ''}${cut}${from + EXCERPT < text.length ? ' …' : ''}`;
}

function plain(html: string): string {
  return (
    html
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&amp;', '&')
      .replaceAll(/\s+/g, ' ')
      // Where a tag ended.
      .replaceAll(/ (?=[.,:;])/g, '')
      .trim()
  );
}
