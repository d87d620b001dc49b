/** The npm that runs this script, if one does; else the one on the PATH. */
export function npmCommand() {
  const running = process.env.npm_execpath;
  if (running !== undefined && /npm-cli\.c?js$/.test(running)) return { command: process.execPath, args: [running] };
  return { command: 'npm', args: [] };
}
