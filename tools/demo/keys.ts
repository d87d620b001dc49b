import { StartError } from '@payroll/runtime';
import { options, runCommand } from '../cli.js';
import { runningStack } from '../local/stack-file.js';

const USAGE = `Usage: eval "$(npm run --silent keys)"

Prints shell settings for the running system: URL and KEY (of an admin) for /v1; MCP_URL and MCP_TOKEN (of the same admin)
for /mcp; GRAPHQL_URL, WORKSPACE and TOKEN (the application's own) for the internal endpoint, with FINANCE_TOKEN and
SECOND_TOKEN of two people of finance. They are the first demo workspace's.
`;

async function printKeys(): Promise<void> {
  const stack = runningStack();
  if (!stack) throw new StartError('nothing runs here: start it in another terminal with  npm start');
  const [first] = stack.workspaces ?? [];
  const settings = {
    URL: stack.rest.url,
    KEY: first?.apiKeys.admin,
    MCP_URL: stack.mcp?.url,
    MCP_TOKEN: first?.mcpTokens?.admin,
    GRAPHQL_URL: stack.graphql.url,
    TOKEN: stack.graphql.token,
    FINANCE_TOKEN: stack.graphql.finance?.[0],
    SECOND_TOKEN: stack.graphql.finance?.[1],
    WORKSPACE: first?.id,
  };
  for (const [name, value] of Object.entries(settings)) process.stdout.write(`export ${name}='${value ?? ''}'\n`);
}

await runCommand('keys', { usage: USAGE, read: options({}), run: printKeys });
