import { escaped } from '@payroll/process';
import { Marked } from 'marked';

/** Texts of ours, as HTML: headings that can be linked to, and nothing that only a mouse can scroll. */
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

export const toHtml = (markdown: string): string => marked.parse(markdown, { async: false });

export const inlineHtml = (markdown: string): string => marked.parseInline(markdown, { async: false });

function anchorOf(title: string): string {
  return title
    .replaceAll(/<[^>]+>|&\w+;/g, '')
    .toLowerCase()
    .replaceAll(/\W+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

function codeBlock(text: string, name: string): string {
  return `<pre tabindex="0" aria-label="${name}"><code>${escaped(text)}</code></pre>\n`;
}
