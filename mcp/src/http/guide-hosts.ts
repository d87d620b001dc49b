/** An application that assistants run in, and how this server is added to it. */
interface Host {
  name: string;
  /** A link of the host's own that adds the server. */
  install?: (url: string) => string;
  /** In words, before what is to be copied. */
  steps: string;
  copy: (url: string) => string;
}

/** When the hosts' own documents were read, and what others say who have tried them. */
export const HOSTS_SEEN = 'November 2026';

const NAME = 'payroll';

/** They show forms (`elicitation`, mode `form`), so a person can confirm what they write. */
export const confirmingHosts: readonly Host[] = [
  {
    name: 'Visual Studio Code',
    // https://code.visualstudio.com/api/extension-guides/ai/mcp#mcp-url-handler
    install: (url) => `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: NAME, type: 'http', url }))}`,
    steps: 'Or put this into <code>.vscode/mcp.json</code>:',
    copy: (url) => json({ servers: { [NAME]: { type: 'http', url } } }),
  },
  {
    name: 'Cursor',
    // https://cursor.com/docs/mcp/install-links
    install: (url) =>
      `cursor://anysphere.cursor-deeplink/mcp/install?name=${NAME}&config=${encodeURIComponent(btoa(JSON.stringify({ url })))}`,
    steps: 'Or put this into <code>~/.cursor/mcp.json</code>:',
    copy: (url) => json({ mcpServers: { [NAME]: { url } } }),
  },
  {
    name: 'Claude Code',
    steps: 'Run this, then sign in with <code>/mcp</code>:',
    copy: (url) => `claude mcp add --transport http ${NAME} ${url}`,
  },
  {
    name: 'Codex',
    steps: 'Run this. If no page opens to sign in, run <code>codex mcp login payroll</code>:',
    copy: (url) => `codex mcp add ${NAME} --url ${url}`,
  },
];

/** Of these nobody says so: they read. */
export const readingHosts: readonly Host[] = [
  {
    name: 'Claude, on the web and on the desktop',
    steps: 'Settings → Connectors → <em>Add custom connector</em>, with this address:',
    copy: (url) => url,
  },
  {
    name: 'ChatGPT',
    steps:
      'Settings → Apps → Advanced settings: turn on developer mode. Then <em>Create app</em>, with OAuth and this address:',
    copy: (url) => url,
  },
  {
    name: 'Gemini CLI',
    steps: 'Run this, then sign in with <code>/mcp auth payroll</code>:',
    copy: (url) => `gemini mcp add --transport http ${NAME} ${url}`,
  },
  {
    name: 'An application that only starts local servers',
    steps: 'Give it this command, which connects it to this server:',
    copy: (url) => `npx mcp-remote ${url}`,
  },
];

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
