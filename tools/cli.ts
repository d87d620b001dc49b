import { parseArgs } from 'node:util';
import { recordOf } from '@payroll/kernel';
import { errorSentence } from '@payroll/runtime';

/** Ends a command with its sentence, which says what to do. */
export { StartError } from '@payroll/runtime';

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

/** How an option is read from its texts: one, several where it may be repeated, or none where it is left out. */
export interface OptionKind<Value> {
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
  /** @throws Error naming the option */
  readonly read: (given: readonly string[], option: string) => Value;
}

export const flag: OptionKind<boolean> = { type: 'boolean', read: ({ length }) => length > 0 };

export const text: OptionKind<string | undefined> = { type: 'string', read: ([given]) => given };

export const texts: OptionKind<readonly string[]> = { type: 'string', multiple: true, read: (given) => given };

/** An integer of at least `least`. */
export const count = (fallback: number, least = 1): OptionKind<number> => ({
  type: 'string',
  read: ([given = String(fallback)], option) => {
    const value = Number(given);
    if (!Number.isInteger(value) || value < least) throw new Error(`${option} is a whole number from ${least}.`);
    return value;
  },
});

/** Those of these names that are given; all if none is. */
export const someOf = <const Name extends string>(names: readonly Name[]): OptionKind<readonly Name[]> => ({
  type: 'string',
  multiple: true,
  read: (given, option) => {
    const known = given.map((each) => names.find((name) => name === each));
    if (known.includes(undefined)) throw new Error(`${option} is one of: ${names.join(', ')}`);
    return given.length === 0 ? names : (known as Name[]);
  },
});

export const jsonFile: OptionKind<string | undefined> = {
  type: 'string',
  read: ([file], option) => {
    if (file !== undefined && !file.endsWith('.json')) throw new Error(`${option} names a .json file.`);
    return file;
  },
};

/** Reads these options, and no other arguments. */
export function options<Values extends object>(kinds: {
  readonly [Name in keyof Values]: OptionKind<Values[Name]>;
}): Command<Values>['read'] {
  const all: Readonly<Record<string, OptionKind<unknown>>> = kinds;
  return (args) => {
    const described = recordOf(Object.keys(all), (name) => {
      const { type, multiple = false } = all[name]!;
      return { type, multiple };
    });
    const { values } = parseArgs({ args: [...args], options: described });
    const read = (name: string): unknown => all[name]!.read([values[name] ?? []].flat().map(String), `--${name}`);
    return recordOf(Object.keys(all), read) as Values;
  };
}

/** To stderr: a program may read the output. */
export function progress(line: string): void {
  process.stderr.write(`${line}\n`);
}
