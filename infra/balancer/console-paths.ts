/** Paths of the console: the pages of a workspace and of workers, a person’s data, and `/kit` in test deployments. The workspaces service serves the rest. */
export const CONSOLE_PATHS = /^\/(workspaces\/.|work(\/|$)|account\/data\.json$|kit$)/;
