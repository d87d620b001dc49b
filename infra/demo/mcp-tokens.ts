import type { DemoFacts, DemoWorkspace } from '../local/stack.js';
import { type DemoSystem, runWorkspacesCommand } from './operator.js';
import { ROLES } from './roles.js';

/**
 * Access tokens for the MCP server, for those who try it without a browser. They are good for 30 days and made anew at each
 * start. A workspace whose people have left or changed roles since it was seeded has none, and that stops no start.
 */
export async function withMcpTokens(system: DemoSystem, facts: DemoFacts): Promise<DemoFacts> {
  const workspaces = facts.workspaces.map(async (workspace) => {
    try {
      return { ...workspace, mcpTokens: await giveMcpTokens(system, workspace) };
    } catch (error) {
      process.stderr.write(`No MCP tokens for ${workspace.name}: ${reasonOf(error)}\n`);
      return workspace;
    }
  });
  return { ...facts, workspaces: await Promise.all(workspaces) };
}

/** The admin's comes first: it enables the client for the others. */
async function giveMcpTokens(
  system: DemoSystem,
  { id, users = [] }: DemoWorkspace,
): Promise<NonNullable<DemoWorkspace['mcpTokens']>> {
  const emails = ROLES.map((role) => users.find((user) => user.role === role)?.email ?? role);
  const order = ['create-access-token', '--workspace', id, '--client', 'Demo', '--days', '30'];
  const printed = await runWorkspacesCommand(system, [...order, ...emails.flatMap((email) => ['--email', email])]);
  const [admin = '', member = '', viewer = ''] = printed.split('\n');
  return { admin, member, viewer };
}

/** What the command said last. */
function reasonOf(error: unknown): string {
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
  return said.split('\n').at(-1) || String(error);
}
