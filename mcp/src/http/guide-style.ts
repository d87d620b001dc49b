/** The colours of all pages for people, as services/workspaces/assets/site.css has them. */
const light = `
  --ground: #fbfaf8; --paper: #ffffff; --ink: #1b1f1d; --soft: #55605a; --line: #dcdfdb; --accent: #0b5d4a;
  --accent-ink: #ffffff; --accent-hover: #084536; --plain-ground: #eceeeb; --focus: #ffcf4a; --focus-ink: #1b1f1d;`;
const dark = `
  --ground: #131614; --paper: #1b1f1d; --ink: #eceeea; --soft: #a9b3ad; --line: #323935; --accent: #5fd3b0;
  --accent-ink: #0c2019; --accent-hover: #8ae2c8; --plain-ground: #2a302d;`;

/** Part of the page, and allowed by its hash: the page loads nothing. */
export const guideStyle = `
:root { color-scheme: light dark; ${light} }
@media (prefers-color-scheme: dark) { :root { ${dark} } }
*, *::before, *::after { box-sizing: border-box; }
html { font: 1.0625rem/1.6 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', sans-serif; background: var(--ground); color: var(--ink); -webkit-text-size-adjust: 100%; }
body { margin: 0; min-height: 100vh; }
.wide, main { width: min(100% - 2.5rem, 46rem); margin-inline: auto; }
main { padding-block: 2rem 4rem; }
.banner { background: var(--paper); border-bottom: 1px solid var(--line); }
.banner .wide { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .5rem 1.25rem; padding-block: .75rem; }
.brand { display: inline-flex; align-items: center; gap: .6rem; color: var(--ink); font-weight: 700; letter-spacing: -.01em; text-decoration: none; }
.brand::before { content: ''; width: .85rem; height: .85rem; border-radius: .25rem; background: var(--accent); }
h1 { font-size: 2rem; line-height: 1.2; letter-spacing: -.02em; margin: 0 0 1rem; text-wrap: balance; }
h2 { font-size: 1.25rem; line-height: 1.3; letter-spacing: -.01em; margin: 2.5rem 0 .5rem; }
h3 { font-size: 1.0625rem; margin: 0 0 .5rem; }
p { margin: .5rem 0; }
.lead { font-size: 1.15rem; color: var(--soft); }
.hint { color: var(--soft); font-size: .95rem; }
ul, ol { padding-left: 1.25rem; }
li { margin: .35rem 0; }
a { color: var(--accent); text-underline-offset: .2em; text-decoration-thickness: .08em; }
a:hover { color: var(--accent-hover); text-decoration-thickness: .16em; }
main section { background: var(--paper); border: 1px solid var(--line); border-radius: 8px; padding: 1rem 1.25rem; margin: 1rem 0; }
.button { display: inline-block; padding: .55rem 1.25rem; border-radius: 6px; background: var(--accent); color: var(--accent-ink); font-weight: 600; text-decoration: none; }
.button:hover { background: var(--accent-hover); color: var(--accent-ink); }
pre { background: var(--plain-ground); border-radius: 6px; padding: .75rem 1rem; overflow-x: auto; margin: .5rem 0; }
pre code { user-select: all; }
code { font: .9em/1.5 ui-monospace, 'SF Mono', 'Cascadia Mono', 'DejaVu Sans Mono', Menlo, Consolas, monospace; }
p code, li code { overflow-wrap: anywhere; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 0; box-shadow: 0 0 0 6px var(--focus-ink); border-radius: 4px; }
main:focus { outline: none; box-shadow: none; }
.skip { position: absolute; left: 1rem; top: -4rem; padding: .5rem 1rem; background: var(--focus); color: var(--focus-ink); }
.skip:focus { top: .75rem; }
`;
