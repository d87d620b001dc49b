/** What the arguments ask for; when it is help, or they are wrong, that is said and there is nothing more to do. */
export function optionsOf<Asked>(usage: string, read: (args: readonly string[]) => Asked | null): Asked | null {
  try {
    const options = read(process.argv.slice(2));
    if (!options) process.stdout.write(usage);
    return options;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exitCode = 1;
    return null;
  }
}

/** @throws Error naming the option where its text is no whole number from `least`. */
export function count(option: string, text: string, least = 1): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least) throw new Error(`${option} is a whole number from ${least}.`);
  return value;
}
