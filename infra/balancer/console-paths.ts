/** Below the overview, `/workspaces/:workspaceId`, each with all that is below it; the settings there are workspaces'. */
const ROOMS = ['activity', 'contracts', 'money', 'payments', 'review', 'sandbox', 'workers'];

/** What the console answers of the people's origin, by the path without its query; all else is workspaces'. */
export const CONSOLE_PATHS = new RegExp(`^/workspaces/[^/]+(/((${ROOMS.join('|')})(/.*)?)?)?$`);
