import { printFindings, type Finding } from './finding.js';
import type { MainCommand } from './run-main.js';
import { StartError } from './start-error.js';

/** A command that looks at something and says what it found; exit code 1 where something is wrong. */
export function findingsCommand(help: string, look: (env: NodeJS.ProcessEnv) => Promise<Finding[]>): MainCommand {
  return {
    help,
    run: async (env, args) => {
      const other = args.find((arg) => arg !== '--json');
      if (other !== undefined) throw new StartError(`there is no option "${other}"; the only one is --json`);
      printFindings(await look(env), args.includes('--json'));
    },
  };
}
