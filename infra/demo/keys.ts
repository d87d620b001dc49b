import { runningStack } from '../local/running-stack.js';

const USAGE = `Usage: eval "$(npm run --silent keys)"

Prints shell settings for the running system: URL and KEY (of an admin) for /v1; MCP_URL and MCP_TOKEN (of the same admin)
for /mcp; GRAPHQL_URL, WORKSPACE and TOKEN (the application's own) for the internal endpoint, with FINANCE_TOKEN and
SECOND_TOKEN of two people of finance. They are the first demo workspace's.
`;

const stack = runningStack();

if (process.argv.includes('--help')) process.stdout.write(USAGE);
else if (!stack) {
  process.stderr.write('Nothing runs here: start it in another terminal with  npm start\n');
  process.exitCode = 1;
} else {
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
