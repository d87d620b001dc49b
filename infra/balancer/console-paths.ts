/** Paths of the console: the pages of a workspace, and `/kit` in test deployments. The workspaces service serves the rest. */
export const CONSOLE_PATHS = /^\/(workspaces\/.|kit$)/;
