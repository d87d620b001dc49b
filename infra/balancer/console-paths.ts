/** Paths of the console: the pages of a workspace and of its workers, and `/kit` in test deployments. The workspaces service serves the rest. */
export const CONSOLE_PATHS = /^\/(workspaces\/.|work\/.|kit$)/;
