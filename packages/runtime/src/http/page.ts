/** The colours of all pages for people, as packages/pages/assets/site.css has them. */
const LIGHT = `--ground: #fbfaf8; --paper: #ffffff; --ink: #1b1f1d; --soft: #55605a; --line: #dcdfdb; --edge: #7d8882; --accent: #0b5d4a;
  --accent-ink: #ffffff; --accent-hover: #084536; --plain-ground: #eceeeb; --bad: #a8231b; --focus: #ffcf4a; --focus-ink: #1b1f1d;`;
const DARK = `--ground: #131614; --paper: #1b1f1d; --ink: #eceeea; --soft: #a9b3ad; --line: #323935; --edge: #79857f; --accent: #5fd3b0;
  --accent-ink: #0c2019; --accent-hover: #8ae2c8; --plain-ground: #2a302d; --bad: #ff9a8f;`;

/** What a page without files of its own begins with: it stands in the page, which loads nothing. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; ${LIGHT} }
@media (prefers-color-scheme: dark) { :root { ${DARK} } }
*, *::before, *::after { box-sizing: border-box; }
html { font: 1.0625rem/1.6 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', sans-serif; background: var(--ground); color: var(--ink); -webkit-text-size-adjust: 100%; }
body { margin: 0; min-height: 100vh; }
h1 { font-size: 2rem; line-height: 1.2; letter-spacing: -.02em; margin: 0 0 1rem; text-wrap: balance; }
.hint { color: var(--soft); font-size: .95rem; }
code { font: .9em/1.5 ui-monospace, 'SF Mono', 'Cascadia Mono', 'DejaVu Sans Mono', Menlo, Consolas, monospace; }
p code, li code { overflow-wrap: anywhere; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 0; box-shadow: 0 0 0 6px var(--focus-ink); border-radius: 4px; }
`;

interface Page {
  title: string;
  style: string;
  /** HTML, as everything but the title. */
  body: string;
  head?: string;
}

export function renderHtmlPage({ title, style, body, head = '' }: Page): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
${head}<style>${style}</style>
</head>
<body>
${body.trim()}
</body>
</html>
`;
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
