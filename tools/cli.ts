import { parseArgs } from 'node:util';
import { recordOf } from '@payroll/kernel';
import { errorSentence } from '@payroll/runtime';

interface Command<Options> {
  readonly usage: string;
  /** @throws Error that explains what is wrong with the arguments */
  readonly read: (args: readonly string[]) => Options;
  readonly run: (options: Options) => Promise<void>;
}

/**
 * Runs one of the commands of package.json: `--help` does nothing else, and a failure is one sentence and exit code 1.
 */
export async function runCommand<Options>(name: string, { usage, read, run }: Command<Options>): Promise<void> {
  const args = process.argv.slice(2);
  if (args.includes('--help') || args.includes('-h')) return void process.stdout.write(usage);
  let options: Options;
  try {
    options = read(args);
  } catch (error) {
    process.stderr.write(`${name}: ${errorSentence(error)}\n\n${usage}`);
    process.exitCode = 1;
    return;
  }
  try {
    await run(options);
  } catch (error) {
    process.stderr.write(`${name}: ${errorSentence(error)}\n`);
    process.exitCode = 1;
  }
}

/** For a command without arguments. */
export function noOptions([first]: readonly string[]): null {
  if (first !== undefined) throw new Error(`there is no option "${first}"`);
  return null;
}

/** @throws Error naming the option unless its text is an integer of at least `least`. */
export function count(option: string, text: string, least = 1): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least) throw new Error(`${option} is a whole number from ${least}.`);
  return value;
}

/** @throws Error listing the names unless the option's text is one of them. */
export function oneOf<const Name extends string>(option: string, text: string, names: readonly Name[]): Name {
  const name = names.find((each) => each === text);
  if (name === undefined) throw new Error(`${option} is one of: ${names.join(', ')}`);
  return name;
}

/** Parses options that are all integers, each with its default. */
export function readNumbers<Name extends string>(
  args: readonly string[],
  defaults: Readonly<Record<Name, number>>,
  least = 1,
): Record<Name, number> {
  const names = Object.keys(defaults) as Name[];
  const options = recordOf(names, () => ({ type: 'string' }) as const);
  const values = parseArgs({ args: [...args], options }).values as Readonly<Partial<Record<string, string>>>;
  return recordOf(names, (name) => count(`--${name}`, String(values[name] ?? defaults[name]), least));
}

/** To stderr: a program may read the output. */
export function progress(line: string): void {
  process.stderr.write(`${line}\n`);
}
