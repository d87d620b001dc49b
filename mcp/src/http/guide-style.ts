/** Part of the page, and allowed by its hash: the page loads nothing. */
export const guideStyle = `
:root { color-scheme: light dark; --ink: #1c2430; --quiet: #5a6675; --paper: #ffffff; --panel: #f4f6f9; --line: #d8dee6; --accent: #0b57d0; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8ecf1; --quiet: #a3aebb; --paper: #12161c; --panel: #1b212a; --line: #313a46; --accent: #8ab4f8; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 3rem 1.25rem 5rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 1rem; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .75rem; }
h3 { font-size: 1rem; margin: 0 0 .5rem; }
p { margin: .5rem 0; }
li { margin: .35rem 0; }
section { border-top: 1px solid var(--line); padding: 1rem 0 .5rem; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; overflow-x: auto; margin: .5rem 0; }
pre:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
code { font: .9rem/1.5 ui-monospace, monospace; }
em { font-style: normal; font-weight: 600; }
`;
