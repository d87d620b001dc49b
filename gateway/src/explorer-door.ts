import type { Visit } from './visit.js';

const STYLE = `
  :root { color-scheme: light dark; --ground: #fbfaf8; --ink: #1b1f1d; --soft: #55605a; --edge: #7d8882; --accent: #0b5d4a; --on: #fff; --bad: #a8231b }
  @media (prefers-color-scheme: dark) { :root { --ground: #131614; --ink: #eceeea; --soft: #a9b3ad; --edge: #79857f; --accent: #5fd3b0; --on: #0c2019; --bad: #ff9a8f } }
  body { margin: 0; background: var(--ground); color: var(--ink); font: 1.0625rem/1.6 system-ui, sans-serif }
  main { max-width: 34rem; margin: 0 auto; padding: 2rem 1rem }
  label { display: block; margin-top: 1.25rem; font-weight: 600 }
  .hint { margin: 0; color: var(--soft); font-size: 0.9375rem }
  .bad { color: var(--bad); font-weight: 600 }
  input { width: 100%; box-sizing: border-box; padding: 0.5rem; border: 1px solid var(--edge); border-radius: 4px; background: transparent; color: inherit; font: inherit }
  button { margin-top: 1.5rem; padding: 0.5rem 1.25rem; border: 0; border-radius: 4px; background: var(--accent); color: var(--on); font: inherit; font-weight: 600 }
  code { overflow-wrap: anywhere }
  :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }`;

/** Asks for what every request needs; with what was typed, when that did not do. */
export function doorPage(typed?: Partial<Visit>): string {
  const { workspaceId = '', reason = '' } = typed ?? {};
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Explorer of the internal endpoint</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Explorer</h1>
<p>Write GraphQL for one workspace, with every field explained beside it. You see what your team may see.</p>
${typed ? '<p class="bad" role="alert">Enter a whole token, the id of a workspace, and a reason in plain words.</p>' : ''}
<form method="post" action="/explorer/" autocomplete="off">
<label for="token">Token</label>
<p class="hint" id="token-hint">It begins with <code>it_</code>. An operator makes it: <code>docker-compose run --rm operator create-token --help</code></p>
<input id="token" name="token" type="password" required aria-describedby="token-hint">
<label for="workspace">Workspace</label>
<p class="hint" id="workspace-hint">Its id, a UUID.</p>
<input id="workspace" name="workspaceId" required value="${escaped(workspaceId)}" aria-describedby="workspace-hint">
<label for="reason">Reason</label>
<p class="hint" id="reason-hint">Why you look, such as a ticket number. It is kept with what you ask.</p>
<input id="reason" name="reason" maxlength="200" value="${escaped(reason)}" aria-describedby="reason-hint">
<button>Open the explorer</button>
</form>
</main>
</body>
</html>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
