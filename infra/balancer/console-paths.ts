/** What the console answers at the people's origin: every page of a workspace. All else is answered by workspaces. */
export const CONSOLE_PATHS = /^\/workspaces\/./;
