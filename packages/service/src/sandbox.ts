import type { Deployment } from '@payroll/admission';
import { NOBODY, type WhoMay } from '@payroll/kernel';
import { defineCommand, type Command, type CommandTransaction } from '@payroll/commands';

/** Admins of the workspace, in person, and whoever drives a test of an integration. */
const TESTERS: WhoMay = { ...NOBODY, roles: ['admin'], teams: ['service'] };

/**
 * What an admin of a test deployment does in the place of somebody outside the workspace: the worker, the provider, the bank,
 * those who verify. It runs only as the command of a deployment, and that of a live one is nobody's.
 */
export class SandboxCommand<Input, Result> {
  constructor(private readonly command: Command<Input, Result>) {}

  in(deployment: Deployment): Command<Input, Result> {
    return { ...this.command, who: deployment === 'test' ? TESTERS : NOBODY };
  }
}

export function defineSandboxCommand<Input, Result>(
  name: string,
  handle: (tx: CommandTransaction, input: Input) => Result | Promise<Result>,
): SandboxCommand<Input, Result> {
  return new SandboxCommand(defineCommand(name, { who: NOBODY, decide: handle }));
}

/** Of a command that exists for those whose place is taken. */
export function sandboxVersionOf<Input, Result>(
  name: string,
  command: Command<Input, Result>,
): SandboxCommand<Input, Result> {
  return new SandboxCommand({ ...command, name });
}
