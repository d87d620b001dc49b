import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../local/repository-root.js';
import type { StackFile } from '../local/stack-file.js';

const USAGE = `Usage: eval "$(npm run --silent keys)"

Prints shell settings for the running system: URL and KEY (of an admin) for /v1, GRAPHQL_URL, TOKEN and WORKSPACE for the
internal endpoint. They are the first demo workspace's.
`;

if (process.argv.includes('--help')) process.stdout.write(USAGE);
else {
  try {
    const file = join(repositoryRoot, '.local/stack.json');
    const { rest, graphql, workspaces } = JSON.parse(readFileSync(file, 'utf8')) as StackFile;
    const [first] = workspaces ?? [];
    const settings = {
      URL: rest.url,
      KEY: first?.apiKeys.admin,
      GRAPHQL_URL: graphql.url,
      TOKEN: graphql.token,
      WORKSPACE: first?.id,
    };
    for (const [name, value] of Object.entries(settings)) process.stdout.write(`export ${name}='${value ?? ''}'\n`);
  } catch {
    process.stderr.write('Nothing runs here: start it in another terminal with  npm start\n');
    process.exitCode = 1;
  }
}
