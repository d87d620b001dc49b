/** The last thing a log says, short enough for one line on the console; pino's JSON is read, anything else is shown as it is. */
export function lastWords(log: string): string {
  const lines = log.split('\n').filter((line) => line.trim() !== '');
  const fatal = lines.findLast((line) => /\b(?:FATAL|\[FTL\]|Error):? /.test(line) && !line.startsWith('{'));
  const line = lines.at(-1) ?? '';
  const words = line.startsWith('{') ? messageOf(line) : (fatal ?? line);
  const short = words.replaceAll(/\s+/g, ' ').trim();
  return short.length > 200 ? `${short.slice(0, 199)}…` : short;
}

function messageOf(line: string): string {
  try {
    const { msg, err } = JSON.parse(line) as { msg?: string; err?: { message?: string } };
    const parts = [msg, err?.message].filter((part) => part !== undefined && part !== '');
    return parts.length === 0 ? line : [...new Set(parts)].join(': ');
  } catch {
    return line;
  }
}
