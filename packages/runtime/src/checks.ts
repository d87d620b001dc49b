import { StartError, type MainCommand } from './run-main.js';

/** One result of checking a deployment, worded for the operator. */
export interface CheckResult {
  ok: boolean;
  /** The checked condition, as a sentence that is true when all is well. */
  what: string;
  /** The observed state; only if the condition is false. */
  seen?: string;
  /** What to do about it. */
  todo?: string;
}

/** `seen` and `todo` are left out when all is well. */
export function checkResult(what: string, ok: boolean, seen: string, todo: string): CheckResult {
  return ok ? { ok, what } : { ok, what, seen, todo };
}

/** A check that cannot be made is a finding too. */
export async function runCheck(what: string, todo: string, look: () => Promise<CheckResult[]>): Promise<CheckResult[]> {
  try {
    return await look();
  } catch (error) {
    const seen = error instanceof Error ? error.message.split('\n')[0]! : String(error);
    return [{ ok: false, what, seen, todo }];
  }
}

/** For people, one line for each that is well and one more for each that is not; for machines, JSON. */
export function printResults(all: readonly CheckResult[], asJson: boolean): void {
  const lines = all.map(({ ok, what, seen, todo }) =>
    ok ? `ok     ${what}` : `WRONG  not true that ${what}: ${seen}\n       → ${todo}`,
  );
  process.stdout.write(asJson ? `${JSON.stringify(all, null, 2)}\n` : `${lines.join('\n')}\n`);
  process.exitCode = all.every(({ ok }) => ok) ? 0 : 1;
}

/** The command `doctor` of a process: prints its findings; exit code 1 where something is wrong. */
export function checkCommand(help: string, look: (env: NodeJS.ProcessEnv) => Promise<CheckResult[]>): MainCommand {
  return {
    help,
    usage: `Usage: doctor [--json]\n\n${help}\n`,
    run: async (env, args) => {
      const other = args.find((arg) => arg !== '--json');
      if (other !== undefined) throw new StartError(`there is no option "${other}"; the only one is --json`);
      printResults(await look(env), args.includes('--json'));
    },
  };
}
