import { readFileSync } from 'node:fs';

/** Who looks at what, and why, as the explorer sends it with every request. */
export interface Visit {
  token: string;
  workspaceId: string;
  reason: string;
}

/** That of the application in the first demo workspace, from the `stack.json` of `npm start`; null until it is written. */
export function visitOfStack(file: string): Visit | null {
  try {
    const { graphql, workspaces } = JSON.parse(readFileSync(file, 'utf8')) as {
      graphql: { token?: string };
      workspaces?: { id: string }[];
    };
    const [workspace] = workspaces ?? [];
    return graphql.token && workspace
      ? { token: graphql.token, workspaceId: workspace.id, reason: 'trying it out' }
      : null;
  } catch {
    return null;
  }
}
