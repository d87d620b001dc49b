/** What the console answers at the people's origin: every page of a workspace, and the kit in development. All else is answered by workspaces. */
export const CONSOLE_PATHS = /^\/(workspaces\/.|kit$)/;
