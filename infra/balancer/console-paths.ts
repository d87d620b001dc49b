/** Paths that the console serves: the pages of a workspace, and `/kit` in development. The workspaces service serves all others. */
export const CONSOLE_PATHS = /^\/(workspaces\/.|kit$)/;
