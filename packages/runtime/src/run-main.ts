import { ConfigError } from './settings/env.js';

/** A problem outside of the program, in one line that names the setting to look at. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** @param variable the setting of the port */
export function listenError(variable: string, host: string, port: number, error: unknown): StartError {
  const { code = '' } = error as NodeJS.ErrnoException;
  const why = LISTEN_ERRORS[code] ?? errorSentence(error);
  return new StartError(`${variable}: cannot listen on ${host}:${port}: ${why}`);
}

const LISTEN_ERRORS: Readonly<Partial<Record<string, string>>> = {
  EADDRINUSE: 'the port is taken; choose a free one',
  EACCES: 'this user may not; choose a port above 1023',
  EADDRNOTAVAIL: 'the host is not an address of this machine',
};

export interface MainCommand {
  /** One line. */
  help: string;
  /** What `--help` after the command prints; a command without it takes no arguments. */
  usage?: string;
  run: (env: NodeJS.ProcessEnv, args: readonly string[]) => Promise<void>;
}

/** Runs one of a process' commands; the first is the default. Failures are one line on stderr and exit code 1. */
export async function runMain(
  name: string,
  { argv, env }: Pick<NodeJS.Process, 'argv' | 'env'>,
  commands: Readonly<Record<string, MainCommand>>,
): Promise<void> {
  const [first = Object.keys(commands)[0]!, ...args] = argv.slice(2);
  if (first === '--help' || first === 'help') {
    process.stdout.write(usage(name, commands));
    return;
  }
  const command = commands[first];
  try {
    if (!command) throw new StartError(`there is no command "${first}"; try --help`);
    if (args.includes('--help')) {
      process.stdout.write(command.usage ?? `Usage: ${name} ${first}\n\n${command.help}\n`);
      return;
    }
    if (command.usage === undefined && args.length > 0) {
      throw new StartError(`"${first}" takes no arguments; try --help`);
    }
    refuseDevelopmentSecrets(env);
    await command.run(env, args);
  } catch (error) {
    process.stderr.write(`${name}: ${oneLine(error)}\n`);
    process.exitCode = 1;
  }
}

function usage(name: string, commands: Readonly<Record<string, MainCommand>>): string {
  const width = Math.max(...Object.keys(commands).map((each) => each.length));
  const lines = Object.entries(commands).map(([each, { help }]) => `  ${each.padEnd(width)}  ${help}`);
  return `Usage: ${name} [command]\n\n${lines.join('\n')}\n\nThe first command is the default; --help after a command says more. Settings come from the environment: docs/settings.md.\n`;
}

function oneLine(error: unknown): string {
  if (error instanceof ConfigError || error instanceof StartError) return error.message;
  return errorSentence(error);
}

/** The error in one line, for the user of the command. */
export function errorSentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Several addresses were tried; each has a separate error.
  if (error instanceof AggregateError) return [...new Set(error.errors.map(errorSentence))].join('; ');
  // fetch says only that it failed; its cause says why.
  if (error.message === 'fetch failed' && error.cause !== undefined) return `no answer: ${errorSentence(error.cause)}`;
  return (error.message || error.name).replaceAll(/\s*\n\s*/g, ' ').trim();
}

/**
 * Every secret generated for development, key or password, begins with this, so that it is recognised wherever it is
 * copied to. It leaves a key 208 random bits; a random secret contains it once in 2^48.
 */
export const DEVELOPMENT_MARK = 'de7e10de7e10';

/**
 * Run by every process before anything else.
 * @throws StartError in a live deployment that was given a secret made for development
 */
export function refuseDevelopmentSecrets(env: Readonly<Record<string, string | undefined>>): void {
  if (env['DEPLOYMENT'] !== 'live') return;
  const found = Object.keys(env).filter((name) => env[name]?.includes(DEVELOPMENT_MARK));
  if (found.length === 0) return;
  throw new StartError(
    `DEPLOYMENT is live, but made for development: ${found.join(', ')}; make secrets of your own, see .env.example on SECRETS_DIR`,
  );
}
